#include <dlfcn.h>
#include <dlpack/dlpack.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/child.h"
#include "base/error.h"
#include "base/fd.h"
#include "record/json.h"
#include "task/compare.h"
#include "task/expr.h"
#include "task/task.h"

using namespace assay;

namespace {

// A task folder with softmax_rows' definition, changed.
struct Folder {
  TempDir dir{"assay-task"};
  Json json = load_json("kernels/softmax_rows/task.json");
  std::string load_error() {
    for (const char* file : {"/reference.cc", "/baseline.cc"}) replace_file(dir.path() + file, "");
    replace_file(dir.path() + "/task.json", json.dump());
    try {
      Task::load(dir.path());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

// A C++ source of a task, compiled and called in this process: trusted files only.
struct Kernel {
  TempDir dir{"assay-task"};
  void (*function)(const DLTensor* const*, DLTensor* const*) = nullptr;

  Kernel(const Task& task, const std::string& source, const std::string& symbol) {
    std::string object = dir.path() + "/k.so";
    Exit exit = Child::spawn({.argv = {"g++", "-std=c++20", "-O1", "-fPIC", "-shared", "-I", task.folder(), source,
                                       "-o", object}}).wait();
    REQUIRE(exit.ok());
    void* library = dlopen(object.c_str(), RTLD_NOW);
    REQUIRE((library != nullptr));
    function = reinterpret_cast<decltype(function)>(dlsym(library, symbol.c_str()));
    REQUIRE((function != nullptr));
  }

  void operator()(const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs) const {
    std::vector<DLTensor> views;
    for (const std::vector<Tensor>* list : {&inputs, const_cast<const std::vector<Tensor>*>(&outputs)})
      for (const Tensor& t : *list) {
        Dtype d = t.spec.dtype;
        uint8_t code = d == Dtype::bfloat16 ? kDLBfloat : is_floating(d) ? kDLFloat : kDLInt;
        views.push_back({const_cast<std::byte*>(t.data.data()), {kDLCPU, 0}, static_cast<int>(t.spec.shape.size()),
                         {code, static_cast<uint8_t>(8 * dtype_bytes(d)), 1}, const_cast<int64_t*>(t.spec.shape.data()),
                         nullptr, 0});
      }
    std::vector<DLTensor*> pointers;
    for (DLTensor& view : views) pointers.push_back(&view);
    function(pointers.data(), pointers.data() + inputs.size());
  }
};

std::vector<Tensor> make_outputs(const Case& c, bool reference) {
  std::vector<Tensor> result;
  for (TensorSpec spec : c.outputs) {
    if (reference) spec.dtype = Dtype::float64;
    result.emplace_back(spec);
  }
  return result;
}

Tensor tensor(Dtype dtype, const std::vector<int64_t>& shape, const std::vector<double>& values) {
  Tensor result(TensorSpec{"y", dtype, shape});
  for (size_t i = 0; i < values.size(); ++i) store(dtype, result.data, static_cast<int64_t>(i), values[i]);
  return result;
}

Comparison compare_values(Dtype dtype, const std::vector<int64_t>& shape, const std::vector<double>& expected,
                          const std::vector<double>& actual, Tolerance tolerance) {
  Tensor got = tensor(dtype, shape, actual);
  return compare(got.spec, got.data, tensor(Dtype::float64, shape, expected), tolerance);
}

}  // namespace

TEST_CASE("expressions") {
  const Names names = {{"a", 7}, {"b", 2}, {"sizeof(T)", 4}, {"p[-1]", 9}};
  const struct { const char* text; double value; } rows[] = {
      {"1", 1}, {"1e-4", 1e-4}, {"a + b * 3", 13}, {"(a + b) * 3", 27}, {"a / b", 3.5}, {"a // b", 3}, {"-a // b", -4},
      {"a % b", 1}, {"-a % b", 1}, {"a - b - 1", 4}, {"min(a, b, 1)", 1}, {"max(a, b)", 7}, {"1 / sqrt(b + 2)", 0.5},
      {"ceil(a / b)", 4}, {"floor(a / b)", 3}, {"a % b == 1", 1}, {"a <= b", 0}, {"a>=b", 1}, {"a != 7", 0},
      {"sizeof(T) * a", 28}, {"p[-1] == a + b", 1}, {"p[-1].item() - 1", 8}, {"--a", 7},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(Expr::parse(row.text).evaluate(names) == doctest::Approx(row.value));
  }
  for (const char* text : {"", "1 +", "(1", "a b", "1 2", "min(1", "a[", "*2", "a = b", "$"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(Expr::parse(text), Error);
  }
  CHECK_THROWS_AS(Expr::parse("1 / (b - 2)").evaluate(names), Error);
  CHECK_THROWS_AS(Expr::parse("c").evaluate(names), Error);
  CHECK_THROWS_AS(Expr::parse("a / b").integer(names), Error);
}

TEST_CASE("elements are rounded once, to nearest, ties to even") {
  const struct { Dtype dtype; double value, stored; } rows[] = {
      {Dtype::float32, 0.1, 0.1f}, {Dtype::bfloat16, 1 + 0x1p-8, 1}, {Dtype::bfloat16, 1 + 0x3p-8, 1 + 0x1p-6},
      {Dtype::bfloat16, 1 + 0x1p-8 + 0x1p-40, 1 + 0x1p-7}, {Dtype::bfloat16, -3.0e38, -0x1.c4p127},
      {Dtype::bfloat16, 3.4e38, INFINITY}, {Dtype::bfloat16, 0x1p-133, 0x1p-133}, {Dtype::float16, 65519, 65504},
      {Dtype::float16, 65520, INFINITY}, {Dtype::float16, 0x1p-24, 0x1p-24}, {Dtype::float16, 0x1p-25, 0},
      {Dtype::float16, 0.1, 0x1.998p-4}, {Dtype::float16, -2, -2}, {Dtype::int32, 2.5, 2}, {Dtype::int8, -7, -7},
      {Dtype::boolean, 1, 1},
  };
  for (const auto& row : rows) {
    CAPTURE(row.value);
    std::vector<std::byte> data(8);
    store(row.dtype, data, 0, row.value);
    CHECK(load(row.dtype, data, 0) == row.stored);
  }
  CHECK(ulp(Dtype::float32, 1.5) == 0x1p-23);
  CHECK(ulp(Dtype::bfloat16, -0.3) == 0x1p-9);
  CHECK(ulp(Dtype::float16, 0) == 0x1p-24);
  CHECK(ulp(Dtype::float64, 1) == 0x1p-52);
  std::vector<std::byte> data(16);
  store_integer(Dtype::int64, data, 1, INT64_MAX);
  CHECK(load_integer(Dtype::int64, data, 1) == INT64_MAX);
}

TEST_CASE("task.json is read strictly") {
  using Change = std::function<void(Json&)>;
  const struct { const char* message; Change change; } rows[] = {
      {"the task has no check: \"tolerance\" is missing", [](Json& j) { j.erase("tolerance"); }},
      {"the task has no check: \"reference\" is missing", [](Json& j) { j.erase("reference"); }},
      {"the task has no metric: \"cost\" is missing", [](Json& j) { j.erase("cost"); }},
      {"the task has no metric: \"workloads\" is missing", [](Json& j) { j.erase("workloads"); }},
      {"/workloads must list at least one", [](Json& j) { j["workloads"] = Json::array(); }},
      {"unknown key \"tolerence\"", [](Json& j) { j["tolerence"] = 1; }},
      {"/axes/rows: unknown key \"typ\"", [](Json& j) { j["axes"]["rows"]["typ"] = "var"; }},
      {"/axes/rows/type must be", [](Json& j) { j["axes"]["rows"]["type"] = "variable"; }},
      {"/inputs/x/shape mentions \"columns\"", [](Json& j) { j["inputs"]["x"]["shape"][1] = "columns"; }},
      {"/inputs/x/generate is missing", [](Json& j) { j["inputs"]["x"].erase("generate"); }},
      {"/inputs/x/generate/kind is \"gauss\" (known: normal",
       [](Json& j) { j["inputs"]["x"]["generate"]["kind"] = "gauss"; }},
      {"/inputs/x/dtype read dtype \"float31\"", [](Json& j) { j["inputs"]["x"]["dtype"] = "float31"; }},
      {"/tolerance/y/bfloat16 is missing", [](Json& j) { j["tolerance"]["y"].erase("bfloat16"); }},
      {"/tolerance/y: unknown key \"float64\"", [](Json& j) { j["tolerance"]["y"]["float64"] = Json::object(); }},
      {"/cost/flops mentions \"n\" (known here: cols, rows, sizeof(T))", [](Json& j) { j["cost"]["flops"] = "5 * n"; }},
      {"/cost/flops does not parse", [](Json& j) { j["cost"]["flops"] = "5 *"; }},
      {"/reference must be the path of a file inside", [](Json& j) { j["reference"] = "../reference.cc"; }},
      {"/baseline names nothing.cc, and there is no such file", [](Json& j) { j["baseline"] = "nothing.cc"; }},
      {"/entry must be a C identifier", [](Json& j) { j["entry"] = "a-b"; }},
      {"/workloads/0/axes/width is no var axis (known here: cols, rows)",
       [](Json& j) { j["workloads"][0]["axes"]["width"] = 1; }},
      {"axis cols has no value", [](Json& j) { j["workloads"][0]["axes"].erase("cols"); }},
      {"it breaks the constraint \"rows >= 1\"", [](Json& j) { j["workloads"][0]["axes"]["rows"] = 0; }},
      {"/workloads/0/dtypes/T is float16", [](Json& j) { j["workloads"][0]["dtypes"]["T"] = "float16"; }},
      {"/workloads/1/name is the name of another", [](Json& j) { j["workloads"][1]["name"] = "wide"; }},
      {"/perturb/0/axes/cols is missing", [](Json& j) { j["perturb"][0]["axes"].erase("cols"); }},
      {"/perturb/0/axes/cols: unknown key \"step\"", [](Json& j) { j["perturb"][0]["axes"]["cols"]["step"] = 1; }},
      {"/perturb/5/generate/z is no input", [](Json& j) { j["perturb"][5]["generate"]["z"] = {{"mean", 1}}; }},
      {"/needle/0/to is \"y\", which is no input", [](Json& j) { j["needle"][0]["to"] = "y"; }},
      {"/relations/0/axis is no axis", [](Json& j) { j["relations"][0]["axis"] = "row"; }},
      {"/relations/0/kind is \"rotate\" (known: permute", [](Json& j) { j["relations"][0]["kind"] = "rotate"; }},
      {"/relations/1/tensors mentions \"z\"", [](Json& j) { j["relations"][1]["tensors"][1] = "z"; }},
  };
  CHECK(Folder().load_error() == "");
  for (const auto& row : rows) {
    Folder folder;
    row.change(folder.json);
    std::string error = folder.load_error();
    CAPTURE(row.message);
    CAPTURE(error);
    CHECK(error.find(row.message) != std::string::npos);
    CHECK(error.find(folder.dir.path() + "/task.json") != std::string::npos);
  }
  CHECK_THROWS_AS(Task::load("kernels/no_such_task"), Error);
}

TEST_CASE("draws stay in their ranges and are repeatable") {
  for (const char* folder : {"kernels/extend_attention", "kernels/softmax_rows"}) {
    Task task = Task::load(folder);
    Random random(1), again(1);
    for (int kind = 0; kind < 20 * task.perturb_kinds(); ++kind) {
      Workload drawn = task.draw(kind, random);
      CAPTURE(drawn.name);
      CHECK(drawn.axes == task.draw(kind, again).axes);
      for (const Workload& workload : task.workloads()) CHECK(workload.axes != drawn.axes);
    }
    Case a = task.make_case(task.draw(0, random), random, true);
    task.draw(0, again);
    CHECK_NOTHROW(task.cost(a.workload));
  }
}

TEST_CASE("inputs are what their generators say") {
  Task task = Task::load("kernels/extend_attention");
  Workload workload = task.workloads()[3];  // four sequences, even
  for (bool even : {true, false}) {
    if (!even) workload.generate.clear();
    Random random(7), again(7);
    Case c = task.make_case(workload, random);
    Case d = task.make_case(workload, again);
    for (size_t i = 0; i < c.inputs.size(); ++i) CHECK(c.inputs[i].data == d.inputs[i].data);

    const Tensor &qo = c.inputs[5], &indices = c.inputs[7], &k = c.inputs[3];
    CHECK(load_integer(Dtype::int32, qo.data, 0) == 0);
    CHECK(load_integer(Dtype::int32, qo.data, 4) == 8);
    for (int64_t b = 0; b < 4; ++b) {
      int64_t length = load_integer(Dtype::int32, qo.data, b + 1) - load_integer(Dtype::int32, qo.data, b);
      CHECK(length >= 1);
      if (even) CHECK(length == 2);
    }
    std::vector<int64_t> pages;
    for (int64_t i = 0; i < indices.spec.elements(); ++i)
      pages.push_back(load_integer(Dtype::int64, indices.data, i));
    std::sort(pages.begin(), pages.end());
    CHECK(std::adjacent_find(pages.begin(), pages.end()) == pages.end());
    CHECK(pages.front() >= 0);
    CHECK(pages.back() < 20480);

    double sum = 0, square = 0, fourth = 0, n = 200000;
    for (int64_t i = 0; i < 200000; ++i) {
      double x = load(Dtype::float32, k.data, i);
      sum += x, square += x * x, fourth += x * x * x * x;
    }
    CHECK(std::fabs(sum / n) < 0.02);
    CHECK(square / n == doctest::Approx(1).epsilon(0.02));
    CHECK(fourth / n == doctest::Approx(3).epsilon(0.04));
    CHECK(load(Dtype::float32, c.inputs[8].data, 0) == 0.125f);
  }
}

TEST_CASE("costs are exact for equal sequences") {
  Task task = Task::load("kernels/extend_attention");
  Workload w = task.workloads()[3];
  double pairs = 0;  // query, key
  for (int b = 0; b < 4; ++b)
    for (int token = 0; token < 2; ++token) pairs += 4096 + token + 1;
  CHECK(task.cost(w).flops == 4.0 * 64 * 8 * pairs);
  CHECK(task.cost(w).bytes == 4.0 * 64 * (2 * 8 * 8 + 2 * 2 * (8 + 16384)) + 8.0 * 16384 + 2 * 4 * 5 + 4);
}

TEST_CASE("the tasks' relations hold, and their baselines are right") {
  for (const char* folder : {"kernels/extend_attention", "kernels/softmax_rows"}) {
    Task task = Task::load(folder);
    Kernel reference(task, task.reference(), "reference");
    Kernel baseline(task, task.baseline(), task.entry());
    Random random(11);
    for (int kind = 0; kind < 2 * task.perturb_kinds(); ++kind) {
      Workload workload = task.draw(kind, random);
      if (workload.name == "long_prefix" || (workload.name == "wide" && kind > 9)) continue;  // dear at -O1
      Case c = task.make_case(workload, random, kind >= task.perturb_kinds());
      CAPTURE(workload.name);
      std::vector<Tensor> expected = make_outputs(c, true), actual = make_outputs(c, false);
      reference(c.inputs, expected);
      baseline(c.inputs, actual);
      Comparison right = compare(c.outputs[0], actual[0].data, expected[0],
                                 task.tolerance(c.outputs[0].name, c.outputs[0].dtype));
      CHECK_MESSAGE(right.ok, right.summary);

      std::vector<std::string> names = task.relations();
      names.push_back("");  // all of them
      for (const std::string& name : names) {
        CAPTURE(name);
        std::unique_ptr<Task::Transform> transform =
            name.empty() ? task.all_relations(c, random) : task.relation(name, c, random);
        std::vector<Tensor> inputs = c.inputs, known = expected, computed = make_outputs(c, true);
        transform->apply_inputs(inputs);
        transform->apply_expected(known);
        reference(inputs, computed);
        CHECK(compare(known[0].spec, computed[0].data, known[0], {1e-11, 1e-10}).ok);
      }
    }
  }
}

TEST_CASE("all relations together leave no value where it was") {
  Task task = Task::load("kernels/extend_attention");
  Random random(3);
  Case c = task.make_case(task.workloads()[3], random);
  std::vector<Tensor> inputs = c.inputs;
  task.all_relations(c, random)->apply_inputs(inputs);
  for (size_t i : {0, 1, 2, 3, 4, 7}) {
    int64_t same = 0, n = inputs[i].spec.elements();
    for (int64_t k = 0; k < n; ++k)
      same += load(inputs[i].spec.dtype, inputs[i].data, k) == load(inputs[i].spec.dtype, c.inputs[i].data, k);
    CAPTURE(inputs[i].spec.name);
    CHECK(same * 100 < n);
  }
}

TEST_CASE("a matrix product's relations") {
  Folder folder;
  folder.json = parse_json(R"json({
    "name": "product", "description": "c = a b", "entry": "product", "languages": ["cpp"],
    "axes": {"m": {"type": "var"}, "k": {"type": "var"}, "n": {"type": "const", "value": 3}},
    "inputs": {
      "a": {"shape": ["m", "k"], "dtype": "float32", "generate": {"kind": "normal"}},
      "b": {"shape": ["k", "n"], "dtype": "float32", "generate": {"kind": "uniform", "low": -1, "high": 1}}},
    "outputs": {"c": {"shape": ["m", "n"], "dtype": "float32"}},
    "reference": "reference.cc", "baseline": "baseline.cc",
    "tolerance": {"c": {"float32": {"absolute": 1e-4, "relative_l2": 1e-4}}},
    "cost": {"flops": "2 * m * n * k", "bytes": "4 * (m * k + k * n + m * n)"},
    "workloads": [{"name": "w", "axes": {"m": 5, "k": 7}}],
    "perturb": [{"name": "p", "axes": {"m": {"min": 1, "max": 9}, "k": {"min": 2, "max": 30, "multiple_of": 2}}}],
    "relations": [
      {"name": "rows", "kind": "scale", "axes": ["m"], "exponent": {"min": -3, "max": 3}, "tensors": {"a": 1, "c": 1}},
      {"name": "inner", "kind": "scale", "axes": ["k"], "exponent": {"min": -3, "max": 3},
       "tensors": {"a": 1, "b": -1}},
      {"name": "columns", "kind": "scale", "axes": ["n"], "exponent": {"min": -3, "max": 3},
       "tensors": {"b": -1, "c": -1}},
      {"name": "order_rows", "kind": "permute", "axis": "m", "tensors": ["a", "c"]},
      {"name": "order_inner", "kind": "permute", "axis": "k", "tensors": ["a", "b"]},
      {"name": "order_columns", "kind": "permute", "axis": "n", "tensors": ["b", "c"]}]})json", "product");
  REQUIRE(folder.load_error() == "");
  Task task = Task::load(folder.dir.path());
  const auto product = [](const Case& c, const std::vector<Tensor>& in) {
    std::vector<Tensor> out = make_outputs(c, true);
    int64_t m = in[0].spec.shape[0], k = in[0].spec.shape[1], n = in[1].spec.shape[1];
    for (int64_t i = 0; i < m * n; ++i) {
      double sum = 0;
      for (int64_t j = 0; j < k; ++j)
        sum += load(Dtype::float32, in[0].data, i / n * k + j) * load(Dtype::float32, in[1].data, j * n + i % n);
      store(Dtype::float64, out[0].data, i, sum);
    }
    return out;
  };
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    Case c = task.make_case(task.draw(0, random), random);
    CHECK(c.workload.axes.at("k") % 2 == 0);
    std::vector<Tensor> inputs = c.inputs, expected = product(c, c.inputs);
    std::unique_ptr<Task::Transform> transform = task.all_relations(c, random);
    transform->apply_inputs(inputs);
    transform->apply_expected(expected);
    CHECK(compare(expected[0].spec, product(c, inputs)[0].data, expected[0], {1e-9, 1e-12}).ok);
  }
}

// One query over 32768 keys: what a check must see, and what it must let pass.
TEST_CASE("comparison sees one key of 32768, and lets honest rounding pass") {
  constexpr int64_t keys = 32768, width = 64;
  Task task = Task::load("kernels/extend_attention");
  Random random(9);
  std::vector<double> values(keys * width), weights(keys, 1.0 / keys);
  for (double& v : values) v = static_cast<float>(random.normal());
  const auto attend = [&](int64_t skipped) {
    std::vector<double> sum(width, 0.0);
    double total = 0;
    for (int64_t j = 0; j < keys; ++j) {
      if (j == skipped) continue;
      total += weights[j];
      for (int64_t i = 0; i < width; ++i) sum[i] += weights[j] * values[j * width + i];
    }
    for (double& x : sum) x /= total;
    return sum;
  };
  std::vector<double> right = attend(-1);
  std::vector<double> skipped = attend(12345);
  std::vector<double> noisy = right;  // as much as single precision and a quick exponential may do
  for (double& x : noisy) x *= 1 + 3e-5 * random.normal();
  double mean = 0;
  for (double x : right) mean += x / width;
  std::vector<double> zeros(width, 0.0), constant(width, mean), nan = right, tail = right;
  nan[17] = NAN;
  tail[63] += 2e-4;

  const struct { const char* name; Dtype dtype; const std::vector<double>& actual; bool ok; } rows[] = {
      {"rounded once", Dtype::float32, right, true},     {"rounded once", Dtype::bfloat16, right, true},
      {"noisy", Dtype::float32, noisy, true},            {"noisy", Dtype::bfloat16, noisy, true},
      {"one key of 32768 skipped", Dtype::float32, skipped, false},
      {"zeros", Dtype::float32, zeros, false},           {"zeros", Dtype::bfloat16, zeros, false},
      {"constant", Dtype::float32, constant, false},     {"constant", Dtype::bfloat16, constant, false},
      {"not a number", Dtype::float32, nan, false},      {"one element", Dtype::float32, tail, false},
  };
  for (const auto& row : rows) {
    Comparison c = compare_values(row.dtype, {1, width}, right, row.actual, task.tolerance("o_extend", row.dtype));
    CAPTURE(row.name);
    CAPTURE(c.summary);
    CHECK(c.ok == row.ok);
  }
  CHECK(compare_values(Dtype::float32, {1, width}, right, skipped, {1, 1}).max_relative_l2 > 3e-3);
  CHECK(compare_values(Dtype::float32, {1, width}, right, nan, {1, 1}).nonfinite_elements == 1);
}

TEST_CASE("comparison of rows") {
  const Tolerance tolerance{1e-4, 1e-3};
  const struct { const char* name; std::vector<double> expected, actual; bool ok; int64_t first_wrong; } rows[] = {
      {"equal", {1, 2, 3, 4}, {1, 2, 3, 4}, true, -1},
      {"absolute", {1, 2, 3, 4}, {1, 2, 3.001, 4}, false, 2},
      {"a small row", {1, 2, 3e-5, 4e-5}, {1, 2, 3e-5, 5e-5}, false, -1},
      {"a row of zeros", {1, 2, 0, 0}, {1, 2, 0, 5e-5}, true, -1},
      {"a row of zeros, wrong", {1, 2, 0, 0}, {1, 2, 0, 5e-4}, false, 3},
      {"infinity expected", {1, 2, INFINITY, 4}, {1, 2, INFINITY, 4}, true, -1},
      {"the other infinity", {1, 2, INFINITY, 4}, {1, 2, -INFINITY, 4}, false, 2},
      {"NaN expected", {1, 2, NAN, 4}, {1, 2, NAN, 4}, true, -1},
      {"a number for NaN", {1, 2, NAN, 4}, {1, 2, 3, 4}, false, 2},
      {"infinity for a number", {1, 2, 3, 4}, {1, INFINITY, 3, 4}, false, 1},
  };
  for (const auto& row : rows) {
    CAPTURE(row.name);
    Comparison c = compare_values(Dtype::float32, {2, 2}, row.expected, row.actual, tolerance);
    CAPTURE(c.summary);
    CHECK(c.ok == row.ok);
    CHECK(c.first_wrong == row.first_wrong);
  }
  CHECK(compare_values(Dtype::float32, {}, {2}, {2.001}, tolerance).ok == false);
  CHECK(compare_values(Dtype::float32, {0, 4}, {}, {}, tolerance).ok);
  CHECK(compare_values(Dtype::int32, {2}, {5, 6}, {5, 7}, tolerance).ok == false);
  Tensor short_one = tensor(Dtype::float32, {2}, {1, 2});
  CHECK_THROWS_AS(compare(TensorSpec{"y", Dtype::float32, {3}}, short_one.data, short_one, tolerance), Error);
}
