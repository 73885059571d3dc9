// What a branch's arms make of the work.
#pragma once

#include "lint/flow.h"

namespace assay {

enum class Arm { then, otherwise };

// Whether taking this arm avoids work that the function does otherwise: it leaves or stores something without computing
// an output from the inputs, or all the work stands in the other arm.
bool skips_work(const Flow& flow, const Branch& branch, Arm arm);

// Where `a == b` (or the negation of a != b, and so on) leads. Conditions that we can't read count as "==".
Arm equal_arm(const Branch& branch);

inline Node arm_node(const Branch& b, Arm arm) { return arm == Arm::then ? b.then : b.otherwise; }
inline Arm other(Arm arm) { return arm == Arm::then ? Arm::otherwise : Arm::then; }

}  // namespace assay
