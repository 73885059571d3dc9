// The record of one confined run: what ended it, what it used, which protections were on.
//
//   {"kind":"run","v":1,"argv":["true"],"policy":"compile","policy_sha256":"…","ended_by":"exit","exit_code":0,
//    "signal":null,"wall_time_s":0.001,"user_time_s":0.0,"system_time_s":0.001,"max_rss_bytes":5242880,"peak_memory_bytes":5308416,"peak_memory_by":"cgroup",
//    "protections":["user_namespace",…],"protections_missing":[]}
//
// A reader of such a record:
//
//   Run run = read_run(parse_json(line, "report"), "report");
//   if (run.ended_by == EndedBy::sandbox) throw Error("sandbox", "compiler", run.message);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/json.h"

namespace assay {

enum class EndedBy {
  exit,     // the command's own exit
  signal,   // a signal: the command's own, or one that sandbox-run received and passed on (then `message` says so)
  wall,     // the wall-clock limit
  cpu,      // the CPU limit over the whole tree
  memory,   // the memory limit over the whole tree
  processes,  // the control group's limit on processes and threads of the tree
  output,   // captured output passed its limit
  sandbox,  // the sandbox failed: the command did not run, or what became of it is unknown; `message` says why
};

struct Captured {
  std::string bytes;       // verbatim
  bool truncated = false;  // more came, and was dropped
};

struct Run {
  std::vector<std::string> argv;
  std::string policy;         // as named by the caller
  std::string policy_sha256;  // of the policy's text, followed by those of the ones it extends
  EndedBy ended_by = EndedBy::sandbox;
  std::optional<int> exit_code;  // with EndedBy::exit only
  std::optional<int> signal;     // with EndedBy::signal only
  double wall_time_s = 0;        // from just before the command's start to its end
  double user_time_s = 0;        // of the whole tree
  double system_time_s = 0;
  int64_t max_rss_bytes = 0;  // of the largest process of the tree
  int64_t peak_memory_bytes = 0;  // of the whole tree
  std::string peak_memory_by;     // "cgroup": exact, files in tmpfs included; "sampling": resident, a few looks a second
  std::vector<std::string> protections;
  std::vector<std::string> protections_missing;  // marked optional by the policy, and not to be had here
  std::string message;                           // one line for people, or empty
  std::optional<Captured> out, err;              // with --capture
};

const char* name(EndedBy ended_by);
Json to_json(const Run& run);
Run read_run(const Json& record, const std::string& where);  // throws Error if it is no run record
std::string run_schema();                                    // JSON Schema, draft 2020-12

}  // namespace assay
