#include "lint/arms.h"

#include "lint/words.h"

namespace assay {
namespace {

// A case that runs into the next one does what that one does.
bool falls_through(const Branch& b) {
  Node last;
  for (Node c = b.then.first_named(); c; c = c.next_named()) last = c;
  return b.then.next_named() && !is_one_of(last.kind(), {"break_statement", "return_statement", "goto_statement",
                                                         "compound_statement", "continue_statement", "throw_statement"});
}

}  // namespace

bool skips_work(const Flow& flow, const Branch& branch, Arm arm) {
  if (branch.function == none || branch.is_loop) return false;
  Node body = flow.symbols.functions[branch.function].body;
  uint32_t all = flow.works(body);
  if (!all) return false;
  Node mine = arm_node(branch, arm);
  Effects e = flow.effects(mine);
  if (mine && effect::work(e)) return false;
  if (branch.is_case) {
    if (arm == Arm::otherwise || falls_through(branch)) return false;
    return (e & effect::leaves) || flow.works(branch.node.parent()) == all;
  }
  Node theirs = arm_node(branch, other(arm));
  uint32_t elsewhere = flow.works(theirs);
  if (mine && (e & effect::leaves)) return true;
  if (mine && (e & effect::stores) && elsewhere) return true;
  return elsewhere && elsewhere == all && effect::work(flow.effects(theirs));
}

Arm equal_arm(const Branch& branch) {
  if (branch.is_case) return Arm::then;
  Node c = branch.condition;
  bool equal = true;
  for (int steps = 0; c && steps < 64; ++steps) {
    if (c.is("parenthesized_expression") || c.is("condition_clause")) {
      c = c.first_named();
    } else if (c.is("unary_expression") && c.first().is("!")) {
      equal = !equal;
      c = c.field("argument");
    } else {
      if (c.is("binary_expression") && is_one_of(c.field("operator").text(), {"!=", "-", "^"})) equal = !equal;
      break;
    }
  }
  return equal ? Arm::then : Arm::otherwise;
}

}  // namespace assay
