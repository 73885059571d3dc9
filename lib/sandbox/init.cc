#include "sandbox/init.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "base/clock.h"
#include "sandbox/channel.h"
#include "sandbox/landlock.h"
#include "sandbox/limits.h"
#include "sandbox/mounts.h"
#include "sandbox/seccomp.h"

extern char** environ;

namespace assay {
namespace {

constexpr int new_time_namespace = 0x80;  // CLONE_NEWTIME, which older headers lack

// If memory runs out, the kernel shall choose us before anyone outside.
void volunteer_for_oom_killer() {
  Fd score(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  [[maybe_unused]] ssize_t n = score ? ::write(score.get(), "500", 3) : 0;  // a kindness, not a protection
}

void tell_missing(int channel, const char* protection) {
  Message message{};
  message.kind = Message::missing;
  std::strncpy(message.object, protection, sizeof message.object - 1);
  if (!send_message(channel, message)) ::_exit(127);
}

// Ours stays the clock outside; that of what we fork starts at zero, and doesn't tell how long this machine has been up.
void enter_time_namespace(const Plan& plan, int channel) {
  if (::unshare(new_time_namespace) < 0) {
    if (!plan.time_namespace_optional) fail_setup(channel, "make", "time namespace");
    return tell_missing(channel, "time_namespace");
  }
  timespec monotonic, boot;
  ::clock_gettime(CLOCK_MONOTONIC, &monotonic);
  ::clock_gettime(CLOCK_BOOTTIME, &boot);
  char text[96];
  int length = std::snprintf(text, sizeof text, "monotonic -%ld 0\nboottime -%ld 0\n", static_cast<long>(monotonic.tv_sec),
                             static_cast<long>(boot.tv_sec));
  Fd offsets(::open("/proc/self/timens_offsets", O_WRONLY | O_CLOEXEC));
  if (!offsets || ::write(offsets.get(), text, static_cast<size_t>(length)) != length)
    fail_setup(channel, "set the clock of", "time namespace");
}

void become_nobody(const Plan& plan, int channel) {
  const Identity& who = plan.identity;
  if (who.privileged) {
    if (::setgroups(0, nullptr) < 0) fail_setup(channel, "drop", "groups");
    Message message{};
    bool made = ::unshare(CLONE_NEWUSER) == 0;
    if (!made && !plan.user_namespace_optional) fail_setup(channel, "make", "sandbox");
    if (!made) tell_missing(channel, "user_namespace");
    message.kind = Message::map_ids;
    if (made && (!send_message(channel, message) || !receive_message(channel, message))) ::_exit(127);
  }
  if (!forbid_capabilities()) fail_setup(channel, "forbid", "capabilities");
  if (::setresgid(who.inner_gid, who.inner_gid, who.inner_gid) < 0 ||
      ::setresuid(who.inner_uid, who.inner_uid, who.inner_uid) < 0)
    fail_setup(channel, "become", "another user");
  if (!drop_capabilities(plan.no_capabilities)) fail_setup(channel, "drop", "capabilities");
}

// A change of user resets both settings, so they come after it.
void guard_init(int channel) {
  // /proc/1/mem and /proc/1/fd are closed to the command, though it has our uid.
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 || ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
    fail_setup(channel, "guard", "init");
  pollfd supervisor = {.fd = channel, .events = POLLIN, .revents = 0};
  if (::poll(&supervisor, 1, 0) > 0 && (supervisor.revents & POLLHUP)) ::_exit(127);  // it died before the prctl
}

// `kept` is ascending. Closing marks instead what must last until exec.
bool close_others(const Plan& plan, int channel) {
  unsigned from = 3;
  bool channel_passed = false;
  auto skip = [&](int fd) {
    unsigned number = static_cast<unsigned>(fd);
    bool ok = number <= from || ::close_range(from, number - 1, 0) == 0;
    from = number + 1;
    return ok;
  };
  for (int fd : plan.keep) {
    if (!channel_passed && channel < fd) {
      channel_passed = true;
      if (!skip(channel)) return false;
    }
    if (!skip(fd)) return false;
  }
  if (!channel_passed && !skip(channel)) return false;
  return ::close_range(from, ~0u, 0) == 0;
}

struct Filter {
  Message counted;
  sock_filter instructions[BPF_MAXINSNS];
  unsigned short count;
};

void receive_filter(int channel, Filter& filter) {
  if (!receive_message(channel, filter.counted)) ::_exit(127);  // the supervisor has its reasons
  ssize_t n;
  do n = ::recv(channel, filter.instructions, sizeof filter.instructions, 0);
  while (n < 0 && errno == EINTR);
  if (n <= 0) ::_exit(127);
  filter.count = static_cast<unsigned short>(static_cast<size_t>(n) / sizeof(sock_filter));
}

[[noreturn]] void run_command(Plan& plan, int channel, const Filter& filter, mode_t umask_outside) {
  ::setsid();  // a session of its own: no terminal, and no part in init's
  ::umask(umask_outside);
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (::chdir(plan.directory.c_str()) < 0) fail_setup(channel, "enter", plan.directory.c_str());
  if (!set_limits(plan.limits, filter.counted.processes)) fail_setup(channel, "set", "resource limits");
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) fail_setup(channel, "set", "no_new_privs");
  if (plan.landlock_version > 0 && !confine_by_landlock(plan)) fail_setup(channel, "confine by", "Landlock");
  if (!load_filter(filter.instructions, filter.count))
    fail_setup(channel, "load", "system-call filter");
  environ = plan.environment_pointers.data();
  ::execvp(plan.argv_pointers[0], plan.argv_pointers.data());
  fail_setup(channel, "run", plan.argv_pointers[0]);
}

void tell_started(int channel) {
  Message message{};
  message.kind = Message::started;
  message.at_ns = now_ns();
  ::getrusage(RUSAGE_SELF, &message.init);
  send_message(channel, message);
}

// How long the tree can go unmeasured without passing a limit by much.
double patience_s(const TreeUse& use, const Plan& plan) {
  constexpr double bytes_per_s = 8e9;  // as fast as a few cores fault memory in
  double cpu = (plan.limits.cpu_s - use.cpu_s) / plan.processors;
  double memory = static_cast<double>(plan.limits.memory_bytes - use.rss_bytes) / bytes_per_s;
  return std::clamp(std::min(cpu, memory), 0.02, 0.5);
}

// Kills the rest of the tree and reaps it, so that its usage counts: what the kernel kills after us, it reaps
// uncounted.
[[noreturn]] void end_tree(int channel, char limit, int status, int64_t peak_rss_bytes) {
  Message message{};
  message.kind = Message::ended;
  message.limit = limit;
  message.status = status;
  message.peak_rss_bytes = peak_rss_bytes;
  message.at_ns = now_ns();
  ::kill(-1, SIGKILL);
  while (::waitpid(-1, nullptr, __WALL) > 0 || errno == EINTR) {
  }
  ::getrusage(RUSAGE_SELF, &message.init);
  send_message(channel, message);
  ::_exit(0);
}

// Whether the signal is the supervisor's word to end: of a sender outside our pid namespace, process 1 sees pid 0, and
// kill(2) is the only call that leaves SI_USER there.
bool told_to_end(const siginfo_t& info) {
  return info.si_signo == SIGTERM && info.si_code == SI_USER && info.si_pid == 0;
}

[[noreturn]] void reap_until_end(pid_t command, const Plan& plan, bool memory_counted, int channel) {
  sigset_t awaited;  // blocked since before the fork
  ::sigemptyset(&awaited);
  ::sigaddset(&awaited, SIGCHLD);
  ::sigaddset(&awaited, SIGTERM);
  TreeUse use;
  int64_t peak = 0;
  for (;;) {
    int status = 0;
    pid_t pid;
    // Neither WUNTRACED nor WCONTINUED: a command that someone outside froze has not ended.
    while ((pid = ::waitpid(-1, &status, WNOHANG | __WALL)) > 0)
      if (pid == command) end_tree(channel, 0, status, peak);
    double wait_s = patience_s(use, plan);
    timespec timeout = {.tv_sec = 0, .tv_nsec = static_cast<long>(wait_s * 1e9)};
    siginfo_t info = {};
    int number = ::sigtimedwait(&awaited, &info, &timeout);
    if (number > 0 && told_to_end(info)) end_tree(channel, 0, 0, peak);
    if (number > 0 || errno != EAGAIN) continue;
    use = measure_tree();
    peak = std::max(peak, use.rss_bytes);
    if (use.cpu_s > plan.limits.cpu_s) end_tree(channel, 'c', 0, peak);
    // Pages that processes share count in each, so that the group's own account is the better one.
    if (!memory_counted && use.rss_bytes > plan.limits.memory_bytes) end_tree(channel, 'm', 0, peak);
  }
}

}  // namespace

void run_init(Plan& plan, int channel) {
  mode_t umask_outside = ::umask(022);
  ::setsid();
  std::memset(plan.own_arguments, 0, plan.own_arguments_size);
  volunteer_for_oom_killer();
  if (!plan.identity.privileged && !write_own_id_maps(plan.uid_map.c_str(), plan.gid_map.c_str()))
    fail_setup(channel, "make", "sandbox");
  build_root(plan, channel);
  Filter filter;
  receive_filter(channel, filter);
  if (::sethostname("sandbox", 7) < 0) fail_setup(channel, "name", "host");
  enter_time_namespace(plan, channel);
  become_nobody(plan, channel);
  guard_init(channel);
  if ((plan.out >= 0 && ::dup2(plan.out, 1) < 0) || (plan.err >= 0 && ::dup2(plan.err, 2) < 0))
    fail_setup(channel, "capture", "output");
  if (!close_others(plan, channel)) fail_setup(channel, "close", "descriptors");
  tell_started(channel);
  pid_t command = ::fork();
  if (command < 0) fail_setup(channel, "fork", plan.argv_pointers[0]);
  if (command == 0) run_command(plan, channel, filter, umask_outside);
  reap_until_end(command, plan, filter.counted.memory, channel);
}

}  // namespace assay
