// Every word of a C++ file that may name something from outside it: calls, types and other identifiers that no variable
// of the file explains, words in macro bodies, in assembly, and in text that the parser could not read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lint/symbols.h"

namespace assay {

struct Use {
  enum class In { code, macro, assembly, broken };
  std::string_view word;
  Node node;             // the identifier, or the node whose text holds the word
  uint32_t offset;       // of the word in the text
  In in;
  bool called = false;   // "(" follows
  bool member = false;   // x.word
  bool defines = false;  // a function of this file that the linker sees
  bool ours = false;     // a function of this file has the name
};

struct Text {            // a string literal's content, joined with its neighbours
  Node node;
  std::string value;
};

struct Uses {
  std::vector<Use> words;
  std::vector<Text> texts;
};

Uses collect_uses(const Tree& tree, const Symbols& symbols);

// A name that has no business in a kernel.
struct Word {
  std::string_view word;
  bool when_called = false;  // common enough in honest code as a name of its own: only a call of a function not ours counts
  bool after_std = false;    // only as std::word or as a type that the file does not define
};

// Those of `words` that the file uses.
std::vector<const Use*> find_words(const Uses& uses, const std::vector<Word>& words);

}  // namespace assay
