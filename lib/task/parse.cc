// Reads task.json strictly. Every error names the file, the place and what would be right there.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/home.h"
#include "task/data.h"
#include "task/read.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// A folder as a record names it: a path, else a name under the installed kernels/.
std::string find_folder(const std::string& folder) {
  if (fs::exists(fs::path(folder) / "task.json")) return folder;
  fs::path name = fs::path(folder).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  if (name.is_relative() && name.has_filename() && *name.begin() != "..") {
    if (*name.begin() != "kernels") name = "kernels" / name;
    try {
      return fs::path(data_path(name / "task.json")).parent_path();
    } catch (const Error&) {  // said better below
    }
  }
  throw Error("load task", folder, "there is no " + (fs::path(folder) / "task.json").string() +
                                       " and no installed task of that name");
}

void read_axes(TaskReader& r, Fields& top) {
  Fields fields = top.object("axes");
  for (const std::string& name : keys(top, "axes")) {
    Fields axis = fields.object(name);
    std::string type = axis.text("type");
    Axis result{Axis::variable, {}};
    if (type == "const") result = {Axis::constant, read_number(axis, "value")};
    else if (type == "expr") result = {Axis::expression, read_expr(axis, "expression")};
    else if (type != "var") throw axis.error("type", "must be \"const\", \"var\" or \"expr\"");
    axis.text("description", "");
    axis.finish();
    r.task.axes.emplace(name, result);
  }
  fields.finish();
  // An expression may use the other axes, but no other expression: one pass evaluates them all.
  for (const auto& [name, axis] : r.task.axes) {
    if (!axis.value) continue;
    for (const std::string& used : axis.value->names()) {
      auto it = r.task.axes.find(used);
      if (it == r.task.axes.end() || it->second.kind == Axis::expression)
        throw fields.error(name, "mentions \"" + used + "\", which is no const or var axis");
    }
  }
}

void read_dtypes(TaskReader& r, Fields& top) {
  Fields fields = top.object("dtypes");
  for (const std::string& name : keys(top, "dtypes")) {
    for (const std::string& type : fields.texts(name)) r.task.dtypes[name].push_back(read_dtype(fields, name, type));
    if (r.task.dtypes[name].empty()) throw fields.error(name, "must list at least one type");
  }
}

void read_tensors(TaskReader& r, Fields& top, const std::string& key) {
  bool inputs = key == "inputs";
  std::vector<TensorDef>& list = inputs ? r.task.inputs : r.task.outputs;
  Fields fields = top.object(key);
  for (const std::string& name : keys(top, key)) {
    Fields tensor = fields.object(name);
    TensorDef def{.name = name, .axes = {}, .dtype = tensor.text("dtype"), .generate = {}, .generate_json = {}};
    if (r.task.find_tensor(name) >= 0) throw fields.error(name, "is the name of another tensor as well");
    if (!tensor.at("shape").is_null()) def.axes = tensor.texts("shape");
    for (const std::string& axis : def.axes)
      if (!r.task.axes.count(axis)) throw tensor.error("shape", "mentions \"" + axis + "\", which is no axis");
    if (!r.task.dtypes.count(def.dtype)) read_dtype(tensor, "dtype", def.dtype);
    tensor.text("description", "");
    if (inputs) {
      if (!tensor.find("generate")) throw tensor.error("generate", "is missing: say how the input is filled");
      def.generate = read_generator(r, def, tensor, "generate");
      def.generate_json = std::make_shared<const Json>(tensor.at("generate"));
    }
    tensor.finish();
    list.push_back(def);
  }
  if (list.empty()) throw top.error(key, "must name at least one tensor");
}

void read_tolerance(TaskReader& r, Fields& top) {
  Fields fields = top.object("tolerance");
  for (const TensorDef& output : r.task.outputs) {
    Fields types = fields.object(output.name);
    std::vector<Dtype> possible;
    if (r.task.dtypes.count(output.dtype)) possible = r.task.dtypes[output.dtype];
    else possible = {parse_dtype(output.dtype)};
    for (Dtype dtype : possible) {
      Fields limits = types.object(dtype_name(dtype));
      Tolerance tolerance{limits.number("absolute"), limits.number("relative_l2")};
      if (!(tolerance.absolute >= 0)) throw limits.error("absolute", "must not be negative");
      if (!(tolerance.relative_l2 >= 0)) throw limits.error("relative_l2", "must not be negative");
      limits.finish();
      r.task.tolerance[output.name][dtype] = tolerance;
    }
    types.finish();
  }
  fields.finish();
}

std::string read_path(TaskReader& r, Fields& fields, const std::string& key) {
  std::string path = fields.text(key);
  fs::path normal = fs::path(path).lexically_normal();
  if (path.empty() || normal.is_absolute() || *normal.begin() == "..")
    throw fields.error(key, "must be the path of a file inside the task's folder");
  if (!fs::is_regular_file(fs::path(r.task.folder) / normal))
    throw fields.error(key, "names " + path + ", and there is no such file in " + r.task.folder);
  return fs::path(r.task.folder) / normal;
}

bool is_symbol(const std::string& text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

}  // namespace

const TensorDef& TaskData::tensor(int i) const {
  size_t at = static_cast<size_t>(i);
  return at < inputs.size() ? inputs[at] : outputs[at - inputs.size()];
}

int TaskData::find_tensor(const std::string& wanted) const {
  for (size_t i = 0; i < inputs.size() + outputs.size(); ++i)
    if (tensor(static_cast<int>(i)).name == wanted) return static_cast<int>(i);
  return -1;
}

std::unique_ptr<TaskData> read_task(const std::string& folder) {
  std::unique_ptr<TaskData> task = std::make_unique<TaskData>();
  task->folder = find_folder(folder);
  std::string file = fs::path(task->folder) / "task.json";
  Json json = load_json(file);
  TaskReader r{*task};
  Fields top(json, file, "");

  for (const char* key : {"tolerance", "reference"})
    if (!top.find(key)) throw Error("read", file, "the task has no check: \"" + std::string(key) + "\" is missing");
  for (const char* key : {"workloads", "cost"})
    if (!top.find(key)) throw Error("read", file, "the task has no metric: \"" + std::string(key) + "\" is missing");

  task->name = top.text("name");
  top.text("op_type", "");
  top.texts("tags");
  task->description = top.text("description");
  read_axes(r, top);
  if (top.find("dtypes")) read_dtypes(r, top);
  read_tensors(r, top, "inputs");
  read_tensors(r, top, "outputs");
  for (const std::string& text : top.texts("constraints")) {
    Expr constraint = parse_expr(top, "constraints", text);
    check_names(r, top, "constraints", constraint, NameScope::elements);
    task->constraints.push_back(constraint);
  }
  task->reference = read_path(r, top, "reference");
  task->baseline = read_path(r, top, "baseline");
  task->entry = top.text("entry");
  if (!is_symbol(task->entry)) throw top.error("entry", "must be a C identifier");
  task->languages = top.texts("languages");
  if (task->languages.empty()) throw top.error("languages", "must list at least one language (\"cpp\")");
  for (const std::string& language : task->languages)
    if (language != "cpp") throw top.error("languages", "lists \"" + language + "\", for which there is no backend (known: cpp)");
  task->libraries = top.texts("libraries");
  for (const std::string& library : task->libraries)
    if (library != "openmp") throw top.error("libraries", "lists \"" + library + "\", which no backend links (known: openmp)");
  task->compile_flags = top.texts("compile_flags");
  task->call_timeout_s = top.number("call_timeout_s", task->call_timeout_s);
  if (!(task->call_timeout_s > 0)) throw top.error("call_timeout_s", "must be positive");
  read_tolerance(r, top);

  Fields cost = top.object("cost");
  task->flops = read_expr(cost, "flops");
  task->bytes = read_expr(cost, "bytes");
  for (const char* key : {"flops", "bytes"})
    check_names(r, cost, key, key[0] == 'f' ? *task->flops : *task->bytes, NameScope::axes);
  cost.finish();

  read_workloads(r, top);
  read_regions(r, top);
  read_needles(r, top);
  read_relations(r, top);
  top.finish();
  return task;
}

}  // namespace assay
