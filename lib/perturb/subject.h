// The candidate under test: its sandboxed process, its buffers, and one call with everything looked at afterwards.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/worker.h"
#include "record/check.h"
#include "task/compare.h"
#include "task/task.h"

namespace assay {

using Failure = std::optional<CheckFailure>;  // nothing: all is well

class Subject {
 public:
  // `random` makes the poison; borrowed, like the task.
  Subject(const Task& task, std::string object, Random& random);

  Failure restart();            // a fresh process, nothing mapped
  void place(const Case& c);    // fresh buffers, at addresses the process has not seen
  // Runs the case in the buffers placed for it and judges: answer, freeze, guards, poison, every output against
  // `expected`. A wrong output is reported as `wrong_reason`.
  Failure run(const Case& c, const std::vector<Tensor>& expected, const std::string& wrong_reason);
  // The same, in fresh buffers.
  Failure run_anew(const Case& c, const std::vector<Tensor>& expected, const std::string& wrong_reason);

  const std::vector<std::vector<std::byte>>& outputs() const { return outputs_; }  // of the last run
  int64_t calls() const { return calls_; }
  double max_absolute_error() const { return max_absolute_error_; }
  double max_relative_l2() const { return max_relative_l2_; }

  // Compares outputs that both ought to be right, at a share of the tolerance.
  Comparison difference(const Case& c, size_t output, const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                        double share) const;

 private:
  const Task& task_;
  std::string object_;
  Random& random_;
  std::unique_ptr<Worker> worker_;
  std::optional<Arena> arena_;
  std::vector<std::vector<std::byte>> outputs_;
  int64_t calls_ = 0;
  double max_absolute_error_ = 0;
  double max_relative_l2_ = 0;
};

CheckFailure failure(const Case& c, const std::string& reason, const std::string& message);

}  // namespace assay
