// The second wall around files: Landlock, at the highest version that the kernel has.
//
// The mounts decide what the command sees; this decides again, on the same grants, what it may do with it, so that one
// mistake in either is not a way out. It also closes what mounts can't: a file that was inherited for reading and is
// opened anew for writing through /proc/self/fd, writing in /proc, requests to devices, TCP, signals and abstract sockets
// to whoever is outside.
#pragma once

#include "sandbox/plan.h"

namespace assay {

// Of the running kernel: 0 without Landlock, else 1 (Linux 5.13) or more.
int landlock_version();

// For this process and its children, in the new root; no_new_privs must be set. Async-signal-safe. False with errno.
bool confine_by_landlock(const Plan& plan);

}  // namespace assay
