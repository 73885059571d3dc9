// A C++ file's own macros, expanded, so that nothing hides behind a #define:
//
//   #define JOIN(a, b) a##b
//   JOIN(clock_, gettime)(0, &t);      becomes      clock_gettime(0, &t);
//
// No file is included and no condition evaluated: every branch of an #if is kept. Of several definitions of one name the
// longest counts, whatever the conditions around them. Directives stay where they are but for pragmas that only tune,
// which are blanked, for the parser's sake. Any bytes are accepted; output and time are linear in the input by a budget.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

struct Expanded {
  std::string text;
  bool gave_up = false;   // the budget ran out: the rest is as written

  // Where a byte of `text` stands in the source: itself, or the macro's use that brought it.
  uint32_t source_offset(uint32_t offset) const;

  struct Piece {
    uint32_t start;       // in text
    uint32_t source;
    bool verbatim;
  };
  std::vector<Piece> pieces;
};

Expanded expand_macros(const std::string& source);

}  // namespace assay
