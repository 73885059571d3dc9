#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/fd.h"
#include "record/run.h"
#include "sandbox/plan.h"
#include "sandbox/policy.h"
#include "sandbox/report.h"
#include "sandbox/seccomp.h"

using namespace assay;

namespace {

// A policy made of one key beside its description.
Policy policy_with(const std::string& key, const std::string& value) {
  TempDir dir("assay-test");
  std::string path = dir.path() + "/p.json";
  replace_file(path, R"({"description": "test", ")" + key + "\": " + value + "}");
  return load_policy(path);
}

std::string refusal(const std::string& key, const std::string& value) {
  try {
    policy_with(key, value);
    return "accepted";
  } catch (const Error& e) {
    return std::string(e.what()).substr(std::string(e.what()).find("p.json"));
  }
}

}  // namespace

TEST_CASE("a run record is read back as it was written") {
  Run run;
  run.argv = {"g++", "a b.cc"};
  run.policy = "compile";
  run.policy_sha256 = std::string(64, 'a');
  run.ended_by = EndedBy::signal;
  run.signal = 11;
  run.wall_time_s = 0.25;
  run.max_rss_bytes = int64_t{1} << 40;
  run.protections = {"seccomp"};
  run.message = "told";
  for (std::string bytes : {"plain\n", "\xff", "\xff\0a", "ab\xfe", "\xc3\xa9", ""}) {
    run.out = Captured{bytes, true};
    run.err = Captured{};
    Run back = read_run(parse_json(to_line(to_json(run)), "t"), "t");
    CHECK(back.argv == run.argv);
    CHECK(back.ended_by == EndedBy::signal);
    CHECK(back.signal == 11);
    CHECK(!back.exit_code);
    CHECK(back.wall_time_s == 0.25);
    CHECK(back.max_rss_bytes == run.max_rss_bytes);
    CHECK(back.protections == run.protections);
    CHECK(back.message == "told");
    CHECK(back.out->bytes == bytes);
    CHECK(back.out->truncated);
    CHECK(back.err->bytes.empty());
  }
}

TEST_CASE("what is no run record is refused") {
  Json record = to_json(Run{});
  CHECK_NOTHROW(read_run(record, "t"));
  record["ended_by"] = "magic";
  CHECK_THROWS_WITH_AS(read_run(record, "t"), "read t: /ended_by is unknown: \"magic\"", Error);
  record["v"] = 2;
  CHECK_THROWS_AS(read_run(record, "t"), Error);
}

TEST_CASE("every way of ending has a name in the schema") {
  Json schema = parse_json(run_schema(), "schema");
  for (int i = 0; i <= static_cast<int>(EndedBy::sandbox); ++i)
    CHECK(schema["properties"]["ended_by"]["enum"][i] == name(static_cast<EndedBy>(i)));
}

TEST_CASE("a policy's mistakes are named") {
  struct Row {
    const char* key;
    const char* value;
    const char* message;
  };
  const Row rows[] = {
      {"mounts", R"([{"path": "/usr", "why": "x"}])", "accepted"},
      {"mounts", R"({"path": "/usr"})", "p.json: /mounts must be an array of grants"},
      {"mounts", R"([{"path": "/usr"}])", "p.json: /mounts/0/why is missing"},
      {"mounts", R"([{"path": "usr", "why": "x"}])",
       "p.json: /mounts/0/path must be an absolute path or \".\", is \"usr\""},
      {"mounts", R"([{"path": "/usr", "why": "x", "writable": true}])",
       "p.json: /mounts/0: unknown key \"writable\" (known here: from, optional, path, why, write)"},
      {"environment", R"([{"name": "A", "why": "x"}])", "p.json: /environment/0/value is missing"},
      {"environment", R"([{"name": "A", "pass": true, "why": "x"}])", "accepted"},
      {"limits", R"({"wall_s": -1})", "p.json: /limits/wall_s must be between 0 and 1000000 seconds"},
      {"limits", R"({"processes": 0})", "p.json: /limits/processes must be positive"},
      {"directory", R"("tmp")", "p.json: /directory must be an absolute path or \".\", is \"tmp\""},
  };
  for (const Row& row : rows) CHECK(refusal(row.key, row.value) == row.message);
}

TEST_CASE("a policy adds to the one it extends, and its limits go first") {
  TempDir dir("assay-test");
  replace_file(dir.path() + "/base.json", R"({"description": "b", "limits": {"wall_s": 1, "processes": 2},
    "mounts": [{"path": "/usr", "why": "x"}]})");
  replace_file(dir.path() + "/p.json", R"({"description": "p", "extends": "base.json", "limits": {"wall_s": 3},
    "mounts": [{"path": ".", "write": true, "why": "x"}]})");
  Policy policy = load_policy(dir.path() + "/p.json");
  CHECK(policy.limits.wall_s == 3);
  CHECK(policy.limits.processes == 2);
  REQUIRE(policy.mounts.size() == 2);
  CHECK(policy.mounts[0].source == "/usr");
  CHECK(policy.mounts[1].write);
  std::string before = policy.sha256;
  replace_file(dir.path() + "/base.json", R"({"description": "changed"})");
  CHECK(load_policy(dir.path() + "/p.json").sha256 != before);
}

TEST_CASE("a plan makes parents before what lies in them, and nothing twice") {
  Policy policy;
  policy.mounts = {{.source = "/usr/lib", .target = "/data/deep/er"}, {.source = "/usr", .target = "/data"}};
  policy.private_folders = {{.path = "/data/deep", .size_bytes = 1, .inodes = 1}};
  Request request{.argv = {"true"}};
  Plan plan = make_plan(policy, request);
  std::vector<std::string> targets;
  for (const MountStep& step : plan.steps)
    if (step.target.starts_with("/data")) targets.push_back(step.target);
  CHECK(targets == std::vector<std::string>{"/data", "/data/deep", "/data/deep/er"});

  request.mounts = {{.source = "/usr", .target = "/data/./deep/"}};
  CHECK_THROWS_AS(make_plan(policy, request), Error);
  request.mounts = {{.source = "/usr", .target = "/proc/x"}};
  CHECK_THROWS_AS(make_plan(policy, request), Error);
  request.mounts = {{.source = "/", .target = "/x"}};
  CHECK_THROWS_AS(make_plan(policy, request), Error);
}

TEST_CASE("the last setting of a variable counts") {
  Policy policy;
  policy.environment = {
      {.name = "A", .value = "1"}, {.name = "B", .value = "2"}, {.name = "ASSAY_UNSET", .pass = true}};
  Request request{.argv = {"true"}, .environment = {{.name = "A", .value = "3"}}};
  CHECK(make_plan(policy, request).environment == std::vector<std::string>{"B=2", "A=3"});
}

TEST_CASE("a filter is made of known calls only") {
  CHECK(make_filter({"read", "clone:thread", "fcntl:plain"}).size() > 10);
  CHECK_THROWS_AS(make_filter({"raed"}), Error);
  CHECK_THROWS_AS(make_filter({"clone:everything"}), Error);
}

TEST_CASE("the report goes where the command can't write") {
  auto [read_end, write_end] = make_pipe();
  CHECK_NOTHROW(Report(std::to_string(write_end.get()), {0, 1, 2}));
  CHECK_THROWS_AS(Report(std::to_string(read_end.get()), {0, 1, 2}), Error);
  CHECK_THROWS_AS(Report(std::to_string(write_end.get()), {write_end.get()}), Error);
  CHECK_THROWS_AS(Report("/no/such/folder/run.json", {}), Error);
  CHECK_THROWS_AS(check_inherited({2}), Error);
  CHECK_THROWS_AS(check_inherited({write_end.get()}), Error);  // ours, so close-on-exec
}
