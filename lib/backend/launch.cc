#include "backend/launch.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/home.h"
#include "record/run.h"

namespace assay {
namespace {

constexpr size_t kept_error_bytes = size_t{16} << 10;
constexpr size_t max_report_bytes = size_t{1} << 20;
constexpr int report_number = 9;  // above what commands are given
constexpr const char* worker_wall_s = "900";

bool ended_within(const Fd& process, double timeout_s) {
  int64_t deadline = now_ns() + static_cast<int64_t>(timeout_s * 1e9);
  for (;;) {
    pollfd fd{process.get(), POLLIN, 0};
    int64_t left_ms = (deadline - now_ns()) / 1'000'000;
    if (::poll(&fd, 1, static_cast<int>(std::max<int64_t>(left_ms, 0))) > 0) return true;
    if (left_ms <= 0) return false;
  }
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

}  // namespace

Sandbox::Sandbox(Child child, Fd process, Fd report, Fd errors)
    : child_(std::move(child)), process_(std::move(process)), report_(std::move(report)), errors_(std::move(errors)) {}

Sandbox Sandbox::start(std::vector<std::string> arguments, std::vector<std::pair<int, int>> inherit,
                       const std::string& directory) {
  auto [report, report_out] = make_pipe();
  // A file that can't grow: a flood of messages is cut off, and the command never waits for a reader.
  Fd errors = make_memfd("assay-errors", kept_error_bytes);
  if (::fcntl(errors.get(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) < 0)
    throw errno_error("seal", "memory for messages");
  Fd null = open_file("/dev/null", O_WRONLY);
  arguments.insert(arguments.begin(), {program_path("sandbox-run"), "--report", std::to_string(report_number)});
  inherit.insert(inherit.end(), {{null.get(), 1}, {errors.get(), 2}, {report_out.get(), report_number}});
  Child child =
      Child::spawn({.argv = std::move(arguments), .inherit = std::move(inherit), .directory = directory, .null_stdin = true});
  Fd process(static_cast<int>(::syscall(SYS_pidfd_open, child.pid(), 0)));
  if (!process) throw errno_error("open process", "sandbox-run");
  return Sandbox(std::move(child), std::move(process), std::move(report), std::move(errors));
}

Sandbox::~Sandbox() {
  if (process_ && !ended_) ended_within(process_, 1);
}

const Sandbox::End& Sandbox::wait(double timeout_s) {
  if (ended_) return end_;
  bool in_time = ended_within(process_, timeout_s);
  if (!in_time) child_.kill(SIGKILL);
  Exit exit = child_.wait();
  ended_ = true;
  std::string report = in_time ? read_all(report_.get(), "sandbox-run's report", max_report_bytes) : "";
  if (report.empty()) {  // it was killed, or failed before it could report
    end_.failed = in_time;
    std::string said = errors();
    end_.text = in_time ? said.substr(0, said.find('\n')) : "did not end in time";
    if (end_.text.empty()) end_.text = "sandbox-run ended with status " + std::to_string(exit.code) + " and no report";
    return end_;
  }
  Run run = read_run(parse_json(report, "sandbox-run's report"), "sandbox-run's report");
  end_.code = run.exit_code.value_or(0);
  end_.signal = run.signal.value_or(0);
  switch (run.ended_by) {
    case EndedBy::exit: end_.text = "exit " + std::to_string(end_.code); break;
    case EndedBy::signal: end_.text = signal_name(end_.signal); break;
    case EndedBy::sandbox: end_.failed = true, end_.text = run.message; break;
    default: end_.limit = name(run.ended_by), end_.text = end_.limit + " limit"; break;
  }
  return end_;
}

std::string Sandbox::errors() const {
  std::string text(kept_error_bytes, '\0');
  ssize_t n = ::pread(errors_.get(), text.data(), text.size(), 0);
  text.resize(n > 0 ? ::strnlen(text.data(), static_cast<size_t>(n)) : 0);
  return text;
}

Launched launch(const std::string& object, const std::string& entry) {
  auto [ours, theirs] = make_socketpair();
  int on = 1;
  if (::setsockopt(ours.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) < 0)
    throw errno_error("set up", "the worker's channel");
  Sandbox sandbox = Sandbox::start({"--policy", "run-cpp", "--wall", worker_wall_s, "--keep-fd", "3", "--ro",
                                    object + ":/kernel.so", "--ro", helper_path("worker") + ":/worker", "--", "/worker",
                                    "3", "/kernel.so", entry},
                                   {{theirs.get(), 3}});
  return {std::move(sandbox), std::move(ours)};
}

}  // namespace assay
