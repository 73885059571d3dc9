// A rule is a value: an id, what it is about, and a function over one parsed file.
//
//   void writes_input(const Unit& unit, Findings& findings) {
//     if (!unit.flow) return;
//     for (const Store& s : unit.flow->stores)
//       if (s.target_tags & tag::in_pointer) findings.add(Severity::warning, s.node, "stores into an input");
//   }
//
// The table of all rules is in rules.cc; each rule has a file in rules/ and a folder of fixtures in tests/lint/.
#pragma once

#include <string>
#include <vector>

#include "lint/flow.h"
#include "lint/python.h"
#include "lint/uses.h"
#include "record/lint.h"
#include "syntax/preprocess.h"
#include "syntax/tree.h"

namespace assay {

struct Unit {
  const std::string& source;         // as the candidate wrote it; places are told in it
  const Expanded* expanded = nullptr;  // C++: what the tree was made of
  uint32_t trusted = 0;              // bytes of the tree's text before macros were expanded that are not the candidate's
  bool macros_grow = false;          // without end: the tree is the source as written
  const Tree& tree;
  const Flow* flow = nullptr;        // C++
  const Uses* uses = nullptr;        // C++
  const Python* python = nullptr;    // Python
};

class Findings {
 public:
  explicit Findings(const Unit& unit) : unit_(unit) {}
  void open_rule(const char* id) { rule_ = id; }
  void add(Severity severity, Node at, const std::string& message);
  void add(Severity severity, uint32_t start, uint32_t end, Node within, const std::string& message);
  void add_written(Severity severity, uint32_t source_start, uint32_t bytes, const std::string& message);  // by place in the source
  LintReport report();  // sorted; one finding a rule and line

 private:
  struct Raw {
    const char* rule;
    Severity severity;
    uint32_t start, end, node;
    std::string message;
    bool written = false;
  };
  const Unit& unit_;
  const char* rule_ = "";
  std::vector<Raw> raw_;
};

struct Rule {
  const char* id;
  Severity worst;
  bool cpp, python;
  const char* summary;
  void (*run)(const Unit&, Findings&);
};

const std::vector<Rule>& all_rules();

// The whole room in one call. Any bytes are accepted; time is linear in them. `trusted` is C++ text that stands before it (the
// task's header): it is understood and not judged.
LintReport lint(const std::string& text, Language language, const std::string& trusted = "");

}  // namespace assay
