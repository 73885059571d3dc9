#include "task/read.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "task/element.h"

namespace assay {
namespace {

// Elements of 1-D inputs of integers may be named: "qo_indptr[-1]".
bool is_known_element(const TaskReader& r, const std::string& name) {
  size_t bracket = name.find('[');
  if (bracket == std::string::npos) return false;
  int i = r.task.find_tensor(name.substr(0, bracket));
  return i >= 0 && i < static_cast<int>(r.task.inputs.size()) && r.task.inputs[i].axes.size() == 1;
}

// The JSON object of a generator, read for the tensor it fills.
std::shared_ptr<const Generator> parse_generator(const TaskReader& r, const TensorDef& def, Fields fields) {
  Generator g;
  std::string kind = fields.text("kind");
  std::vector<std::pair<const char*, std::optional<Expr>*>> read;
  const auto take = [&](const char* key, std::optional<Expr>& value, double fallback) {
    value = read_expr(fields, key, fallback);
    read.push_back({key, &value});
  };
  const auto need = [&](const char* key, std::optional<Expr>& value) {
    value = read_expr(fields, key);
    read.push_back({key, &value});
  };
  bool integers = !r.task.dtypes.count(def.dtype) && !is_floating(parse_dtype(def.dtype));
  if (kind == "normal") {
    g.kind = Generator::normal;
    take("mean", g.mean, 0);
    take("std", g.std, 1);
    if (integers) throw fields.error("kind", "\"normal\" fills tensors of floating types only");
  } else if (kind == "uniform") {
    g.kind = Generator::uniform;
    need("low", g.low);
    need("high", g.high);
  } else if (kind == "value") {
    g.kind = Generator::value;
    need("value", g.constant);
  } else if (kind == "indptr") {
    g.kind = Generator::indptr;
    need("total", g.total);
    take("min", g.least, 0);
    std::string split = fields.text("split", "ragged");
    if (split != "even" && split != "ragged") throw fields.error("split", "must be \"even\" or \"ragged\"");
    g.even = split == "even";
    if (!integers || def.axes.size() != 1) throw fields.error("kind", "\"indptr\" fills 1-D tensors of integers only");
  } else if (kind == "distinct") {
    g.kind = Generator::distinct;
    need("below", g.below);
    if (!integers) throw fields.error("kind", "\"distinct\" fills tensors of integers only");
  } else {
    throw fields.error("kind", "is \"" + kind + "\" (known: normal, uniform, value, indptr, distinct)");
  }
  fields.finish();
  for (const auto& [key, value] : read) check_names(r, fields, key, **value, NameScope::axes);
  return std::make_shared<const Generator>(g);
}

std::vector<Dtype> read_dtype_list(const TaskReader& r, Fields& fields, const std::string& variable) {
  std::vector<std::string> names = fields.find(variable) && fields.at(variable).is_string()
                                       ? std::vector<std::string>{fields.text(variable)}
                                       : fields.texts(variable);
  std::vector<Dtype> result;
  for (const std::string& name : names) {
    result.push_back(read_dtype(fields, variable, name));
    const std::vector<Dtype>& allowed = r.task.dtypes.at(variable);
    if (std::find(allowed.begin(), allowed.end(), result.back()) == allowed.end())
      throw fields.error(variable, "is " + name + ", which /dtypes/" + variable + " does not list");
  }
  return result;
}

void check_axis(const TaskReader& r, const Fields& fields, const std::string& axis) {
  std::string known;
  for (const auto& [name, value] : r.task.axes) {
    if (value.kind != Axis::variable) continue;
    if (name == axis) return;
    known += (known.empty() ? "" : ", ") + name;
  }
  throw fields.error(axis, "is no var axis (known here: " + known + ")");
}

Expr read_choice(const Fields& fields, const std::string& key, const Json& value) {
  if (value.is_string()) return parse_expr(fields, key, value.get<std::string>());
  if (value.is_number_integer()) return Expr(value.get<double>());
  throw fields.error(key, "must be a number, an expression, an array of these, or {\"min\", \"max\", \"multiple_of\"}");
}

AxisRange read_range(const TaskReader& r, Fields& fields, const std::string& axis) {
  AxisRange range{.axis = axis, .choices = {}, .least = {}, .greatest = {}, .multiple_of = {}};
  const Json& value = fields.at(axis);
  if (value.is_object()) {
    Fields limits = fields.object(axis);
    range.least = read_expr(limits, "min");
    range.greatest = read_expr(limits, "max");
    range.multiple_of = read_expr(limits, "multiple_of", 1);
    limits.finish();
    for (const Expr* e : {&*range.least, &*range.greatest, &*range.multiple_of})
      check_names(r, fields, axis, *e, NameScope::axes);
  } else if (value.is_array()) {
    for (const Json& item : value) range.choices.push_back(read_choice(fields, axis, item));
    if (range.choices.empty()) throw fields.error(axis, "must not be empty");
  } else {
    range.choices.push_back(read_choice(fields, axis, value));
  }
  for (const Expr& e : range.choices) check_names(r, fields, axis, e, NameScope::axes);
  return range;
}

}  // namespace

std::vector<std::string> keys(Fields& fields, const std::string& key) {
  fields.object(key);  // says so if it is none
  std::vector<std::string> result;
  for (const auto& [name, value] : fields.at(key).items()) result.push_back(name);
  return result;
}

std::vector<Fields> objects(Fields& fields, const std::string& key) {
  std::vector<Fields> result;
  const Json* list = fields.find(key);
  if (!list) return result;
  if (!list->is_array()) throw fields.error(key, "must be an array of objects");
  for (size_t i = 0; i < list->size(); ++i)
    result.emplace_back((*list)[i], fields.file(), fields.place(key) + "/" + std::to_string(i));
  return result;
}

Expr parse_expr(const Fields& fields, const std::string& key, const std::string& text) {
  try {
    return Expr::parse(text);
  } catch (const Error& error) {
    throw fields.error(key, std::string("does not parse: ") + error.what());
  }
}

Expr read_expr(Fields& fields, const std::string& key) {
  const Json& value = fields.at(key);
  if (value.is_number()) return Expr(value.get<double>());
  if (!value.is_string()) throw fields.error(key, "must be a number or an expression in a string");
  return parse_expr(fields, key, value.get<std::string>());
}

Expr read_expr(Fields& fields, const std::string& key, double fallback) {
  return fields.find(key) ? read_expr(fields, key) : Expr(fallback);
}

Expr read_number(Fields& fields, const std::string& key) { return Expr(static_cast<double>(fields.integer(key))); }

Dtype read_dtype(const Fields& fields, const std::string& key, const std::string& name) {
  try {
    return parse_dtype(name);
  } catch (const Error& error) {
    throw fields.error(key, error.what());
  }
}

void check_names(const TaskReader& r, const Fields& fields, const std::string& key, const Expr& expr,
                 NameScope scope) {
  for (const std::string& name : expr.names()) {
    if (r.task.axes.count(name)) continue;
    bool known = name.starts_with("sizeof(") && r.task.dtypes.count(name.substr(7, name.size() - 8));
    for (const TensorDef& input : r.task.inputs)
      known |= scope != NameScope::axes && input.name == name && input.axes.empty();
    if (scope == NameScope::elements) known |= is_known_element(r, name);
    if (known) continue;
    std::string names;
    for (const auto& [axis, value] : r.task.axes) names += (names.empty() ? "" : ", ") + axis;
    for (const auto& [variable, types] : r.task.dtypes) names += ", sizeof(" + variable + ")";
    throw fields.error(key, "mentions \"" + name + "\" (known here: " + names + ")");
  }
}

int read_tensor(const TaskReader& r, Fields& fields, const std::string& key, bool inputs_only) {
  std::string name = fields.text(key);
  int i = r.task.find_tensor(name);
  if (i < 0 || (inputs_only && i >= static_cast<int>(r.task.inputs.size())))
    throw fields.error(key, "is \"" + name + "\", which is no " + (inputs_only ? "input" : "input or output"));
  return i;
}

std::shared_ptr<const Generator> read_generator(const TaskReader& r, const TensorDef& def, Fields& fields,
                                                const std::string& key) {
  return parse_generator(r, def, fields.object(key));
}

std::map<std::string, std::shared_ptr<const Generator>> read_overrides(const TaskReader& r, Fields& fields) {
  std::map<std::string, std::shared_ptr<const Generator>> result;
  if (!fields.find("generate")) return result;
  Fields overrides = fields.object("generate");
  for (const std::string& name : keys(fields, "generate")) {
    int i = r.task.find_tensor(name);
    if (i < 0 || i >= static_cast<int>(r.task.inputs.size())) throw overrides.error(name, "is no input");
    overrides.object(name);
    Json merged = overrides.at(name);
    if (!merged.contains("kind")) {
      merged = *r.task.inputs[i].generate_json;
      merged.update(overrides.at(name));
    }
    result[name] = parse_generator(r, r.task.inputs[i], Fields(merged, fields.file(), overrides.place(name)));
  }
  return result;
}

void read_workloads(TaskReader& r, Fields& top) {
  for (Fields& fields : objects(top, "workloads")) {
    Workload workload{.name = fields.text("name"), .axes = {}, .dtypes = {}, .generate = {}};
    for (const Workload& other : r.task.workloads)
      if (other.name == workload.name) throw fields.error("name", "is the name of another workload as well");
    Fields axes = fields.object("axes");
    for (const std::string& axis : keys(fields, "axes")) {
      check_axis(r, axes, axis);
      workload.axes[axis] = axes.integer(axis);
    }
    if (!r.task.dtypes.empty()) {
      Fields dtypes = fields.object("dtypes");
      for (const auto& [variable, types] : r.task.dtypes) {
        std::vector<Dtype> list = read_dtype_list(r, dtypes, variable);
        if (list.size() != 1) throw dtypes.error(variable, "must be one type");
        workload.dtypes[variable] = list[0];
      }
      dtypes.finish();
    }
    workload.generate = read_overrides(r, fields);
    fields.finish();
    try {
      workload_names(r.task, workload);
    } catch (const Error& error) {
      throw fields.error("axes", std::string("cannot be used: ") + error.what());
    }
    r.task.workloads.push_back(workload);
  }
  if (r.task.workloads.empty()) throw top.error("workloads", "must list at least one workload to be timed");
}

void read_regions(TaskReader& r, Fields& top) {
  for (Fields& fields : objects(top, "perturb")) {
    Region region{.name = fields.text("name"), .axes = {}, .dtypes = {}, .generate = {}};
    Fields axes = fields.object("axes");
    for (const std::string& axis : keys(fields, "axes")) {
      check_axis(r, axes, axis);
      region.axes.push_back(read_range(r, axes, axis));
    }
    for (const auto& [axis, value] : r.task.axes)
      if (value.kind == Axis::variable) axes.at(axis);
    region.dtypes = r.task.dtypes;
    if (fields.find("dtypes")) {
      Fields dtypes = fields.object("dtypes");
      for (const auto& [variable, types] : r.task.dtypes)
        if (dtypes.find(variable)) region.dtypes[variable] = read_dtype_list(r, dtypes, variable);
      dtypes.finish();
    }
    region.generate = read_overrides(r, fields);
    fields.finish();
    r.task.regions.push_back(region);
  }
  if (r.task.regions.empty())
    throw top.error("perturb", "must list at least one region that hidden inputs are drawn from");
}

}  // namespace assay
