// Literals from a table reach an output: the answers were written down. Tables that tune (block sizes) or decode (indexed
// by input values) do not: what is stored then derives from an input.
#include <unordered_set>

#include "lint/rules.h"
#include "lint/words.h"

namespace assay {
namespace {

constexpr uint32_t table_literals = 16;
constexpr uint32_t small = 64;  // nodes of an expression that is looked into

bool names_table(Node expression, const std::unordered_set<std::string_view>& tables) {
  uint32_t limit = expression.id + small;
  for (Node n : expression.tree->within(expression)) {
    if (n.id > limit) return false;
    if (n.is("identifier") && tables.count(n.text())) return true;
  }
  return false;
}

// A list, tuple, dictionary or string of literals that torch.tensor or frombuffer turns into what is returned or copied.
void output_table_python(const Python& python, Findings& findings) {
  const Tree& tree = python.tree;
  std::unordered_set<std::string_view> tables, tensors;
  std::vector<uint32_t> literals_before = {0};
  for (Node n : tree.nodes()) literals_before.push_back(literals_before.back() + (n.is("integer") || n.is("float")));
  auto is_table = [&](Node n) {
    if (n.is("string")) return n.end() - n.start() >= 64;
    return is_one_of(n.kind(), {"list", "tuple", "dictionary"}) &&
           literals_before[n.last()] - literals_before[n.id] >= table_literals;
  };
  auto makes_tensor = [&](Node n) {
    for (int steps = 0; n && steps < 32; ++steps) {  // torch.tensor(…).reshape(…).to(…)
      if (n.is("attribute")) n = n.field("object");
      else if (!n.is("call")) return n.is("identifier") && tensors.count(n.text()) != 0;
      else {
        std::string_view callee = n.field("function").text();
        std::string_view last = callee.substr(callee.rfind('.') + 1);
        Node argument = n.field("arguments").first_named();
        if (is_one_of(last, {"tensor", "as_tensor", "from_numpy", "frombuffer", "array", "asarray", "Tensor", "FloatTensor"}) &&
            argument && (is_table(argument) || names_table(argument, tables)))
          return true;
        n = n.field("function");
      }
    }
    return false;
  };
  for (Node n : tree.nodes())
    if (n.is("assignment") && n.field("left").is("identifier") && is_table(n.field("right"))) tables.insert(n.field("left").text());
  for (Node n : tree.nodes())
    if (n.is("assignment") && n.field("left").is("identifier") && makes_tensor(n.field("right"))) tensors.insert(n.field("left").text());
  for (Node n : tree.nodes()) {
    if (n.is("return_statement") && makes_tensor(n.first_named())) {
      Node f = python.function_node(n);
      std::string_view name = f.field("name").text();
      bool entry = is_one_of(name, {"forward", "custom_kernel", "run", "kernel", "__call__", "main"});
      findings.add(entry ? Severity::error : Severity::warning, n, "a table of literals is returned");
    }
    if (n.is("call") && n.field("function").is("attribute") && n.field("function").field("attribute").text() == "copy_" &&
        makes_tensor(n.field("arguments").first_named()))
      findings.add(Severity::error, n, "a table of literals is copied into a tensor");
  }
}

}  // namespace

void output_table(const Unit& unit, Findings& findings) {
  if (unit.python) return output_table_python(*unit.python, findings);
  const Flow& flow = *unit.flow;
  constexpr Tags computed = tag::in_value | tag::in_pointer | tag::out_value;
  for (const Store& s : flow.stores)
    if ((s.target_tags & tag::out_pointer) && (s.value & tag::table) && !(s.value & computed))
      findings.add(Severity::error, s.node, "values from a table of literals are stored in an output");
  for (const Call& call : flow.calls) {
    if (call.callees.empty()) continue;
    bool output = false, table = false, input = false;
    for (Node a : call.arguments) {
      Tags t = flow.tags(a);
      output = output || (t & tag::out_pointer);
      table = table || ((t & tag::table) && !(t & computed));
      input = input || (t & (computed | tag::in_tensor));
    }
    if (output && table && !input)
      findings.add(Severity::error, call.node, "a table of literals and an output go to a function, and no input does");
  }
}

}  // namespace assay
