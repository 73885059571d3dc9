// One candidate through all layers: build, run, judge.
#pragma once

#include <functional>
#include <string>

#include "record/check.h"
#include "task/task.h"

namespace assay {

struct CheckOptions {
  uint64_t seed;  // of inputs, shapes and poison
  std::function<void(const std::string& step)> progress = [](const std::string&) {};
};

// `text` is the source, `name` what diagnostics call it. `failed` in the result is the verdict; throws Error if there
// can be none (compiler, sandbox or reference unfit).
CheckResult check_candidate(const Task& task, const std::string& text, const std::string& name,
                            const CheckOptions& options);

}  // namespace assay
