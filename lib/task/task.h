// A task is a folder: task.json (kernel-task(5)), a reference, a baseline. Nothing outside the folder knows what the
// task computes; everything here is generic over axes, tensors and relations.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "task/tensor.h"

namespace assay {

struct TaskData;   // the parsed task.json, private to this room
struct Generator;  // how an input is filled, likewise

struct Workload {
  std::string name;
  std::map<std::string, int64_t> axes;   // every var axis has a value
  std::map<std::string, Dtype> dtypes;   // every dtype variable has a value
  std::map<std::string, std::shared_ptr<const Generator>> generate;  // inputs filled otherwise than their own way
};

// One set of inputs and what the task's outputs look like for it.
struct Case {
  Workload workload;
  std::vector<Tensor> inputs;        // in task.json's order
  std::vector<TensorSpec> outputs;   // as the candidate writes them
};

struct Tolerance {
  double absolute;     // beyond half an ulp of the output's type
  double relative_l2;  // ||y - ref|| / ||ref|| over each row of the last dimension, beyond the type's rounding
};

struct Cost {
  double flops;
  double bytes;  // the least that must move: every input and output once
};

class Task {
 public:
  // `folder` as a record names it: a path, else a name under the installed kernels/. Throws Error naming the file,
  // the place and the remedy for anything missing, unknown or ill-typed, or if there is no check or no metric.
  static Task load(const std::string& folder);
  Task(Task&&) noexcept;
  Task& operator=(Task&&) noexcept;
  ~Task();

  const std::string& name() const;
  const std::string& folder() const;
  const std::string& description() const;
  const std::string& entry() const;                     // the symbol a candidate defines
  const std::vector<std::string>& languages() const;    // "cpp", …
  const std::vector<std::string>& libraries() const;    // allowed, "openmp" for example
  std::string reference() const;                        // path of the double-precision reference's source
  std::string baseline() const;                         // path of the baseline's source
  std::vector<std::string> compile_flags() const;
  double call_timeout_s() const;

  const std::vector<Workload>& workloads() const;       // public, timed
  // A hidden draw: axes, dtypes and layouts from task.json's `perturb` ranges. kind counts up over the regions of the
  // ranges (small, ragged, large, …), so that draws 0..perturb_kinds()-1 together touch every region.
  Workload draw(int kind, Random& random) const;
  int perturb_kinds() const;

  // Fills the inputs as task.json's generators say. `needle` plants what ordinary values hide (a few dominating
  // elements at random places), where the task has such a generator; needles() says whether it does.
  Case make_case(const Workload& workload, Random& random, bool needle = false) const;
  bool needles() const;

  // Relations: transformations of the inputs whose effect on the outputs is exactly known.
  const std::vector<std::string>& relations() const;    // names, may be empty
  // A relation drawn once (which permutation, which signs) for a case, then applied to that case's inputs and expected
  // outputs, in place, as often as wanted; or to others whose shapes and index tensors are the same. Powers of two add
  // up when transforms are chained: draw each one for the case that has the reference, not for the last result.
  class Transform {
   public:
    virtual ~Transform() = default;
    virtual void apply_inputs(std::vector<Tensor>& inputs) const = 0;
    virtual void apply_expected(std::vector<Tensor>& expected) const = 0;  // float64 outputs
  };
  std::unique_ptr<Transform> relation(const std::string& name, const Case& c, Random& random) const;
  // All of them composed, in random order, at the price of one copy: fresh inputs whose result is known.
  std::unique_ptr<Transform> all_relations(const Case& c, Random& random) const;

  Tolerance tolerance(const std::string& output, Dtype dtype) const;
  Cost cost(const Workload& workload) const;

 private:
  explicit Task(std::unique_ptr<TaskData> data);
  std::unique_ptr<TaskData> data_;
};

}  // namespace assay
