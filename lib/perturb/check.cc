#include "perturb/check.h"

#include <future>

#include "backend/build.h"
#include "base/clock.h"
#include "perturb/layers.h"

namespace assay {
namespace {

// The first line of diagnostics that says what is wrong.
std::string first_error(const std::string& diagnostics) {
  size_t at = diagnostics.find("error:");
  if (at == std::string::npos) at = 0;
  size_t start = diagnostics.rfind('\n', at);
  start = start == std::string::npos ? 0 : start + 1;
  return diagnostics.substr(start, std::min(diagnostics.find('\n', at) - start, size_t{300}));
}

void run_layers(Perturbing& p, const CheckOptions& options, CheckResult& result) {
  Subject& subject = p.subject;
  for (const Layer& layer : layers()) {
    options.progress(layer.name);
    int64_t before = subject.calls();
    Failure f = layer.fresh_process ? subject.restart() : std::nullopt;
    if (!f) f = layer.run(p);
    result.layers.push_back({layer.name, subject.calls() - before, !f});
    result.calls = subject.calls();
    result.max_absolute_error = subject.max_absolute_error();
    result.max_relative_l2 = subject.max_relative_l2();
    if (f) {
      f->layer = layer.name;
      result.failed = std::move(f);
      return;
    }
  }
}

}  // namespace

CheckResult check_candidate(const Task& task, const std::string& text, const std::string& name,
                            const CheckOptions& options) {
  int64_t start = now_ns();
  CheckResult result;
  options.progress("build");
  // The compiler works on one processor; meanwhile the reference works on the other. The build has the thread of its
  // own, for a child process dies with the thread that started it, and the reference's has to stay.
  std::future<Build> building = std::async(
      std::launch::async, [&] { return build_kernel(text, name, task.folder(), task.compile_flags()); });
  Random random(options.seed);
  Random poison(random.next());
  Oracle oracle(task);
  std::vector<Prepared> publics;
  for (const Workload& workload : task.workloads()) {
    Case c = task.make_case(workload, random);
    std::vector<Tensor> expected = oracle.expect(c);
    publics.push_back({std::move(c), std::move(expected)});
  }
  Build build = building.get();
  result.build = {build.ok, build.time_s, build.diagnostics};
  if (build.ok) {
    Subject subject(task, build.object, poison);
    Perturbing p{task, oracle, subject, random, publics};
    run_layers(p, options, result);
  } else {
    result.failed = CheckFailure{.reason = build.reason, .message = first_error(build.diagnostics)};
  }
  result.time_s = static_cast<double>(now_ns() - start) * 1e-9;
  return result;
}

}  // namespace assay
