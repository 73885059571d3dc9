// perturb-check: runs candidate and reference on inputs that the candidate cannot predict (perturb-check(1)).
#include <unistd.h>

#include <cstdio>
#include <optional>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/random.h"
#include "perturb/audit.h"
#include "perturb/check.h"
#include "record/check.h"
#include "tool/tool.h"

namespace {

using namespace assay;

constexpr const char* usage =
    R"(usage: perturb-check [--seed N] <records >judged-records
       perturb-check [--seed N] --audit-task TASK >audit-records

Builds each candidate in a sandbox, runs it there on inputs, shapes and pointers
that it cannot predict, and compares every output with the task's
double-precision reference. Reads candidate records (JSON Lines) on standard
input and writes them to standard output with "check" and "status" added.

  --seed N   draw the same inputs as an earlier run with this N (0 to 2^63-1);
             without it nobody can know them
  --audit-task TASK
             judge a task instead of candidates: write a record for each wrong
             result that its tolerances must reject (exit 1 if one passes)
  --help     this text
  --version  the version
  --schema   the JSON Schema of what is written

example:
  printf '{"kind":"candidate","v":1,"id":"k1","task":"kernels/softmax_rows","source":"k1.cc"}\n' |
    perturb-check | jq '{id, status, reason, message}'

exit status: 0 all accepted, 1 at least one rejected, 2 could not do the job
)";

std::string schema() { return candidate_schema("perturb-check", "check", check_schema()); }

// The step at work, on a terminal only.
class Progress {
 public:
  explicit Progress(std::string id) : id_(std::move(id)), on_(::isatty(2) == 1) {}
  ~Progress() {
    if (on_) std::fprintf(stderr, "\r\033[K");
  }
  void step(const std::string& name) const {
    if (on_) std::fprintf(stderr, "\r\033[Kperturb-check: %s: %s", id_.c_str(), name.c_str());
  }

 private:
  std::string id_;
  bool on_;
};

void judge(Json& record, const Candidate& candidate, std::optional<uint64_t> seed) {
  Task task = Task::load(candidate.task);
  Progress progress(candidate.id);
  CheckOptions options{.seed = seed ? *seed : unpredictable_seed(),
                       .progress = [&](const std::string& name) { progress.step(name); }};
  CheckResult result = check_candidate(task, candidate.text, candidate.source, options);
  if (result.failed)
    reject(record, "check", "check", to_json(result), result.failed->reason, result.failed->message);
  else
    accept(record, "check", "check", to_json(result));
}

int audit_task(const std::string& folder, uint64_t seed) {
  Task task = Task::load(folder);
  int code = exit_accepted;
  audit(task, seed, [&](const Mutant& mutant) {
    write_record(1, to_json(mutant));
    if (!mutant.sound()) code = exit_rejected;
  });
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  std::optional<uint64_t> seed;
  std::string audited;
  Tool tool{.name = "perturb-check",
            .usage = usage,
            .schema = schema,
            .options = {{"seed", 0, "N", [&](const std::string& v) {
                           seed = static_cast<uint64_t>(parse_integer("--seed", v, 0, INT64_MAX));
                         }},
                        {"audit-task", 0, "TASK", [&](const std::string& v) { audited = v; }}}};
  return run_tool(tool, argc, argv, [&](const std::vector<std::string>& operands) {
    if (!operands.empty()) throw Error("read", operands[0], "no operands are taken: records come on standard input");
    if (!audited.empty()) return audit_task(audited, seed ? *seed : unpredictable_seed());
    return filter_records("check", [&](Json& record, const Candidate& c) { judge(record, c, seed); });
  });
}
