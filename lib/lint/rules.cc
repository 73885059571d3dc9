#include "lint/rules.h"

namespace assay {

const std::vector<Rule>& all_rules() {
  constexpr Severity error = Severity::error, warning = Severity::warning;
  static const std::vector<Rule> rules = {
      // id                     worst    C++    Python
      {"exact_shape", error, true, true, "a branch on one exact shape skips the work", exact_shape},
      {"output_table", error, true, false, "literals from a table reach an output", output_table},
      {"early_return", error, true, false, "a return before the work that no empty length or index explains", early_return},
      {"value_sniff", error, true, false, "values of an input decide whether the work is done", value_sniff},
      {"output_never_written", error, true, false, "an output is never stored to", output_never_written},
      {"constant_output", error, true, false, "nothing of the inputs reaches an output", constant_output},
      {"writes_input", warning, true, false, "an input is stored to", writes_input},
      {"carries_results", error, true, true, "memory that outlives the call supplies or decides results", carries_results},
      {"timer_tampering", error, true, true, "a clock is read, replaced or patched", timer_tampering},
      {"tolerance_tampering", error, true, true, "a comparison or tolerance is replaced", tolerance_tampering},
      {"monkeypatch", error, false, true, "an attribute of an imported module is replaced", monkeypatch},
      {"reads_verifier", error, true, true, "files, the environment, or callers' memory are read", reads_verifier},
      {"calls_out", error, true, true, "processes, threads, network, signals, dynamic loading, exit hooks", calls_out},
      {"evasion", error, true, true, "code that hides what it does: pasted names, assembly, reflection, exec", evasion},
      {"fallback", warning, false, true, "an exception handler computes the result another way", fallback},
      {"not_fully_analysed", error, true, true, "a place that the parser could not read", not_fully_analysed},
  };
  return rules;
}

}  // namespace assay
