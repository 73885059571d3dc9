// Replacing an attribute of an imported module changes the verifier's world, not the kernel's speed. Clocks and
// comparisons have rules of their own.
#include "lint/rules.h"

namespace assay {

void monkeypatch(const Unit& unit, Findings& findings) {
  for (const PythonWrite& w : unit.python->writes) {
    bool flag = w.target.find(".backends.") != std::string::npos;
    findings.add(Severity::error, w.node,
                 flag ? "sets " + w.target + " for the whole process" : "replaces " + w.target);
  }
}

}  // namespace assay
