// Inputs for timed calls that no one has seen before, with what must come out.
//
// A double-precision reference for each would cost more than the calls. So a few base sets have one, and each sample is
// a base set under all of the task's relations, drawn anew: every value is new, the expected output follows exactly.
// One sample in three is a set of its own, so that a kernel that recognises what relations leave alone, and replays what it
// kept, shows by being slower there (replay_gain in statistics.h). A task without relations gets a set of its own, and a
// reference, for every sample.
#pragma once

#include <vector>

#include "backend/arena.h"
#include "backend/worker.h"
#include "base/random.h"
#include "task/task.h"

namespace assay {

class Inputs {
 public:
  // Borrows everything. Runs the reference, in its own process; throws Error if that fails.
  Inputs(const Task& task, const Workload& workload, Worker& reference, Random& random);

  void next();  // draws the next sample
  bool is_new() const { return new_; }  // the sample is related to no earlier one
  const std::vector<Tensor>& inputs() const { return inputs_; }
  const std::vector<Tensor>& expected() const { return expected_; }     // float64
  const std::vector<TensorSpec>& outputs() const { return base_.front().made.outputs; }

 private:
  struct Base {
    Case made;
    std::vector<Tensor> expected;
  };
  Base make_base(bool needle);
  std::vector<Tensor> run_reference(const Case& made);
  bool next_is_new();

  const Task& task_;
  const Workload& workload_;
  Worker& reference_;
  Random& random_;
  std::vector<Base> base_;
  std::vector<Tensor> inputs_;
  std::vector<Tensor> expected_;
  int64_t drawn_ = 0;
  int64_t new_at_ = 0;  // of this group
  bool new_ = false;
};

}  // namespace assay
