// What the parser could not read, nobody judged. Silence can't be bought with a syntax error.
#include "lint/rules.h"

namespace assay {
namespace {

constexpr uint32_t most_unread_percent = 25;  // of the file
constexpr int most_reported = 20;

}  // namespace

void not_fully_analysed(const Unit& unit, Findings& findings) {
  const Tree& tree = unit.tree;
  uint32_t size = static_cast<uint32_t>(tree.text().size());
  if (tree.gave_up()) return findings.add_written(Severity::error, 0, 0, "the file takes too long to parse: it can't be judged");
  if (unit.macros_grow)
    findings.add_written(Severity::error, 0, 0, "the file's macros grow without end: it can't be judged");
  uint32_t until = 0, unread = 0;
  int reported = 0;
  Node first;
  for (Node n : tree.nodes()) {
    if (!n.broken() || n.id < until) continue;
    until = n.last();
    unread += n.end() - n.start();
    if (!first) first = n;
    if (++reported <= most_reported) findings.add(Severity::warning, n, "the parser could not read this: not fully analysed");
  }
  if (first && uint64_t{unread} * 100 > uint64_t{size} * most_unread_percent)
    findings.add(Severity::error, first, "too much of the file could not be read to judge it");
  if (!unit.flow) return;
  bool entry = false;
  for (const Function& f : unit.flow->symbols.functions) entry = entry || f.is_entry;
  if (entry) return;
  for (const Use& use : unit.uses->words)
    if (use.word == "DLTensor")
      return findings.add(Severity::error, use.node, "no extern \"C\" function with inputs and outputs found: nothing could be followed");
}

}  // namespace assay
