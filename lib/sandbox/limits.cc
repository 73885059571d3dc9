#include "sandbox/limits.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "base/fd.h"

namespace assay {
namespace {

bool limit(__rlimit_resource_t resource, rlim_t value) {
  struct rlimit now;
  if (::getrlimit(resource, &now) < 0) return false;
  if (now.rlim_max != RLIM_INFINITY) value = std::min(value, now.rlim_max);  // what is tighter already stays
  now.rlim_cur = now.rlim_max = value;
  return ::setrlimit(resource, &now) == 0;
}

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; }

// Adds one /proc/PID/stat: "pid (name) state ppid …"; the name may hold anything, so fields are counted from the last
// ')'.
void add_process(const char* pid, TreeUse& use) {
  char path[64] = "/proc/";
  std::strncat(path, pid, 20);
  std::strcat(path, "/stat");
  Fd fd(::open(path, O_RDONLY | O_CLOEXEC));
  char text[1024];
  ssize_t n = fd ? ::read(fd.get(), text, sizeof text - 1) : -1;
  if (n <= 0) return;  // gone meanwhile: its time then counts as reaped
  text[n] = 0;
  char* field = std::strrchr(text, ')');
  if (!field) return;
  long ticks = 0, pages = 0;
  int number = 2;
  for (field = std::strchr(field, ' '); field; field = std::strchr(field + 1, ' ')) {
    ++number;
    if (number >= 14 && number <= 17) ticks += std::strtol(field, nullptr, 10);  // utime, stime, cutime, cstime
    if (number == 24) pages = std::strtol(field, nullptr, 10);
  }
  use.cpu_s += static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  use.rss_bytes += pages * ::sysconf(_SC_PAGESIZE);
}

}  // namespace

bool set_limits(const Limits& l, bool counted) {
  auto size = [](int64_t bytes) { return static_cast<rlim_t>(bytes); };
  return limit(RLIMIT_CORE, 1) &&  // not 0: a core_pattern that names a program ignores 0, and heeds 1
         limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(l.cpu_s)) + 1) &&  // init measures the tree; this backs it up
         limit(RLIMIT_DATA, size(l.memory_bytes)) &&
         limit(RLIMIT_NPROC, size(l.processes) + (counted ? 2 : 1)) &&  // init is one
         limit(RLIMIT_NOFILE, size(l.open_files)) && limit(RLIMIT_FSIZE, size(l.file_bytes)) &&
         limit(RLIMIT_STACK, size(l.stack_bytes)) && limit(RLIMIT_MEMLOCK, size(l.locked_bytes)) &&
         limit(RLIMIT_MSGQUEUE, 0) && limit(RLIMIT_SIGPENDING, 256) && limit(RLIMIT_RTPRIO, 0) &&
         limit(RLIMIT_NICE, 0);
}

TreeUse measure_tree() {
  TreeUse use;
  struct rusage reaped;
  ::getrusage(RUSAGE_CHILDREN, &reaped);
  use.cpu_s = seconds(reaped.ru_utime) + seconds(reaped.ru_stime);
  Fd proc(::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!proc) return use;
  alignas(8) char entries[4096];
  for (long n; (n = ::syscall(SYS_getdents64, proc.get(), entries, sizeof entries)) > 0;)
    for (long at = 0; at < n;) {
      // struct linux_dirent64: inode 8, offset 8, length 2, type 1, then the name.
      unsigned short length;
      std::memcpy(&length, entries + at + 16, sizeof length);
      const char* name = entries + at + 19;
      if (*name >= '1' && *name <= '9' && std::strcmp(name, "1") != 0) add_process(name, use);
      at += length;
    }
  return use;
}

}  // namespace assay
