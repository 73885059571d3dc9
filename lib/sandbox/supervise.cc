// Theory of operation
//
// Three processes. The supervisor (this file) is outside and trusted. It prepares a plan (plan.cc), and forks init
// (init.cc) into new namespaces. Init builds the root (mounts.cc), gives up its privileges (namespaces.cc,
// capabilities.cc), and forks the command's process, which sets its limits (limits.cc), loads the filter (seccomp.cc)
// and executes the command. Init and supervisor talk over a socket pair that the command never sees (channel.h); a
// step that fails says so there, so a failure of the sandbox is never taken for the command's own.
//
// Who ends what:
// - The command ends: init kills and reaps what is left, whatever session or parent it has, says how it ended, and
//   exits.
// - CPU or memory of the tree pass a limit: init, which alone can see the whole tree in its /proc, does the same.
// - Wall clock, captured output, a signal to us: we send init SIGTERM, and it does the same. If it does not (it
//   always should), SIGKILL ends it a little later, and with process 1 of a pid namespace the kernel kills all others
//   in it.
// - We are killed: init's parent-death signal kills init, which kills the tree. The kernel lets init be reaped only
//   when its namespace is empty. So once wait4 returns nothing of the command is left, the usage it gives includes
//   every process of the tree, and the record can be written where the command could once write.
//
// Nothing that the command says is believed: its exit status is as the kernel reports it to init, and init cannot be
// traced, signalled or written to by it.
#include "sandbox/supervise.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "base/clock.h"
#include "base/error.h"
#include "sandbox/capture.h"
#include "sandbox/cgroup.h"
#include "sandbox/channel.h"
#include "sandbox/init.h"
#include "sandbox/seccomp.h"

namespace assay {
namespace {

constexpr const char* protections[] = {
    "user_namespace",     "mount_namespace", "pid_namespace",     "network_namespace", "ipc_namespace", "uts_namespace",
    "cgroup_namespace",   "time_namespace",  "read_only_root",  "private_folders",   "closed_descriptors", "not_root",
    "no_new_privileges",  "no_capabilities", "landlock",          "seccomp",           "resource_limits",   "tree_limits",
    "cgroup_memory",      "cgroup_processes",
};

constexpr int64_t patience_ns = 2000000000;  // for init to end the tree
constexpr int64_t look_ns = 250000000;       // between looks at the control groups

// Init, owned: killed and reaped with its owner, and the tree with it.
class Init {
 public:
  explicit Init(pid_t pid) : pid_(pid) {}
  Init(const Init&) = delete;
  ~Init() {
    if (pid_ <= 0) return;
    kill(SIGKILL);
    while (::waitpid(pid_, nullptr, __WALL) < 0 && errno == EINTR) {
    }
  }
  pid_t pid() const { return pid_; }
  void kill(int number) { ::kill(pid_, number); }
  struct rusage reap() {
    struct rusage use = {};
    while (::wait4(pid_, nullptr, __WALL, &use) < 0)
      if (errno != EINTR) throw errno_error("wait for", "sandbox");
    pid_ = -1;
    return use;
  }

 private:
  pid_t pid_;
};

// Signals that end the tree are read from a descriptor; SIGCHLD and SIGTERM stay blocked in init, which inherits the
// mask.
class Signals {
 public:
  Signals() {
    sigset_t watched;
    ::sigemptyset(&watched);
    for (int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) ::sigaddset(&watched, number);
    ::signal(SIGCHLD, SIG_DFL);  // whoever started us may ignore it, and then nothing could be waited for
    sigset_t blocked = watched;
    ::sigaddset(&blocked, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &blocked, &before_);
    fd_ = Fd(::signalfd(-1, &watched, SFD_CLOEXEC));
    if (!fd_) throw errno_error("create", "signalfd");
  }
  Signals(const Signals&) = delete;
  ~Signals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  int fd() const { return fd_.get(); }
  int take() {
    signalfd_siginfo info = {};
    return ::read(fd_.get(), &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
  }

 private:
  sigset_t before_;
  Fd fd_;
};

std::string limit_message(EndedBy limit, const Limits& limits, double wall_s) {
  std::ostringstream text;
  text << "the command passed its limit of ";
  if (limit == EndedBy::wall) text << wall_s << " s";
  else if (limit == EndedBy::cpu) text << limits.cpu_s << " s of CPU time";
  else if (limit == EndedBy::memory) text << limits.memory_bytes << " bytes of memory";
  else if (limit == EndedBy::processes) text << limits.processes << " processes and threads";
  else if (limit == EndedBy::output) text << limits.output_bytes << " bytes of output";
  else return "";
  return text.str();
}

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; }

std::string setup_error(const Message& message) {
  std::string cause = std::strerror(message.error);
  if (std::strcmp(message.object, "sandbox") == 0) cause = explain_refusal(message.error);
  if (std::strcmp(message.operation, "map owners of") == 0)
    cause += "; its file system can't map owners, which root needs to run the command as another user: use a folder "
             "on ext4, xfs, btrfs or /dev/shm, or start sandbox-run as an ordinary user";
  if (std::strcmp(message.operation, "run") == 0) cause += " (in the sandbox: man sandbox-run)";
  return Error(message.operation, message.object, cause).what();
}

// One run, watched from the fork to the end of the tree.
class Supervision {
 public:
  Supervision(const Plan& plan, double wall_s, Init& init, int channel, Signals& signals,
              std::vector<Capture>& captures, const Cgroup& group)
      : plan_(plan), deadline_ns_(now_ns() + static_cast<int64_t>(wall_s * 1e9)), init_(init), channel_(channel),
        signals_(signals), captures_(captures), group_(group) {
    if (plan.landlock_version == 0) missing_.push_back("landlock");
    if (!group.holds_memory()) missing_.push_back("cgroup_memory");
    if (!group.holds_processes()) missing_.push_back("cgroup_processes");
  }

  void watch() {
    bool alive = true;  // init holds the other end of the channel, alone
    while (alive) {
      int64_t left_ns = deadline_ns_ - now_ns();
      if (left_ns <= 0) end(EndedBy::wall);
      if (ended_ && now_ns() - end_ns_ > patience_ns) init_.kill(SIGKILL);
      std::vector<pollfd> waits = {{channel_, POLLIN, 0}, {signals_.fd(), POLLIN, 0}};
      for (const Capture& capture : captures_) waits.push_back({capture.read_end(), POLLIN, 0});
      if (group_.out_of_memory()) end(EndedBy::memory);
      if (group_.too_many_processes()) end(EndedBy::processes);
      int64_t wait_ns = ended_ ? patience_ns : std::min(left_ns, look_ns);
      int timeout_ms = static_cast<int>(std::min<int64_t>(wait_ns / 1000000 + 1, 60000));
      if (::poll(waits.data(), waits.size(), timeout_ms) < 0 && errno != EINTR)
        throw errno_error("wait for", "sandbox");
      if (waits[1].revents) pass_on(signals_.take());
      for (Capture& capture : captures_) {
        capture.read_some();
        if (capture.result().truncated) end(EndedBy::output);
      }
      if (waits[0].revents) alive = take_message();
    }
  }

  void fill(Run& run, const struct rusage& use) {
    int64_t end_ns = end_ns_ ? end_ns_ : now_ns();
    // What the tree died of in the last moment, or init with it.
    if (!ended_ || ended_ == EndedBy::exit || ended_ == EndedBy::signal) {
      if (group_.out_of_memory()) ended_ = EndedBy::memory;
      else if (group_.too_many_processes()) ended_ = EndedBy::processes;
    }
    run.ended_by = ended_.value_or(EndedBy::sandbox);
    run.wall_time_s = start_ns_ ? static_cast<double>(end_ns - start_ns_) * 1e-9 : 0;
    run.user_time_s = std::max(0.0, seconds(use.ru_utime) - seconds(init_use_.ru_utime));
    run.system_time_s = std::max(0.0, seconds(use.ru_stime) - seconds(init_use_.ru_stime));
    run.max_rss_bytes = use.ru_maxrss * 1024L;
    std::optional<int64_t> charged = group_.peak_memory_bytes();
    run.peak_memory_bytes = charged.value_or(std::max(peak_rss_bytes_, run.max_rss_bytes));
    run.peak_memory_by = charged ? "cgroup" : "sampling";
    run.message = message_;
    for (const char* protection : protections) {
      bool missing = std::find(missing_.begin(), missing_.end(), protection) != missing_.end();
      (missing ? run.protections_missing : run.protections).push_back(protection);
    }
    if (run.ended_by == EndedBy::sandbox) run.protections.clear();
    if (!ended_ && message_.empty()) run.message = "the sandbox was killed from outside (out of memory?)";
    if (run.ended_by == EndedBy::signal) run.signal = signal_;
    if (run.ended_by == EndedBy::exit) run.exit_code = exit_code_;
  }

 private:
  // The first cause counts.
  void end(EndedBy cause) {
    if (!ended_) {
      ended_ = cause;
      end_ns_ = now_ns();
      init_.kill(start_ns_ ? SIGTERM : SIGKILL);  // before the start init does not listen yet, and nothing is lost
    }
  }

  void pass_on(int number) {
    if (ended_ || number == 0) return;
    signal_ = number;
    message_ = std::string("sandbox-run received SIG") + ::sigabbrev_np(number) + " and ended the command";
    end(EndedBy::signal);
  }

  bool take_message() {
    Message message;
    if (!receive_message(channel_, message)) return false;
    if (message.kind == Message::map_ids) {
      const Identity& who = plan_.identity;
      write_id_maps(init_.pid(), who.inner_uid, who.outer_uid, who.inner_gid, who.outer_gid);
      message.kind = Message::go;
      send_message(channel_, message);
    } else if (message.kind == Message::missing) {
      missing_.push_back(message.object);
    } else if (message.kind == Message::started) {
      start_ns_ = message.at_ns;
      init_use_ = message.init;
    } else if (message.kind == Message::failed && !ended_) {
      ended_ = EndedBy::sandbox;
      end_ns_ = now_ns();
      message_ = setup_error(message);
    } else if (message.kind == Message::ended) {
      init_use_ = message.init;
      peak_rss_bytes_ = message.peak_rss_bytes;
      if (!ended_) take_end(message);
    }
    return true;
  }

  void take_end(const Message& message) {
    end_ns_ = message.at_ns;
    bool by_signal = WIFSIGNALED(message.status);
    signal_ = by_signal ? WTERMSIG(message.status) : 0;
    exit_code_ = by_signal ? 0 : WEXITSTATUS(message.status);
    ended_ = message.limit == 'm'                                  ? EndedBy::memory
             : message.limit == 'c' || (by_signal && signal_ == SIGXCPU) ? EndedBy::cpu
             : by_signal                                           ? EndedBy::signal
                                                                   : EndedBy::exit;
  }

  const Plan& plan_;
  int64_t deadline_ns_;
  Init& init_;
  int channel_;
  Signals& signals_;
  std::vector<Capture>& captures_;
  const Cgroup& group_;
  std::optional<EndedBy> ended_;
  int64_t start_ns_ = 0, end_ns_ = 0, peak_rss_bytes_ = 0;
  struct rusage init_use_ = {};
  int signal_ = 0, exit_code_ = 0;
  std::vector<std::string> missing_;  // protections
  std::string message_;
};

void require(bool held, const char* protection, const Policy& policy) {
  if (!held && !policy.is_optional(protection))
    throw Error("limit the tree by", protection,
                "this host lends no control group for it: delegate one (systemd-run --user --scope -p Delegate=yes), run as "
                "root, or mark it optional in the policy");
}

void confine(const Policy& policy, Plan& plan, const Request& request, Signals& signals, Run& run) {
  std::vector<Capture> captures;
  if (request.capture) {
    for (int i = 0; i < 2; ++i) captures.emplace_back(static_cast<size_t>(plan.limits.output_bytes));
    plan.out = captures[0].write_end();
    plan.err = captures[1].write_end();
  }
  auto [ours, inits] = make_socketpair();
  pid_t pid = fork_into_namespaces(plan.identity);
  if (pid == 0) run_init(plan, inits.get());
  if (pid < 0) throw Error("make", "sandbox", explain_refusal(errno));
  Init init(pid);
  inits.reset();
  for (Capture& c : captures) c.close_write_end();
  // Control groups and filter are made while init makes the root; it goes on when it has both.
  Cgroup group(plan.limits);
  group.add(init.pid());
  require(group.holds_memory(), "cgroup_memory", policy);
  require(group.holds_processes(), "cgroup_processes", policy);
  Message counted{};
  counted.kind = Message::counted;
  counted.memory = group.holds_memory();
  counted.processes = group.holds_processes();
  send_message(ours.get(), counted);
  std::vector<sock_filter> filter = make_filter(policy.system_calls);
  ::send(ours.get(), filter.data(), filter.size() * sizeof(sock_filter), MSG_NOSIGNAL);  // if init died, watch sees
  double wall_s = request.wall_s.value_or(policy.limits.wall_s);
  Supervision supervision(plan, wall_s, init, ours.get(), signals, captures, group);
  supervision.watch();
  struct rusage use = init.reap();
  for (Capture& c : captures) c.read_some();
  supervision.fill(run, use);
  if (run.message.empty()) run.message = limit_message(run.ended_by, plan.limits, wall_s);
  if (request.capture) {
    run.out = captures[0].result();
    run.err = captures[1].result();
  }
}

}  // namespace

Run supervise(const Policy& policy, const Request& request) {
  Run run;
  run.argv = request.argv;
  run.policy = policy.name;
  run.policy_sha256 = policy.sha256;
  Signals signals;
  Plan plan = make_plan(policy, request);
  try {
    confine(policy, plan, request, signals, run);
  } catch (const Error& e) {
    run.ended_by = EndedBy::sandbox;
    run.message = e.what();
  }
  return run;
}

}  // namespace assay
