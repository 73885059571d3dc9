// Draws relations. Each becomes one plan a tensor; several compose into one, so that all of them cost one pass. A
// relation drawn after another must see the index tensors as the other leaves them: those are small, and kept current
// while drawing.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "task/data.h"
#include "task/plan.h"

namespace assay {
namespace {

using Plans = std::map<int, TensorPlan>;  // by tensor: inputs, then outputs

template <typename I = int64_t>
std::vector<I> identity(int64_t n) {
  std::vector<I> result(n);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

template <typename I>
void shuffle(std::span<I> items, Random& random) {
  for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

std::vector<int64_t> integers(const Tensor& tensor) {
  std::vector<int64_t> result(tensor.spec.elements());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = load_integer(tensor.spec.dtype, tensor.data, static_cast<int64_t>(i));
  return result;
}

class Draw {
 public:
  Draw(const TaskData& task, const Case& c, Random& random) : task_(task), random_(random) {
    Names names = workload_names(task, c.workload);
    for (const auto& [name, axis] : task.axes) lengths_[name] = static_cast<int64_t>(names.at(name));
    for (size_t i = 0; i < c.inputs.size(); ++i)
      if (!is_floating(c.inputs[i].spec.dtype)) index_.emplace(static_cast<int>(i), c.inputs[i]);
  }

  void add(const Relation& relation) {
    Plans plans;
    if (relation.kind == Relation::permute) permute(relation, plans);
    else if (relation.kind == Relation::scale) scale(relation, plans);
    else permute_segments(relation, plans);
    std::vector<std::byte> scratch;
    for (const auto& [i, plan] : plans) {
      plans_[i].then(plan);
      auto index = index_.find(i);
      if (index != index_.end()) plan.apply(index->second, scratch);
    }
  }

  Plans take() { return std::move(plans_); }

 private:
  std::vector<int64_t> shape(int tensor) const {
    std::vector<int64_t> result;
    for (const std::string& axis : task_.tensor(tensor).axes) result.push_back(lengths_.at(axis));
    return result;
  }

  // Which axis of the relation dimension d of a tensor stands for, and in blocks of how many.
  struct Reach {
    int axis;  // -1: none
    int64_t block;
  };
  Reach reach(const Relation& relation, int tensor, size_t d) const {
    std::string axis = task_.tensor(tensor).axes[d];
    int64_t length = lengths_.at(axis);
    auto group = relation.grouped.find(axis);
    if (group != relation.grouped.end()) axis = group->second;
    auto it = std::find(relation.axes.begin(), relation.axes.end(), axis);
    if (it == relation.axes.end()) return {-1, 1};
    int64_t blocks = lengths_.at(axis);
    if (blocks == 0) return {static_cast<int>(it - relation.axes.begin()), 1};
    if (length % blocks)
      throw Error("draw", "relation " + relation.name,
                  "axis " + task_.tensor(tensor).axes[d] + " is no multiple of " + axis);
    return {static_cast<int>(it - relation.axes.begin()), length / blocks};
  }

  void permute(const Relation& relation, Plans& plans) {
    std::vector<int64_t> order = identity(lengths_.at(relation.axes[0]));
    if (relation.segments < 0) {
      shuffle(std::span<int64_t>(order), random_);
    } else {
      std::vector<int64_t> ends = integers(index_.at(relation.segments));
      for (size_t b = 0; b + 1 < ends.size(); ++b)
        shuffle(std::span<int64_t>(order).subspan(ends[b], ends[b + 1] - ends[b]), random_);
    }
    for (const auto& [tensor, sign] : relation.tensors)
      for (size_t d = 0; d < task_.tensor(tensor).axes.size(); ++d) {
        Reach where = reach(relation, tensor, d);
        if (where.axis >= 0) plans[tensor].then(move_dimension(shape(tensor), d, order, where.block));
      }
    if (relation.relabel.empty()) return;
    TensorPlan plan;  // position p of the result holds what order[p] held: a value order[p] becomes p
    plan.values.resize(order.size());
    for (size_t p = 0; p < order.size(); ++p) plan.values[order[p]] = static_cast<int64_t>(p);
    for (int tensor : relation.relabel) plans[tensor].then(plan);
  }

  static TensorPlan move_dimension(const std::vector<int64_t>& shape, size_t d, const std::vector<int64_t>& order,
                                   int64_t block) {
    const auto moved = [&](int64_t i) { return order[i / block] * block + i % block; };
    TensorPlan plan;
    if (d == 0) {
      plan.rows.resize(shape[0]);
      for (int64_t i = 0; i < shape[0]; ++i) plan.rows[i] = moved(i);
      return plan;
    }
    int64_t width = 1, stride = 1;
    for (size_t k = 1; k < shape.size(); ++k) width *= shape[k];
    for (size_t k = d + 1; k < shape.size(); ++k) stride *= shape[k];
    plan.columns.resize(width);
    for (int64_t c = 0; c < width; ++c) {
      int64_t i = c / stride % shape[d];
      plan.columns[c] = static_cast<int32_t>(c + (moved(i) - i) * stride);
    }
    return plan;
  }

  void scale(const Relation& relation, Plans& plans) {
    int64_t size = 1;
    for (const std::string& axis : relation.axes) size *= lengths_.at(axis);
    std::vector<double> factors(size);
    for (double& factor : factors) {
      int64_t range = relation.greatest_exponent - relation.least_exponent + 1;
      int64_t k = relation.least_exponent + static_cast<int64_t>(random_.below(range));
      factor = std::ldexp(random_.below(2) ? 1.0 : -1.0, static_cast<int>(k));
    }
    for (const auto& [tensor, sign] : relation.tensors) {
      TensorPlan plan;
      std::vector<int64_t> lengths = shape(tensor);
      bool along_rows = reach(relation, tensor, 0).axis >= 0;  // then it is the only axis (read_relations.cc)
      int64_t width = 1;
      for (size_t k = 1; k < lengths.size(); ++k) width *= lengths[k];
      std::vector<double>& target = along_rows ? plan.row_factors : plan.column_factors;
      target.resize(along_rows ? lengths[0] : width);
      for (int64_t c = 0; c < static_cast<int64_t>(target.size()); ++c) {
        double factor = factors[factor_index(relation, tensor, lengths, along_rows, c)];
        target[c] = sign > 0 ? factor : 1 / factor;
      }
      plans[tensor].then(plan);
    }
  }

  int64_t factor_index(const Relation& relation, int tensor, const std::vector<int64_t>& lengths, bool along_rows,
                       int64_t c) const {
    std::vector<int64_t> at(relation.axes.size(), 0);
    if (along_rows) {
      at[0] = c / reach(relation, tensor, 0).block;
    } else {
      for (size_t d = lengths.size() - 1; d >= 1; --d) {
        Reach where = reach(relation, tensor, d);
        if (where.axis >= 0) at[where.axis] = c % lengths[d] / where.block;
        c /= lengths[d];
      }
    }
    int64_t index = 0;
    for (size_t k = 0; k < at.size(); ++k) index = index * lengths_.at(relation.axes[k]) + at[k];
    return index;
  }

  void permute_segments(const Relation& relation, Plans& plans) {
    int64_t count = index_.at(relation.segmented[0].first).spec.elements() - 1;
    std::vector<int64_t> order = identity(std::max<int64_t>(count, 0));
    shuffle(std::span<int64_t>(order), random_);
    for (const auto& [indptr, tensors] : relation.segmented) {
      std::vector<int64_t> ends = integers(index_.at(indptr));
      if (static_cast<int64_t>(ends.size()) != count + 1)
        throw Error("draw", "relation " + relation.name, "its indptrs differ in length");
      TensorPlan moved_ends, moved_rows;
      moved_ends.content = {0};
      for (int64_t b : order) {
        for (int64_t i = ends[b]; i < ends[b + 1]; ++i) moved_rows.rows.push_back(i);
        moved_ends.content.push_back(moved_ends.content.back() + ends[b + 1] - ends[b]);
      }
      plans[indptr].then(moved_ends);
      for (int tensor : tensors) plans[tensor].then(moved_rows);
    }
  }

  const TaskData& task_;
  Random& random_;
  std::map<std::string, int64_t> lengths_;
  std::map<int, Tensor> index_;
  Plans plans_;
};

class PlannedTransform : public Task::Transform {
 public:
  PlannedTransform(Plans plans, int inputs) : plans_(std::move(plans)), inputs_(inputs) {}

  void apply_inputs(std::vector<Tensor>& inputs) const override {
    std::vector<std::byte> scratch;
    for (const auto& [i, plan] : plans_)
      if (i < inputs_) plan.apply(inputs.at(i), scratch);
  }
  void apply_expected(std::vector<Tensor>& expected) const override {
    std::vector<std::byte> scratch;
    for (const auto& [i, plan] : plans_)
      if (i >= inputs_) plan.apply(expected.at(i - inputs_), scratch);
  }

 private:
  Plans plans_;
  int inputs_;
};

}  // namespace

std::unique_ptr<Task::Transform> Task::relation(const std::string& name, const Case& c, Random& random) const {
  for (const Relation& relation : data_->relations) {
    if (relation.name != name) continue;
    Draw draw(*data_, c, random);
    draw.add(relation);
    return std::make_unique<PlannedTransform>(draw.take(), static_cast<int>(data_->inputs.size()));
  }
  throw Error("draw", "relation " + name, "the task has no such relation");
}

std::unique_ptr<Task::Transform> Task::all_relations(const Case& c, Random& random) const {
  std::vector<size_t> order = identity<size_t>(static_cast<int64_t>(data_->relations.size()));
  shuffle(std::span<size_t>(order), random);
  Draw draw(*data_, c, random);
  for (size_t i : order) draw.add(data_->relations[i]);
  return std::make_unique<PlannedTransform>(draw.take(), static_cast<int>(data_->inputs.size()));
}

}  // namespace assay
