// Literals from a table reach an output: the answers were written down. Tables that tune (block sizes) or decode (indexed
// by input values) do not: what is stored then derives from an input.
#include "lint/rules.h"

namespace assay {

void output_table(const Unit& unit, Findings& findings) {
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
