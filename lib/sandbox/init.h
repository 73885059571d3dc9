// Process 1 of the sandbox.
#pragma once

#include "sandbox/plan.h"

namespace assay {

// Sets up the sandbox, starts the command, reaps, enforces the limits on CPU and memory, tells the supervisor how it
// ended and exits, upon which the kernel kills whatever is left. Runs after a fork: async-signal-safe throughout.
[[noreturn]] void run_init(Plan& plan, int channel);

}  // namespace assay
