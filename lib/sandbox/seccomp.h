// The system-call filter: an allow-list.
//
// What the policy does not name answers ENOSYS, as on an older kernel, which C libraries know how to live with; the
// calls of the closed table, which only an attack or a misplaced program makes, answer EPERM, so that the message
// says why. A call through another architecture's table (i386, x32) kills the process.
#pragma once

#include <linux/filter.h>

#include <string>
#include <vector>

namespace assay {

// `allowed`: names of system calls, or NAME:VARIANT of the variants table. Throws Error for a name that is unknown.
std::vector<sock_filter> make_filter(const std::vector<std::string>& allowed);

// From now on, for this process and its children. Async-signal-safe; no_new_privs must be set. False with errno.
bool load_filter(const sock_filter* instructions, unsigned short count);

}  // namespace assay
