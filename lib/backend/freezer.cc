#include "backend/freezer.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/clock.h"
#include "base/error.h"

namespace assay {
namespace {

constexpr int64_t longest_stop_ns = 2'000'000'000;  // a thread deep in the kernel (a page fault) stops late
constexpr int64_t longest_settle_ns = 50'000'000;
constexpr int64_t longest_tail_ns = 50'000;

struct CloseDir {
  void operator()(DIR* dir) const { ::closedir(dir); }
};

// Reads FOLDER/NAME, or FOLDER/NAME/FILE, a small file of /proc; false if it is gone or empty.
bool read_small(int folder, const char* name, const char* file, char (&text)[512]) {
  char path[96];
  std::snprintf(path, sizeof path, file ? "%s/%s" : "%s", name, file);
  Fd fd(::openat(folder, path, O_RDONLY | O_CLOEXEC));
  ssize_t n = fd ? ::read(fd.get(), text, sizeof text - 1) : -1;
  text[n > 0 ? n : 0] = 0;
  return n > 0;
}

template <typename Visit>
void each_thread(const Fd& tasks, Visit visit) {
  Fd copy(::openat(tasks.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::unique_ptr<DIR, CloseDir> dir(copy ? ::fdopendir(copy.get()) : nullptr);
  if (!dir) return;  // the process is gone
  copy.release();
  while (dirent* entry = ::readdir(dir.get()))
    if (entry->d_name[0] != '.') visit(entry->d_name);
}

struct Look {
  int threads = 0;
  bool stopped = true;
};

// Stopped counts as standing still, and so does a thread that has ended but for its entry (Z, X).
Look look(const Fd& tasks) {
  Look result;
  each_thread(tasks, [&](const char* thread) {
    char text[512];
    if (!read_small(tasks.get(), thread, "stat", text)) return;
    const char* name_end = std::strrchr(text, ')');  // the name before it is the candidate's to choose
    char state = name_end && name_end[1] == ' ' ? name_end[2] : '?';
    if (state == 'Z' || state == 'X') return;
    ++result.threads;
    if (state != 'T') result.stopped = false;
  });
  return result;
}

// How often the threads were given a processor: the third number of schedstat.
int64_t arrivals(const Fd& tasks) {
  int64_t sum = 0;
  each_thread(tasks, [&](const char* thread) {
    char text[512];
    if (!read_small(tasks.get(), thread, "schedstat", text)) return;
    const char* last_space = std::strrchr(text, ' ');
    if (last_space) sum += std::strtoll(last_space, nullptr, 10);
  });
  return sum;
}

// Nanoseconds that the process has run, all threads, to the instant: a thread on a processor shows as an advance.
int64_t cpu_ns(clockid_t clock) {
  timespec t{};
  if (::clock_gettime(clock, &t) < 0) return -1;
  return int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

void sleep_ns(long ns) {
  timespec t{0, ns};
  ::nanosleep(&t, nullptr);
}

}  // namespace

Freezer::Freezer(pid_t pid) : pid_(pid), process_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {
  std::string name = "/proc/" + std::to_string(pid);
  if (!process_) throw errno_error("open process", std::to_string(pid));
  tasks_ = open_file(name + "/task", O_RDONLY | O_DIRECTORY);
  std::string parent = process_status(pid, "PPid");
  parent_children_ = "/proc/" + parent + "/task/" + parent + "/children";
  int refused = ::clock_getcpuclockid(pid, &cpu_clock_);
  if (refused != 0) throw Error("read the CPU clock of", "process " + std::to_string(pid), std::strerror(refused));
  if (arrivals(tasks_) <= 0)
    throw Error("read", name + "/schedstat", "is empty; Assay needs a kernel with CONFIG_SCHED_INFO (all of Debian's)");
}

Freezer::State Freezer::freeze(int64_t& stopped_ns) {
  cpu_ns_ = -1;
  if (::syscall(SYS_pidfd_send_signal, process_.get(), SIGSTOP, nullptr, 0) < 0) return dead;
  int64_t start = now_ns();
  for (int round = 0;; ++round) {
    Look seen = look(tasks_);
    stopped_ns = now_ns();
    if (seen.threads == 0) return dead;
    if (seen.stopped) break;
    if (stopped_ns - start > longest_stop_ns) return unstoppable;
    // A thread must be run to see its signal: give it the processor that we may have taken from it.
    if (round < 50)
      ::sched_yield();
    else
      sleep_ns(50'000);
  }
  // A thread is marked stopped just before it leaves its processor.
  int64_t before = cpu_ns(cpu_clock_);
  for (int64_t deadline = now_ns() + longest_settle_ns;;) {
    int64_t after = cpu_ns(cpu_clock_);
    if (after == before) break;
    before = after;
    if (now_ns() > deadline) return unstoppable;
    ::sched_yield();
  }
  cpu_ns_ = before;
  arrivals_ = arrivals(tasks_);
  return frozen;
}

void Freezer::thaw() {
  cpu_ns_ = -1;
  ::syscall(SYS_pidfd_send_signal, process_.get(), SIGCONT, nullptr, 0);
}

// Two accounts must agree before an honest process is called a liar. A thread that was pre-empted in its last
// microsecond, on its way to stand still, is given a processor once more but hardly runs; on a virtual machine, time
// may be charged late, but then no processor was given.
bool Freezer::stayed() const {
  if (cpu_ns_ < 0) return false;
  Look seen = look(tasks_);
  if (seen.threads == 0 || !seen.stopped) return false;
  return cpu_ns(cpu_clock_) - cpu_ns_ <= longest_tail_ns || arrivals(tasks_) == arrivals_;
}

// An orphan becomes a child of the sandbox's init, which is the worker's parent too: so nobody can hide from both lists.
bool Freezer::alone() const {
  bool childless = true;
  each_thread(tasks_, [&](const char* thread) {
    char text[512];
    if (read_small(tasks_.get(), thread, "children", text)) childless = false;
  });
  char text[512];
  return childless && read_small(AT_FDCWD, parent_children_.c_str(), nullptr, text) &&
         text == std::to_string(pid_) + " ";
}

void Freezer::kill() { ::syscall(SYS_pidfd_send_signal, process_.get(), SIGKILL, nullptr, 0); }

std::string process_status(pid_t pid, const std::string& key) {
  Fd fd(::open(("/proc/" + std::to_string(pid) + "/status").c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return "";
  std::string text = "\n" + read_all(fd.get(), "process status", 1 << 16);
  size_t at = text.find("\n" + key + ":");
  if (at == std::string::npos) return "";
  size_t start = text.find_first_not_of(" \t", at + key.size() + 2);
  return text.substr(start, text.find_first_of("\t \n", start) - start);
}

}  // namespace assay
