// A return before any work that no empty length, null pointer or bound explains.
#include "lint/rules.h"
#include "lint/words.h"

namespace assay {
namespace {

struct Guard {
  bool found = false;      // stands under a condition, loop or case
  bool constant = true;    // every condition is made of literals
  bool is_constexpr = false;
  Tags tags = 0;
  int64_t literal = 0;     // the largest integer compared with a length
  Node condition;
};

int64_t largest_literal(Node condition) {
  int64_t largest = 0;
  uint32_t limit = condition.id + 64;
  for (Node n : condition.tree->within(condition)) {
    if (n.id > limit) break;
    if (!n.is("number_literal") || n.parent().is("subscript_argument_list")) continue;
    int64_t value = 0;
    for (char c : n.text()) {
      if (c < '0' || c > '9' || value > 1'000'000'000) break;
      value = value * 10 + (c - '0');
    }
    largest = std::max(largest, value);
  }
  return largest;
}

bool has_name(Node condition) {
  uint32_t limit = condition.id + 64;
  for (Node n : condition.tree->within(condition))
    if (n.is("identifier") || n.is("call_expression") || n.id > limit) return true;
  return false;
}

Guard guard_of(const Flow& flow, Node at) {
  Guard g;
  for (int steps = 0; at && at.id && steps < 256; ++steps) {
    Node p = at.parent();
    if (is_one_of(p.kind(), {"function_definition", "lambda_expression"})) break;
    bool conditional = is_one_of(p.kind(), {"if_statement", "while_statement", "for_statement", "switch_statement",
                                            "for_range_loop", "do_statement", "else_clause", "catch_clause"});
    if (conditional) {
      g.found = true;
      Node condition = p.field("condition");
      if (p.is("for_range_loop")) condition = p.field("right");
      if (condition) {
        g.condition = condition;
        g.tags |= flow.tags(condition);
        for (Node c = condition.first_named(); c; c = c.next_named()) g.tags |= flow.tags(c);
        g.literal = std::max(g.literal, largest_literal(condition));
        if (has_name(condition)) g.constant = false;
      }
      for (Node c = p.first(); c && c != condition; c = c.next())
        if (c.is("constexpr")) g.is_constexpr = true;
    }
    at = p;
  }
  return g;
}

}  // namespace

void early_return(const Unit& unit, Findings& findings) {
  const Flow& flow = *unit.flow;
  std::unordered_map<uint32_t, uint32_t> first_work;
  for (Node n : flow.tree.nodes()) {
    if (!n.is("return_statement") && !n.is("goto_statement")) continue;
    uint32_t f = flow.symbols.function_of[n.id];
    if (f == none || (n.is("return_statement") && n.first_named())) continue;  // a value: a helper's
    auto [found, added] = first_work.try_emplace(f, 0);
    if (added) found->second = flow.first_work(f);
    if (found->second == none || n.id > found->second) continue;
    Guard g = guard_of(flow, n);
    Severity worst = flow.is_main(f) ? Severity::error : Severity::warning;
    if (g.is_constexpr) continue;
    if (!g.found) {
      findings.add(Severity::error, n, "returns before the work, whatever the inputs are");
    } else if (g.constant) {
      findings.add(worst, n, "returns before the work under a condition that is a constant");
    } else if (g.tags & (tag::exact_shape | tag::kept | tag::kept_key)) {
      continue;  // exact_shape and carries_results speak of these
    } else if (g.tags & (tag::in_value | tag::out_value)) {
      findings.add(worst, n, "returns before the work depending on values, not on a length, an index or a null pointer");
    } else if ((g.tags & tag::shape) && g.literal >= 2) {
      findings.add(Severity::warning, n, "returns before the work for some lengths that are not empty");
    } else if (!(g.tags & (tag::shape | tag::meta | tag::index | tag::pointers | tag::in_tensor | tag::out_tensor))) {
      findings.add(Severity::warning, n, "returns before the work under a condition that no length, index or pointer explains");
    }
  }
}

}  // namespace assay
