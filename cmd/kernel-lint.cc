#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "base/fd.h"
#include "lint/report.h"
#include "tool/tool.h"

using namespace assay;

namespace {

const char usage[] =
    R"(usage: kernel-lint [--format json|human] [FILE...]

Reads a kernel's syntax tree and finds reward hacking without running it: shapes and outputs written down, work that
is skipped, results carried from call to call, clocks, files, processes. Reads candidate records (JSON Lines) on standard
input and writes each back with its verdict under "lint"; with FILEs, writes one record a file.

  --format FORMAT   json (one record a line) or human (source lines); human is the default for FILEs at a terminal
  --rules           list the rules, one JSON object a line
  -h, --help        show this text
  --version         show the version
  --schema          show the JSON Schema of what is written

Languages, by the source's ending: C++ and CUDA (.cc .cpp .cu .h …), Python (.py).
An error rejects; a warning is for perturb-check to settle; a note informs.
Exit status: 0 all accepted, 1 at least one rejected, 2 could not do the job.

example:
  printf '{"kind":"candidate","v":1,"id":"k1","task":"kernels/softmax_rows","source":"k1.cc"}\n' | kernel-lint | jq .lint
)";

std::string parse_format(const std::string& value) {
  if (value != "json" && value != "human") throw Error("read", "--format", "needs json or human, got '" + value + "'");
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  std::string format;
  bool list = false;
  Tool tool{.name = "kernel-lint",
            .usage = usage,
            .schema = lint_schema,
            .options = {{"format", 'f', "FORMAT", [&](const std::string& v) { format = parse_format(v); }},
                        {"rules", 0, nullptr, [&](const std::string&) { list = true; }}}};
  return run_tool(tool, argc, argv, [&](const std::vector<std::string>& files) {
    if (list) {
      write_all(1, rules_text(), "standard output");
      return exit_accepted;
    }
    bool human = format.empty() ? !files.empty() && ::isatty(1) : format == "human";
    if (files.empty())
      return filter_records("lint", [&](Json& record, const Candidate& candidate) {
        std::optional<LintReport> report = lint_candidate(record, candidate);
        if (human && report) write_all(2, human_text(candidate.source, candidate.text, *report), "standard error");
      });
    int code = exit_accepted;
    for (const std::string& path : files) {
      LintedFile file = lint_file(path);
      if (!file.report) write_all(2, "kernel-lint: " + file.problem + "\n", "standard error");
      if (!human)
        write_all(1, file.line, "standard output");
      else if (file.report)
        write_all(1, human_text(path, file.text, *file.report), "standard output");
      code = std::max(code, file.exit_code());
    }
    return code;
  });
}
