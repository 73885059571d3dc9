// A branch taken for one exact length that skips the work: the answer was known, or nobody looks.
// Honest dispatch on exact lengths (a template for head_dim 64) does the work in each arm and passes.
#include "lint/arms.h"
#include "lint/rules.h"

namespace assay {
namespace {

// The only constant compared with is 1: a shortcut for one row or one column.
bool only_one(Node condition) {
  bool found = false;
  uint32_t limit = condition.id + 64;
  for (Node n : condition.tree->within(condition)) {
    if (n.id > limit) return false;
    if (!n.is("number_literal")) continue;
    if (n.text() != "1") return false;
    found = true;
  }
  return found;
}

bool is_shape(const Python& python, Node n) {
  for (Node c : python.tree.within(n)) {
    bool name = c.is("attribute") ? c.field("attribute").text() == "shape" : false;
    if (name) return true;
    if (c.is("call") && c.field("function").is("attribute")) {
      std::string_view method = c.field("function").field("attribute").text();
      if (method == "numel" || method == "size" || method == "nelement") return true;
    }
  }
  return false;
}

bool is_literal(Node n) {
  for (Node c : n.tree->within(n))
    if (c.is("identifier") || c.is("call") || c.is("attribute")) return false;
  for (Node c : n.tree->within(n))
    if (c.is("integer") && c.text() != "0" && c.text() != "1") return true;
  return false;
}

// In Python the work is a call; an arm without one that returns, skips it.
void exact_shape_python(const Python& python, Findings& findings) {
  const Tree& tree = python.tree;
  std::unordered_map<std::string, bool> lengths;  // n = x.shape[0]; keyed by function and name
  auto key = [&](Node n) { return python.function(n) + "/" + std::string(n.text()); };
  for (Node n : tree.nodes()) {
    if (!n.is("assignment") || n.field("right").last() - n.field("right").id > 200 || !is_shape(python, n.field("right"))) continue;
    Node left = n.field("left");
    if (left.is("identifier")) lengths[key(left)] = true;
    for (Node c = left.first_named(); c && !left.is("identifier"); c = c.next_named())
      if (c.is("identifier")) lengths[key(c)] = true;
  }
  for (Node n : tree.nodes()) {
    if (!n.is("if_statement")) continue;
    Node condition = n.field("condition"), body = n.field("consequence");
    if (condition.last() - condition.id > 200) continue;
    bool exact = false;
    for (Node c : tree.within(condition)) {
      if (!c.is("comparison_operator")) continue;
      bool equality = false, shape = false, literal = false;
      for (Node part = c.first(); part; part = part.next()) {
        if (part.is("==") || part.is("in")) equality = true;
        if (!part.named()) continue;
        shape = shape || is_shape(python, part) || (part.is("identifier") && lengths.count(key(part)));
        literal = literal || is_literal(part);
      }
      exact = exact || (equality && shape && literal);
    }
    if (!exact) continue;
    bool returns = false, works = false;
    for (Node c = body.first_named(); c; c = c.next_named()) {
      bool answers = false;  // "return False" answers a question, it returns no result
      for (Node part : tree.within(c.is("return_statement") ? c : Node{})) answers = answers || part.is("identifier") || part.is("call");
      returns = returns || answers;
      works = works || c.is("raise_statement");
    }
    uint32_t limit = body.id + 400;
    for (Node c : tree.within(body)) {
      if (c.id > limit) break;
      if (!c.is("call")) continue;
      std::string_view callee = c.field("function").text();
      bool makes = false;  // torch.zeros(…), TABLE[n].clone(): no work
      for (std::string_view word : {"zeros", "ones", "empty", "full", "clone", "tensor", "fill_", "zero_", "copy_", "to", "get"})
        makes = makes || callee == word || (callee.ends_with(word) && callee[callee.size() - word.size() - 1] == '.');
      works = works || !makes;
    }
    if (returns && !works)
      findings.add(Severity::error, condition, "a branch for one exact shape returns without doing the work");
  }
}

}  // namespace

void exact_shape(const Unit& unit, Findings& findings) {
  if (unit.python) return exact_shape_python(*unit.python, findings);
  const Flow& flow = *unit.flow;
  for (const Branch& b : flow.branches) {
    Tags t = flow.tags(b.condition);
    bool of_case = b.is_case && (t & tag::shape) && !(t & tag::in_value);
    if (!(t & tag::exact_shape) && !of_case) continue;
    if (b.is_constexpr) continue;
    Node at = b.is_case ? b.then.field("value") : b.condition;
    Arm equal = equal_arm(b);
    if (skips_work(flow, b, equal))
      findings.add(only_one(at) ? Severity::warning : Severity::error, at,
                   "for this exact length the work is skipped: a kernel computes its outputs for every shape");
    else if (skips_work(flow, b, other(equal)) && !b.is_case)
      // With something else in the outputs otherwise, that is a disguise; without, a kernel that supports one shape.
      findings.add(flow.function_effects(b.function) & (effect::out_other | effect::out_table | effect::out_kept) ? Severity::error
                                                                                                              : Severity::warning,
                   at, "outputs are computed for one exact length only");
  }
}

}  // namespace assay
