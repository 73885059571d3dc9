// Replacing what decides whether an output is right.
#include "lint/rules.h"
#include "lint/words.h"

namespace assay {

void tolerance_tampering(const Unit& unit, Findings& findings) {
  if (unit.python) {
    for (const PythonWrite& w : unit.python->writes)
      for (const char* part : {"allclose", "isclose", "assert_close", "assert_allclose", "assert_equal", "array_equal",
                               "torch.equal", ".testing.", "rtol", "atol", "tolerance"})
        if (w.target.find(part) != std::string::npos) {
          findings.add(Severity::error, w.node, "replaces " + w.target);
          break;
        }
    return;
  }
  static const std::vector<Word> comparisons = {{"allclose"}, {"isclose"}, {"is_close"}, {"all_close"}, {"assert_close"},
                                                {"assert_allclose"}, {"check_output"}, {"compare_outputs"}};
  for (const Use* use : find_words(*unit.uses, comparisons)) {
    if (!use->defines && use->in != Use::In::macro && use->ours) continue;
    findings.add(Severity::error, use->offset, use->offset + static_cast<uint32_t>(use->word.size()), use->node,
                 "a kernel does not compare outputs: " + std::string(use->word));
  }
  for (const Variable& v : unit.flow->symbols.variables)
    if (v.function == none && !v.is_field && v.is_static && !v.is_constant &&
        is_one_of(v.name, {"rtol", "atol", "tolerance", "max_error", "g_tolerance"}))
      findings.add(Severity::error, v.declarator, "defines a tolerance that others may link to: " + std::string(v.name));
}

}  // namespace assay
