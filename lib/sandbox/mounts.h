// The root that the command sees: a read-only tmpfs with what the plan names and nothing else.
#pragma once

#include "sandbox/plan.h"

namespace assay {

// In init, alone in its mount namespace, before it gives up its privileges. On failure tells the channel and exits.
void build_root(Plan& plan, int channel);

}  // namespace assay
