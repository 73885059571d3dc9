#include <nlohmann/json.hpp>

#include "base/error.h"
#include "sandbox/report.h"
#include "sandbox/supervise.h"
#include "tool/tool.h"

namespace {

using namespace assay;

constexpr const char* usage =
    R"(Usage: sandbox-run [OPTION]... -- COMMAND [ARGUMENT]...
Runs COMMAND confined by a policy. Standard input, output and error stay as they are.

  -p, --policy=NAME|FILE     the policy: compile, run-cpp, shell, or a JSON file (default: shell)
  -r, --report=FD|FILE       write a run record there, once everything has ended
  -c, --capture              put stdout and stderr into the record (which goes to stdout without --report)
      --ro=SOURCE[:TARGET]   also mount SOURCE, read-only
      --rw=SOURCE[:TARGET]   also mount SOURCE, writable
      --keep-fd=N            let COMMAND inherit descriptor N
      --setenv=NAME=VALUE    set an environment variable
      --wall=SECONDS         wall-clock limit, in place of the policy's
  -h, --help, --version, --schema

Example: compile a file that may not be trusted, and see what it cost:
  sandbox-run --policy compile --report 3 -- g++ -O3 -shared -fPIC k.cc -o k.so 3>run.json
  jq '{ended_by, exit_code, wall_time_s, max_rss_bytes}' run.json

Exit status: the command's own; 128+N if signal N ended it; 124 if a limit did; 2 if the sandbox could not do its
job (the record's ended_by is then "sandbox").
)";

Mount parse_mount(const std::string& option, const std::string& value, bool write) {
  size_t colon = value.find(':');
  Mount mount{.source = value.substr(0, colon), .write = write, .follow = true};
  if (colon != std::string::npos) mount.target = value.substr(colon + 1);
  if (mount.source.empty() || (colon != std::string::npos && !mount.target.starts_with("/")))
    throw Error("read", option, "needs SOURCE[:TARGET] with an absolute path to mount at, got '" + value + "'");
  return mount;
}

EnvironmentVariable parse_variable(const std::string& value) {
  size_t equals = value.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw Error("read", "--setenv", "needs NAME=VALUE, got '" + value + "'");
  return {.name = value.substr(0, equals), .value = value.substr(equals + 1)};
}

int exit_code(const Run& run) {
  if (run.ended_by == EndedBy::sandbox) return exit_failed;
  if (run.ended_by == EndedBy::exit) return *run.exit_code;
  return run.ended_by == EndedBy::signal ? 128 + *run.signal : 124;
}

std::vector<int> reachable_descriptors(const Request& request) {
  std::vector<int> result = request.keep;
  result.push_back(0);
  if (!request.capture) result.insert(result.end(), {1, 2});
  return result;
}

int sandbox_run(const std::string& policy_name, std::string report_to, Request request) {
  if (request.argv.empty()) throw Error("read", "command line", "no command given; try 'sandbox-run --help'");
  check_inherited(request.keep);
  if (report_to.empty() && request.capture) report_to = "1";
  Report report = report_to.empty() ? Report() : Report(report_to, reachable_descriptors(request));
  Run run;
  try {
    run = supervise(load_policy(policy_name), request);
  } catch (const Error& e) {
    run.argv = request.argv;
    run.policy = policy_name;
    run.message = e.what();
  }
  report.write(to_line(to_json(run)));
  if (!run.message.empty()) std::fprintf(stderr, "sandbox-run: %s\n", run.message.c_str());
  return exit_code(run);
}

}  // namespace

int main(int argc, char** argv) {
  std::string policy = "shell", report;
  Request request;
  Tool tool{.name = "sandbox-run", .usage = usage, .schema = run_schema, .options = {
    {"policy", 'p', "NAME|FILE", [&](const std::string& v) { policy = v; }},
    {"report", 'r', "FD|FILE", [&](const std::string& v) { report = v; }},
    {"capture", 'c', nullptr, [&](const std::string&) { request.capture = true; }},
    {"ro", 0, "SOURCE", [&](const std::string& v) { request.mounts.push_back(parse_mount("--ro", v, false)); }},
    {"rw", 0, "SOURCE", [&](const std::string& v) { request.mounts.push_back(parse_mount("--rw", v, true)); }},
    {"keep-fd", 0, "N", [&](const std::string& v) {
       request.keep.push_back(static_cast<int>(parse_integer("--keep-fd", v, 0, 1 << 20)));
     }},
    {"setenv", 0, "NAME=VALUE", [&](const std::string& v) { request.environment.push_back(parse_variable(v)); }},
    {"wall", 0, "SECONDS", [&](const std::string& v) { request.wall_s = parse_number("--wall", v, 0.001, 1e6); }},
  }};
  return run_tool(tool, argc, argv, [&](const std::vector<std::string>& operands) {
    request.argv = operands;
    return sandbox_run(policy, report, request);
  });
}
