#include "task/task.h"

#include <algorithm>
#include <cmath>

#include "task/data.h"

namespace assay {
namespace {

// The first constraint that does not hold. One that mentions a name without a value yet is passed over.
const Expr* broken_constraint(const TaskData& task, const Names& names) {
  for (const Expr& constraint : task.constraints) {
    std::vector<std::string> used = constraint.names();
    bool known = std::all_of(used.begin(), used.end(), [&](const std::string& name) { return names.count(name) > 0; });
    if (known && constraint.evaluate(names) == 0) return &constraint;
  }
  return nullptr;
}

Names all_names(const TaskData& task, const Workload& workload) {
  const auto refuse = [&](const std::string& why) { return Error("use", "workload " + workload.name, why); };
  Names names;
  for (const auto& [name, axis] : task.axes) {
    if (axis.kind == Axis::variable) {
      auto it = workload.axes.find(name);
      if (it == workload.axes.end()) throw refuse("axis " + name + " has no value");
      names[name] = static_cast<double>(it->second);
    } else if (axis.kind == Axis::constant) {
      names[name] = axis.value->evaluate({});
    }
  }
  Names expressions;
  for (const auto& [name, axis] : task.axes)
    if (axis.kind == Axis::expression) expressions[name] = static_cast<double>(axis.value->integer(names));
  names.merge(expressions);
  for (const auto& [name, value] : names)
    if (value < 0) throw refuse("axis " + name + " is negative");
  for (const auto& [name, allowed] : task.dtypes) {
    auto it = workload.dtypes.find(name);
    if (it == workload.dtypes.end()) throw refuse("dtype variable " + name + " has no value");
    if (std::find(allowed.begin(), allowed.end(), it->second) == allowed.end())
      throw refuse("dtype variable " + name + " can't be " + dtype_name(it->second));
    names["sizeof(" + name + ")"] = static_cast<double>(dtype_bytes(it->second));
  }
  return names;
}

int64_t draw_axis(const AxisRange& range, const std::string& region, const Names& names, Random& random) {
  if (!range.choices.empty()) return range.choices[random.below(range.choices.size())].integer(names);
  int64_t step = range.multiple_of->integer(names);
  int64_t low = static_cast<int64_t>(std::ceil(range.least->evaluate(names) / static_cast<double>(step)));
  int64_t high = static_cast<int64_t>(std::floor(range.greatest->evaluate(names) / static_cast<double>(step)));
  if (step < 1 || low > high)
    throw Error("draw", "axis " + range.axis + " of region " + region, "no number is in its range");
  return step * (low + static_cast<int64_t>(random.below(high - low + 1)));
}

template <typename K, typename V>
const V* lookup(const std::map<K, V>& map, const K& key) {
  auto it = map.find(key);
  return it == map.end() ? nullptr : &it->second;
}

}  // namespace

Names workload_names(const TaskData& task, const Workload& workload) {
  Names names = all_names(task, workload);
  if (const Expr* constraint = broken_constraint(task, names))
    throw Error("use", "workload " + workload.name, "it breaks the constraint \"" + constraint->text() + "\"");
  return names;
}

TensorSpec tensor_spec(const TaskData& task, const TensorDef& def, const Workload& workload, const Names& names) {
  TensorSpec spec{.name = def.name, .dtype = Dtype::float64, .shape = {}};
  spec.dtype = task.dtypes.count(def.dtype) ? workload.dtypes.at(def.dtype) : parse_dtype(def.dtype);
  for (const std::string& axis : def.axes) spec.shape.push_back(static_cast<int64_t>(names.at(axis)));
  return spec;
}

void add_input_names(const TaskData& task, const std::vector<Tensor>& inputs, Names& names) {
  for (const Tensor& input : inputs)
    if (input.spec.shape.empty()) names[input.spec.name] = load(input.spec.dtype, input.data, 0);
  for (const Expr& constraint : task.constraints)
    for (const std::string& name : constraint.names()) {
      size_t bracket = name.find('[');
      if (bracket == std::string::npos) continue;
      const Tensor& input = inputs.at(task.find_tensor(name.substr(0, bracket)));
      int64_t i = std::atoll(name.c_str() + bracket + 1);
      if (i < 0) i += input.spec.elements();
      if (i < 0 || i >= input.spec.elements()) throw Error("evaluate", name, "there is no such element");
      names[name] = load(input.spec.dtype, input.data, i);
    }
}

Task::Task(std::unique_ptr<TaskData> data) : data_(std::move(data)) {}
Task::Task(Task&&) noexcept = default;
Task& Task::operator=(Task&&) noexcept = default;
Task::~Task() = default;

Task Task::load(const std::string& folder) { return Task(read_task(folder)); }

const std::string& Task::name() const { return data_->name; }
const std::string& Task::folder() const { return data_->folder; }
const std::string& Task::description() const { return data_->description; }
const std::string& Task::entry() const { return data_->entry; }
const std::vector<std::string>& Task::languages() const { return data_->languages; }
const std::vector<std::string>& Task::libraries() const { return data_->libraries; }
std::string Task::reference() const { return data_->reference; }
std::string Task::baseline() const { return data_->baseline; }
std::vector<std::string> Task::compile_flags() const { return data_->compile_flags; }
double Task::call_timeout_s() const { return data_->call_timeout_s; }
const std::vector<Workload>& Task::workloads() const { return data_->workloads; }
int Task::perturb_kinds() const { return static_cast<int>(data_->regions.size()); }
bool Task::needles() const { return !data_->needles.empty(); }
const std::vector<std::string>& Task::relations() const { return data_->relation_names; }

Workload Task::draw(int kind, Random& random) const {
  const Region& region = data_->regions[static_cast<size_t>(kind) % data_->regions.size()];
  for (int attempt = 0; attempt < 1000; ++attempt) {
    Workload workload{.name = region.name, .axes = {}, .dtypes = {}, .generate = region.generate};
    Names names;
    for (const auto& [name, axis] : data_->axes)
      if (axis.kind == Axis::constant) names[name] = axis.value->evaluate({});
    for (const AxisRange& range : region.axes) {
      int64_t value = draw_axis(range, region.name, names, random);
      workload.axes[range.axis] = value;
      names[range.axis] = static_cast<double>(value);
    }
    for (const auto& [variable, choices] : region.dtypes)
      workload.dtypes[variable] = choices[random.below(choices.size())];
    if (!broken_constraint(*data_, all_names(*data_, workload))) return workload;
  }
  throw Error("draw", "region " + region.name, "the constraints refuse 1000 draws in a row; narrow its ranges");
}

Case Task::make_case(const Workload& workload, Random& random, bool needle) const {
  Names names = workload_names(*data_, workload);
  Case result{.workload = workload, .inputs = {}, .outputs = {}};
  for (const TensorDef& def : data_->inputs) {
    const std::shared_ptr<const Generator>* other = lookup(workload.generate, def.name);
    result.inputs.emplace_back(tensor_spec(*data_, def, workload, names));
    fill_input(def, other ? **other : *def.generate, names, random, result.inputs.back());
  }
  add_input_names(*data_, result.inputs, names);
  if (const Expr* constraint = broken_constraint(*data_, names))
    throw Error("fill", "inputs of " + workload.name, "they break the constraint \"" + constraint->text() + "\"");
  if (needle)
    for (const Needle& plan : data_->needles) plant(plan, names, random, result.inputs);
  for (const TensorDef& def : data_->outputs)
    result.outputs.push_back(tensor_spec(*data_, def, workload, names));
  return result;
}

Tolerance Task::tolerance(const std::string& output, Dtype dtype) const {
  const std::map<Dtype, Tolerance>* types = lookup(data_->tolerance, output);
  const Tolerance* tolerance = types ? lookup(*types, dtype) : nullptr;
  if (!tolerance) throw Error("find", "tolerance of " + output, std::string("there is none for ") + dtype_name(dtype));
  return *tolerance;
}

Cost Task::cost(const Workload& workload) const {
  Names names = workload_names(*data_, workload);
  return {data_->flops->evaluate(names), data_->bytes->evaluate(names)};
}

}  // namespace assay
