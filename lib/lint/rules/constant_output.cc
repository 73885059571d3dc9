// Every store to an output is untouched by the inputs: whatever is computed beside it is for show.
#include "lint/rules.h"

namespace assay {

void constant_output(const Unit& unit, Findings& findings) {
  const Flow& flow = *unit.flow;
  Tags all = 0;
  Node first;
  for (const Store& s : flow.stores) {
    if (!(s.target_tags & tag::out_pointer)) continue;
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
