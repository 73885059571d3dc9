// The shape of a command. `main` is one call:
//
//   int main(int argc, char** argv) {
//     int jobs = 1;
//     Tool tool{.name = "kernel-lint", .usage = usage, .schema = lint_schema,
//               .options = {{"jobs", 'j', "N", [&](const std::string& v) { jobs = parse_integer("--jobs", v, 1, 64); }}}};
//     return run_tool(tool, argc, argv, [&](const std::vector<std::string>& operands) { … });
//   }
//
// --help, --version and --schema are everywhere. An Error becomes "NAME: message" on stderr and exit 2.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "record/candidate.h"

namespace assay {

constexpr int exit_accepted = 0;  // ran, all accepted
constexpr int exit_rejected = 1;  // ran, at least one rejected
constexpr int exit_failed = 2;    // could not do the job: usage, bad input, broken environment

struct Option {
  const char* name;      // long name, without dashes
  char letter;           // or 0
  const char* argument;  // its name in the help text; nullptr for a flag
  std::function<void(const std::string&)> set;
};

struct Tool {
  const char* name;
  const char* usage;                      // the whole --help text
  std::function<std::string()> schema;    // what --schema prints
  std::vector<Option> options;
  std::vector<std::string> features = {}; // what --version adds, a line each: "cuda: not built in (no nvcc)"
};

int run_tool(const Tool& tool, int argc, char** argv,
             const std::function<int(const std::vector<std::string>& operands)>& body);

int64_t parse_integer(const std::string& option, const std::string& value, int64_t low, int64_t high);
double parse_number(const std::string& option, const std::string& value, double low, double high);

// Reads JSON Lines on stdin and writes each record to stdout as soon as it is done, in order. A candidate that is
// still ok goes through `judge`, which calls accept, reject or fail on it; everything else passes untouched. Bad input
// lines become error records and the rest of the stream is still judged. Returns the exit code.
int filter_records(const std::string& stage, const std::function<void(Json& record, const Candidate&)>& judge);

}  // namespace assay
