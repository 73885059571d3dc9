// try: the kernel; except: something else. When the kernel fails, the something else is what is measured.
#include "lint/rules.h"

namespace assay {

void fallback(const Unit& unit, Findings& findings) {
  const Tree& tree = unit.tree;
  uint32_t done = 0;
  for (Node n : tree.nodes()) {
    if (!n.is("except_clause") || n.id < done || unit.python->function(n).empty()) continue;
    Node caught = n.first_named();
    if (!caught.is("block") && caught.text().find("ImportError") != std::string_view::npos) continue;
    bool computes = false, raises = false;
    for (Node c : tree.within(n)) {
      computes = computes || c.is("call") || c.is("return_statement");
      raises = raises || c.is("raise_statement");
    }
    done = n.last();
    if (computes && !raises) findings.add(Severity::warning, n, "when the kernel fails, something else answers");
  }
  for (const PythonUse& u : unit.python->uses)
    if (u.name == "contextlib.suppress") findings.add(Severity::warning, u.node, "failures are swallowed");
}

}  // namespace assay
