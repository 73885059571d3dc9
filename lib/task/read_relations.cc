// Needles and relations of task.json.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "task/read.h"

namespace assay {
namespace {

int input_count(const TaskReader& r) { return static_cast<int>(r.task.inputs.size()); }

// A 1-D input of integers.
int read_index_input(const TaskReader& r, Fields& fields, const std::string& key) {
  int i = read_tensor(r, fields, key, true);
  const TensorDef& def = r.task.inputs[i];
  if (def.axes.size() != 1 || r.task.dtypes.count(def.dtype) || is_floating(parse_dtype(def.dtype)))
    throw fields.error(key, "is \"" + def.name + "\", which is no 1-D tensor of integers");
  return i;
}

int tensor_named(const TaskReader& r, const Fields& fields, const std::string& key, const std::string& name) {
  int i = r.task.find_tensor(name);
  if (i < 0) throw fields.error(key, "mentions \"" + name + "\", which is no input or output");
  return i;
}

// The dimensions of a tensor that an axis of the relation reaches: by name, or as equal blocks.
std::vector<int> dimensions(const TensorDef& def, const Relation& relation, const std::string& axis) {
  std::vector<int> result;
  for (size_t d = 0; d < def.axes.size(); ++d) {
    auto group = relation.grouped.find(def.axes[d]);
    if (def.axes[d] == axis || (group != relation.grouped.end() && group->second == axis))
      result.push_back(static_cast<int>(d));
  }
  return result;
}

bool is_floating_def(const TaskReader& r, const TensorDef& def) {
  return r.task.dtypes.count(def.dtype) ? is_floating(r.task.dtypes.at(def.dtype)[0])
                                        : is_floating(parse_dtype(def.dtype));
}

void read_grouped(const TaskReader& r, Fields& fields, Relation& relation) {
  if (!fields.find("grouped")) return;
  Fields grouped = fields.object("grouped");
  for (const std::string& axis : keys(fields, "grouped")) {
    std::string base = grouped.text(axis);
    if (!r.task.axes.count(axis)) throw grouped.error(axis, "is no axis");
    if (std::find(relation.axes.begin(), relation.axes.end(), base) == relation.axes.end())
      throw grouped.error(axis, "is grouped by \"" + base + "\", which is no axis of this relation");
    relation.grouped[axis] = base;
  }
}

void read_permute(const TaskReader& r, Fields& fields, Relation& relation) {
  relation.kind = Relation::permute;
  relation.axes = {fields.text("axis")};
  if (!r.task.axes.count(relation.axes[0])) throw fields.error("axis", "is no axis");
  read_grouped(r, fields, relation);
  for (const std::string& name : fields.texts("tensors")) {
    int i = tensor_named(r, fields, "tensors", name);
    if (dimensions(r.task.tensor(i), relation, relation.axes[0]).empty())
      throw fields.error("tensors", "mentions " + name + ", which has no dimension of that axis");
    relation.tensors.push_back({i, 0});
  }
  if (relation.tensors.empty()) throw fields.error("tensors", "must list at least one tensor");
  for (const std::string& name : fields.texts("relabel")) {
    int i = tensor_named(r, fields, "relabel", name);
    if (i >= input_count(r) || is_floating_def(r, r.task.tensor(i)))
      throw fields.error("relabel", "mentions " + name + ", which is no input of integers");
    relation.relabel.push_back(i);
  }
  if (fields.find("segments")) {
    relation.segments = read_index_input(r, fields, "segments");
    if (!relation.grouped.empty()) throw fields.error("segments", "and \"grouped\" exclude each other");
  }
}

void read_scale(const TaskReader& r, Fields& fields, Relation& relation) {
  relation.kind = Relation::scale;
  relation.axes = fields.texts("axes");
  if (relation.axes.empty()) throw fields.error("axes", "must list at least one axis");
  for (const std::string& axis : relation.axes)
    if (!r.task.axes.count(axis)) throw fields.error("axes", "mentions \"" + axis + "\", which is no axis");
  read_grouped(r, fields, relation);
  Fields exponent = fields.object("exponent");
  relation.least_exponent = exponent.integer("min");
  relation.greatest_exponent = exponent.integer("max");
  exponent.finish();
  if (relation.least_exponent > relation.greatest_exponent || relation.least_exponent < -8 ||
      relation.greatest_exponent > 8)
    throw fields.error("exponent", "must be a range within -8 to 8");
  Fields tensors = fields.object("tensors");
  for (const std::string& name : keys(fields, "tensors")) {
    int i = tensor_named(r, fields, "tensors", name);
    const TensorDef& def = r.task.tensor(i);
    int64_t sign = tensors.integer(name);
    if (sign != 1 && sign != -1) throw tensors.error(name, "must be 1 (multiplied) or -1 (divided)");
    if (!is_floating_def(r, def)) throw tensors.error(name, "is no tensor of a floating type");
    for (const std::string& axis : relation.axes) {
      std::vector<int> where = dimensions(def, relation, axis);
      if (where.size() != 1) throw tensors.error(name, "must have exactly one dimension of axis " + axis);
      if (where[0] == 0 && relation.axes.size() > 1)
        throw tensors.error(name, "has " + axis + " as its first dimension: scale that axis in a relation of its own");
    }
    relation.tensors.push_back({i, static_cast<int>(sign)});
  }
  if (relation.tensors.empty()) throw fields.error("tensors", "must name at least one tensor");
}

void read_permute_segments(const TaskReader& r, Fields& fields, Relation& relation) {
  relation.kind = Relation::permute_segments;
  Fields segments = fields.object("segments");
  for (const std::string& name : keys(fields, "segments")) {
    int indptr = r.task.find_tensor(name);
    if (indptr < 0 || indptr >= input_count(r) || r.task.inputs[indptr].axes.size() != 1 ||
        is_floating_def(r, r.task.inputs[indptr]))
      throw segments.error(name, "is no 1-D input of integers");
    std::vector<int> along;
    for (const std::string& tensor : segments.texts(name)) {
      along.push_back(tensor_named(r, segments, name, tensor));
      if (r.task.tensor(along.back()).axes.empty()) throw segments.error(name, "mentions " + tensor + ", a scalar");
    }
    relation.segmented.push_back({indptr, along});
  }
  if (relation.segmented.empty()) throw fields.error("segments", "must name at least one indptr");
}

}  // namespace

void read_needles(TaskReader& r, Fields& top) {
  for (Fields& fields : objects(top, "needle")) {
    std::string kind = fields.text("kind");
    if (kind != "align" && kind != "spike") throw fields.error("kind", "must be \"align\" or \"spike\"");
    bool align = kind == "align";
    const char* value = align ? "dot" : "value";
    int target = read_tensor(r, fields, "to", true);
    Expr count = read_expr(fields, "count");
    check_names(r, fields, "count", count, NameScope::axes);
    Fields range = fields.object(value);
    Needle needle{.kind = align ? Needle::align : Needle::spike, .target = target, .count = count,
                  .least = read_expr(range, "min"), .greatest = read_expr(range, "max")};
    range.finish();
    for (const Expr* e : {&needle.least, &needle.greatest}) check_names(r, fields, value, *e, NameScope::scalars);
    if (!is_floating_def(r, r.task.inputs[target])) throw fields.error("to", "must be of a floating type");
    if (align) {
      needle.source = read_tensor(r, fields, "from", true);
      const TensorDef& from = r.task.inputs[needle.source];
      const TensorDef& to = r.task.inputs[target];
      if (from.axes.size() < 2 || from.axes.size() != to.axes.size() || from.axes.back() != to.axes.back())
        throw fields.error("from", "and \"to\" must have equally many dimensions, two at least, and the same last one");
      if (fields.find("segments")) {
        Fields segments = fields.object("segments");
        needle.source_segments = read_index_input(r, segments, "from");
        needle.target_segments = read_index_input(r, segments, "to");
        segments.finish();
      }
      if (fields.find("through")) needle.through = read_index_input(r, fields, "through");
    }
    fields.finish();
    r.task.needles.push_back(needle);
  }
}

void read_relations(TaskReader& r, Fields& top) {
  for (Fields& fields : objects(top, "relations")) {
    Relation relation{.kind = Relation::permute, .name = fields.text("name")};
    fields.text("why", "");
    std::string kind = fields.text("kind");
    if (kind == "permute") read_permute(r, fields, relation);
    else if (kind == "scale") read_scale(r, fields, relation);
    else if (kind == "permute_segments") read_permute_segments(r, fields, relation);
    else throw fields.error("kind", "is \"" + kind + "\" (known: permute, scale, permute_segments)");
    fields.finish();
    const std::vector<std::string>& names = r.task.relation_names;
    if (std::find(names.begin(), names.end(), relation.name) != names.end())
      throw fields.error("name", "is the name of another relation as well");
    r.task.relation_names.push_back(relation.name);
    r.task.relations.push_back(relation);
  }
}

}  // namespace assay
