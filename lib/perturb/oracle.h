// What the outputs ought to be: the task's double-precision reference, run in a sandboxed process of its own.
#pragma once

#include <memory>
#include <vector>

#include "backend/worker.h"
#include "base/error.h"
#include "task/task.h"

namespace assay {

class Oracle {
 public:
  explicit Oracle(const Task& task);  // builds the reference (kept); throws Error if that can't be done

  // float64 tensors of the outputs' shapes. Throws Error if the reference fails: that is no verdict on any candidate.
  std::vector<Tensor> expect(const Case& c);

 private:
  Error error(const std::string& cause) const;
  const Task& task_;
  std::string object_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace assay
