// Every store to an output is untouched by the inputs: whatever is computed beside it is for show.
#include <unordered_set>

#include "lint/rules.h"
#include "lint/words.h"

namespace assay {
namespace {

bool is_kernel(const Python& python, Node function) {
  Node decorated = function.parent();
  for (Node d = decorated.first_named(); decorated.is("decorated_definition") && d; d = d.next_named()) {
    if (!d.is("decorator")) continue;
    Node what = d.first_named().is("call") ? d.first_named().field("function") : d.first_named();
    for (const std::string& name : python.names(what))
      if (name == "triton.jit" || name == "triton.language.jit") return true;
  }
  return false;
}

// Whether an expression may hold loaded values: a load, a call of anything but tl's makers, or a name that does.
bool holds_values(const Python& python, Node expression, const std::unordered_set<std::string_view>& loaded) {
  for (Node n : python.tree.within(expression)) {
    if (n.is("identifier") && loaded.count(n.text())) return true;
    if (!n.is("call")) continue;
    std::string_view callee = n.field("function").text();
    std::string_view last = callee.substr(callee.rfind('.') + 1);
    if (!is_one_of(last, {"program_id", "arange", "zeros", "full", "cdiv", "num_programs", "to", "range", "static_range",
                          "broadcast_to", "where", "maximum", "minimum", "float32", "constexpr", "make_block_ptr",
                          "max_contiguous", "multiple_of", "reshape", "expand_dims"}))
      return true;
  }
  return false;
}

// A Triton kernel whose stores hold nothing that was loaded. Files with another kernel that stores loaded values pass: a
// kernel that fills with zeros is a helper there.
void constant_output_python(const Python& python, Findings& findings) {
  std::unordered_set<std::string_view> loaded;
  const Tree& tree = python.tree;
  Node constant;
  for (Node f : tree.nodes()) {
    if (!f.is("function_definition") || !is_kernel(python, f)) continue;
    loaded.clear();
    for (int round = 0; round < 3; ++round)
      for (Node n : tree.within(f)) {
        Node target = n.is("for_statement") || n.is("assignment") || n.is("augmented_assignment") ? n.field("left") : Node{};
        if (!target || !n.field("right") || !holds_values(python, n.field("right"), loaded)) continue;
        for (Node t : tree.within(target))
          if (t.is("identifier")) loaded.insert(t.text());
      }
    for (Node n : tree.within(f)) {
      if (!n.is("call")) continue;
      std::string_view callee = n.field("function").text();
      std::string_view last = callee.substr(callee.rfind('.') + 1);
      if (last.starts_with("atomic")) return;
      if (last != "store") continue;
      Node value = n.field("arguments").first_named().next_named();
      if (!value || holds_values(python, value, loaded)) return;
      if (!constant) constant = n;
    }
  }
  if (constant) findings.add(Severity::error, constant, "nothing that was loaded reaches a store");
}

}  // namespace

void constant_output(const Unit& unit, Findings& findings) {
  if (unit.python) return constant_output_python(*unit.python, findings);
  const Flow& flow = *unit.flow;
  Tags all = 0;
  Node first;
  for (const Store& s : flow.stores) {
    if (!(s.target_tags & tag::out_pointer) || !flow.is_reached(flow.symbols.function_of[s.node.id])) continue;
    all |= s.value | (s.control & (tag::in_value | tag::kept));
    if (!first || s.node.id < first.id) first = s.node;
  }
  if (!first || (all & (tag::in_value | tag::in_pointer | tag::in_tensor | tag::kept | tag::table | tag::external))) return;
  for (const Function& f : flow.symbols.functions) {
    if (!f.is_entry) continue;
    Tags given = 0;
    for (uint32_t p : f.parameters) given |= flow.variable_tags(p);
    if (!(given & (tag::in_tensor | tag::in_pointer))) return;  // no input to use
  }
  bool positions = all & (tag::shape | tag::index);
  findings.add(positions ? Severity::warning : Severity::error, first,
               positions ? "no value of an input reaches an output: only lengths and indices do"
                         : "nothing of the inputs reaches an output: every store is a constant");
}

}  // namespace assay
