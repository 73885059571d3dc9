// task.json, parsed and checked: what the rest of this room works on. Private to lib/task.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "record/fields.h"
#include "task/expr.h"
#include "task/task.h"

namespace assay {

struct Axis {
  enum Kind { constant, variable, expression } kind;
  std::optional<Expr> value;  // absent: variable
};

// How one input is filled (generate.cc).
struct Generator {
  enum Kind { normal, uniform, value, indptr, distinct } kind = normal;
  std::optional<Expr> mean, std;     // normal
  std::optional<Expr> low, high;     // uniform, in [low, high); integers where the tensor is of integers
  std::optional<Expr> constant;      // value: every element
  std::optional<Expr> total, least;  // indptr: ends at total, every segment at least that long
  bool even = false;                 // indptr: equal segments instead of random ones
  std::optional<Expr> below;         // distinct: random, no two equal, in [0, below)
};

struct TensorDef {
  std::string name;
  std::vector<std::string> axes;  // names; empty: a scalar
  std::string dtype;              // a type's name or a dtype variable
  std::shared_ptr<const Generator> generate;  // inputs only
  std::shared_ptr<const Json> generate_json;  // as written: a workload or a region may change some of its keys
};

// One region of the ranges that hidden draws come from, or one public workload.
struct AxisRange {
  std::string axis;
  std::vector<Expr> choices;                        // one of these, or
  std::optional<Expr> least, greatest, multiple_of;  // a multiple in [least, greatest]
};
struct Region {
  std::string name;
  std::vector<AxisRange> axes;  // in order: a range may mention axes before it
  std::map<std::string, std::vector<Dtype>> dtypes;
  std::map<std::string, std::shared_ptr<const Generator>> generate;
};

// What a needle case plants into ordinary inputs (needle.cc).
struct Needle {
  enum Kind { align, spike } kind;
  int target;                    // input
  Expr count;                    // how many
  Expr least, greatest;          // align: of row . row; spike: of the element. Uniform between
  int source = -1;               // align: the input whose row is copied, scaled
  int source_segments = -1, target_segments = -1;  // indptr inputs: both rows come from the same segment
  int through = -1;              // input of indices: the target's row is the one named there
};

// A transformation of inputs whose effect on outputs is known (relation.cc). Tensors count inputs, then outputs.
struct Relation {
  enum Kind { permute, scale, permute_segments } kind;
  std::string name;
  std::vector<std::string> axes;                 // permute: one; scale: one or more
  std::map<std::string, std::string> grouped;    // an axis that is so many equal blocks of one of `axes`
  std::vector<std::pair<int, int>> tensors;      // {tensor, sign of the exponent}
  std::vector<int> relabel;                      // permute: inputs whose values are positions on the axis
  int segments = -1;                             // permute: only within the segments of this indptr
  std::vector<std::pair<int, std::vector<int>>> segmented;  // permute_segments: {indptr, tensors along it}
  int64_t least_exponent = 0, greatest_exponent = 0;        // scale: by +-2^k
};

struct TaskData {
  std::string folder, name, description, entry, reference, baseline;
  std::vector<std::string> languages, libraries, compile_flags;
  double call_timeout_s = 10;
  std::map<std::string, Axis> axes;
  std::map<std::string, std::vector<Dtype>> dtypes;
  std::vector<TensorDef> inputs, outputs;
  std::vector<Expr> constraints;
  std::vector<Workload> workloads;
  std::vector<Region> regions;
  std::vector<Needle> needles;
  std::vector<Relation> relations;
  std::vector<std::string> relation_names;
  std::map<std::string, std::map<Dtype, Tolerance>> tolerance;
  std::optional<Expr> flops, bytes;

  const TensorDef& tensor(int i) const;             // inputs, then outputs
  int find_tensor(const std::string& name) const;   // -1 if there is none
};

std::unique_ptr<TaskData> read_task(const std::string& folder);  // parse.cc; throws Error

// Every axis of a workload by name, constants and expressions included, and sizeof(...) of every dtype variable.
// Throws Error if an axis or a dtype variable has no value or a value that task.json does not allow.
Names workload_names(const TaskData& task, const Workload& workload);
TensorSpec tensor_spec(const TaskData& task, const TensorDef& def, const Workload& workload, const Names& names);
// Adds scalar inputs, and the elements of index tensors that constraints mention.
void add_input_names(const TaskData& task, const std::vector<Tensor>& inputs, Names& names);

void fill_input(const TensorDef& def, const Generator& generator, const Names& names, Random& random, Tensor& tensor);
void plant(const Needle& needle, const Names& names, Random& random, std::vector<Tensor>& inputs);

}  // namespace assay
