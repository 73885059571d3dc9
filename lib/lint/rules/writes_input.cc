// Stores into an input: the reference would then agree with what it finds there.
#include "lint/rules.h"

namespace assay {

void writes_input(const Unit& unit, Findings& findings) {
  const Flow& flow = *unit.flow;
  for (const Store& s : flow.stores) {
    if (!(s.target_tags & tag::in_pointer) || (s.target_tags & tag::out_pointer)) continue;
    uint32_t v = root_variable(flow.symbols, s.target);
    if (v != none && !flow.symbols.variables[v].is_pointer) continue;  // a copy: std::vector<float> t(in, in + n)
    findings.add(Severity::warning, s.node, "stores into an input");
  }
}

}  // namespace assay
