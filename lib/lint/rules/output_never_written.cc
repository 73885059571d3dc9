// An entry that never stores through its outputs and never hands them to anyone who could.
#include "lint/rules.h"

namespace assay {

void output_never_written(const Unit& unit, Findings& findings) {
  const Flow& flow = *unit.flow;
  for (size_t i = 0; i < flow.symbols.functions.size(); ++i) {
    const Function& f = flow.symbols.functions[i];
    if (!f.is_entry) continue;
    Tags given = 0;
    for (uint32_t p : f.parameters) given |= flow.variable_tags(p);
    if (!(given & (tag::out_tensor | tag::out_pointer))) continue;
    if (flow.function_effects(static_cast<uint32_t>(i)) & (effect::stores | effect::escapes)) continue;
    findings.add(Severity::error, f.node.field("declarator"), "the outputs are never written");
  }
}

}  // namespace assay
