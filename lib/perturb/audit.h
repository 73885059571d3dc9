// Is a task's check worth anything? Wrong results that a lazy kernel would give must be told from right ones.
#pragma once

#include <functional>

#include "record/audit.h"
#include "task/task.h"

namespace assay {

// Tries all mutants on the task's public workloads and on a draw of each hidden region. Throws Error if the reference
// fails.
void audit(const Task& task, uint64_t seed, const std::function<void(const Mutant&)>& report);

}  // namespace assay
