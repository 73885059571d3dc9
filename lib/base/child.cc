#include "base/child.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/fd.h"

extern char** environ;

namespace assay {
namespace {

Exit decode(int status) {
  if (WIFSIGNALED(status)) return {.code = 128 + WTERMSIG(status), .signal = WTERMSIG(status)};
  return {.code = WEXITSTATUS(status), .signal = 0};
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (const std::string& s : strings) result.push_back(const_cast<char*>(s.c_str()));
  result.push_back(nullptr);
  return result;
}

}  // namespace

Child Child::spawn(const Spawn& what) {
  if (what.argv.empty()) throw Error("spawn", "child", "no command given");
  std::vector<char*> argv = pointers(what.argv);
  std::vector<char*> envp = what.env ? pointers(*what.env) : std::vector<char*>();
  Fd null_in = what.null_stdin ? open_file("/dev/null", O_RDONLY) : Fd();
  auto [failure_in, failure_out] = make_pipe();

  // Every inherited descriptor is first lifted above every target number, so that no dup2 overwrites another.
  int floor = 3;
  for (const auto& [from, to] : what.inherit) floor = std::max(floor, to + 1);
  std::vector<int> lifted(what.inherit.size());
  pid_t parent = ::getpid();

  pid_t pid = ::fork();
  if (pid < 0) throw errno_error("fork", what.argv[0]);
  if (pid == 0) {  // async-signal-safe calls only from here to exec
    int failure = ::fcntl(failure_out.get(), F_DUPFD_CLOEXEC, floor);
    bool ok = failure >= 0 && ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent;
    // What we were started with may lack close-on-exec; only what is named goes on.
    if (ok) ok = ::close_range(3, ~0u, CLOSE_RANGE_CLOEXEC) == 0;
    for (size_t i = 0; ok && i < lifted.size(); ++i) {
      lifted[i] = ::fcntl(what.inherit[i].first, F_DUPFD_CLOEXEC, floor);
      ok = lifted[i] >= 0;
    }
    if (ok && null_in) ok = ::dup2(null_in.get(), 0) >= 0;  // before a target number can be its own
    for (size_t i = 0; ok && i < lifted.size(); ++i) ok = ::dup2(lifted[i], what.inherit[i].second) >= 0;
    if (ok && !what.directory.empty()) ok = ::chdir(what.directory.c_str()) == 0;
    if (ok) {
      ::signal(SIGPIPE, SIG_DFL);
      if (what.env) environ = envp.data();
      ::execvp(argv[0], argv.data());
    }
    int cause = errno;
    if (::write(failure, &cause, sizeof cause) < 0) ::_exit(126);
    ::_exit(127);
  }
  Child child(pid);
  failure_out.reset();
  int cause = 0;
  if (::read(failure_in.get(), &cause, sizeof cause) == sizeof cause)
    throw Error("run", what.argv[0], std::strerror(cause));
  return child;
}

Child::~Child() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Child::kill(int signal) {
  if (pid_ > 0) ::kill(pid_, signal);
}

Exit Child::wait() {
  int status = 0;
  pid_t pid = std::exchange(pid_, -1);
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) throw errno_error("wait for", "child");
  return decode(status);
}

std::optional<Exit> Child::poll() {
  int status = 0;
  pid_t pid = ::waitpid(pid_, &status, WNOHANG);
  if (pid == 0) return std::nullopt;
  if (pid < 0) throw errno_error("wait for", "child");
  pid_ = -1;
  return decode(status);
}

}  // namespace assay
