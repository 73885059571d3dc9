// Runs one command in a sandbox and says what became of it.
//
//   Request request{.argv = {"g++", "-shared", "-o", "k.so", "k.cc"}};
//   Run run = supervise(load_policy("compile"), request);
//   if (run.ended_by == EndedBy::exit) use(*run.exit_code);
//
// What the caller got wrong throws Error; a sandbox that could not do its job is a Run ended by EndedBy::sandbox. Only
// for single-threaded programs: it forks.
#pragma once

#include "record/run.h"
#include "sandbox/plan.h"

namespace assay {

// SIGTERM, SIGINT, SIGHUP and SIGQUIT to us end the tree, and the record is still made.
Run supervise(const Policy& policy, const Request& request);

}  // namespace assay
