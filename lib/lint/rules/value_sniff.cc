// A look at some values of an input (or at a statistic of them) decides whether to do the work at all.
#include "lint/arms.h"
#include "lint/rules.h"

namespace assay {

void value_sniff(const Unit& unit, Findings& findings) {
  const Flow& flow = *unit.flow;
  for (const Branch& b : flow.branches) {
    Tags t = flow.tags(b.condition);
    if (!(t & (tag::in_value | tag::out_value)) || b.is_case || flow.in_loop(b.node)) continue;
    if (t & tag::kept_key) continue;  // carries_results says more
    for (Arm arm : {Arm::then, Arm::otherwise}) {
      if (!skips_work(flow, b, arm)) continue;
      bool main = flow.is_main(b.function);
      if (!main && flow.first_work(b.function) < b.node.id) continue;  // a later pass that some rows need not
      const char* message = t & tag::in_value
                                ? "values of an input decide whether the work is done: the outputs must be computed for any values"
                                : "what an output's memory holds before the call decides whether the work is done";
      findings.add(main ? Severity::error : Severity::warning, b.condition, message);
      break;
    }
  }
}

}  // namespace assay
