#include "sandbox/seccomp.h"

#include <asm/ioctls.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <set>

#include "base/error.h"
#include "base/fd.h"

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

namespace assay {
namespace {

struct Release {
  void operator()(void* context) const { ::seccomp_release(context); }
};
using Context = std::unique_ptr<void, Release>;

// One allowed form of a call. `mask` 0 allows only `values` for the argument; otherwise argument & mask must be a
// value. The kernel reads these arguments as 32 bits and the filter sees 64: one with upper bits set equals no value
// here, and is refused.
struct Variant {
  const char* name;
  unsigned argument;
  uint64_t mask;
  std::vector<uint64_t> values;
};

constexpr uint64_t new_namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
                                    CLONE_NEWPID | CLONE_NEWNET;

// Commands that arrange for a signal of one's own choosing are absent from fcntl (F_SETSIG, F_SETOWN, F_NOTIFY,
// F_SETLEASE): SIGCONT would thaw a process that the verifier froze.
const std::vector<Variant>& variants() {
  static const std::vector<Variant> table = {
      {"clone:thread", 0, CLONE_THREAD | new_namespaces, {CLONE_THREAD}},
      {"clone:process", 0, new_namespaces, {0}},
      {"fcntl:plain", 1, 0,
       {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK,
        F_OFD_SETLK, F_OFD_SETLKW, F_GETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS}},
      {"ioctl:plain", 1, 0, {TCGETS, TIOCGWINSZ, TIOCGPGRP, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX}},
      {"ioctl:terminal", 1, 0, {TCSETS, TCSETSW, TCSETSF, TCFLSH, TCSBRK, TCXONC, TIOCSPGRP}},
      {"prctl:plain", 0, 0,
       {PR_SET_NAME, PR_GET_NAME, PR_SET_DUMPABLE, PR_GET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS,
        PR_SET_TIMERSLACK, PR_GET_TIMERSLACK, PR_SET_THP_DISABLE, PR_GET_THP_DISABLE, PR_CAPBSET_READ, PR_SET_VMA}},
      {"socket:unix", 0, 0, {AF_UNIX}},
      {"socketpair:unix", 0, 0, {AF_UNIX}},
  };
  return table;
}

// What no policy allows in any other form. A file with the set-user-ID bit, left in a folder of the caller's, would be the
// caller's program: outside, whoever runs it is the caller. And init, which has the command's own user, must keep its
// limits and its priority, or it can't watch the tree.
const std::vector<Variant>& guarded() {
  constexpr uint64_t set_id = S_ISUID | S_ISGID;
  static const std::vector<Variant> table = {
      {"open", 2, set_id, {0}},          {"openat", 3, set_id, {0}},    {"creat", 1, set_id, {0}},
      {"chmod", 1, set_id, {0}},         {"fchmod", 1, set_id, {0}},    {"fchmodat", 2, set_id, {0}},
      {"mknod", 1, set_id, {0}},         {"mknodat", 2, set_id, {0}},   {"prlimit64", 0, 0, {0}},
      {"setpriority", 1, 0, {0}},        {"sched_setparam", 0, 0, {0}}, {"sched_setscheduler", 0, 0, {0}},
  };
  return table;
}

// Closed with EPERM, unless the policy allows them; io_uring_* and clone3 are left to ENOSYS, so that libraries fall
// back.
const char* const closed[] = {
    "add_key", "bpf", "chroot", "clone", "delete_module", "fanotify_init", "finit_module", "fork", "fsconfig",
    "fsmount", "fsopen", "fspick", "init_module", "kcmp", "kexec_file_load", "kexec_load", "keyctl", "mount",
    "mount_setattr", "move_mount", "mq_notify", "mq_open", "name_to_handle_at", "open_by_handle_at", "open_tree",
    "perf_event_open", "personality", "pidfd_getfd", "pidfd_open", "pidfd_send_signal", "pivot_root",
    "process_vm_readv", "process_vm_writev", "ptrace", "quotactl", "reboot", "request_key", "seccomp",
    "setdomainname", "sethostname", "setns", "settimeofday", "shmget", "socket", "swapon", "syslog", "timer_create",
    "umount2", "unshare", "userfaultfd", "vfork", "vhangup",
};

void check(int result, const std::string& object) {
  if (result != 0) throw Error("add system call to the filter", object, std::strerror(-result));
}

// Negative if other architectures have the call and this one doesn't, as arm64 has no open(2).
int number_of(const std::string& name) {
  int number = ::seccomp_syscall_resolve_name(name.c_str());
  if (number == __NR_SCMP_ERROR) throw Error("allow system call", name, "is unknown to this system's libseccomp");
  return number;
}

void add_rule(scmp_filter_ctx context, uint32_t action, const std::string& name,
              const scmp_arg_cmp* compare = nullptr) {
  int number = number_of(name);
  if (number >= 0) check(::seccomp_rule_add_array(context, action, number, compare ? 1 : 0, compare), name);
}

// Whether the table has the name; then its forms are allowed.
bool allow_forms(scmp_filter_ctx context, const std::vector<Variant>& table, const std::string& full_name) {
  for (const Variant& variant : table) {
    if (full_name != variant.name) continue;
    for (uint64_t value : variant.values) {
      scmp_arg_cmp compare = variant.mask ? SCMP_CMP64(variant.argument, SCMP_CMP_MASKED_EQ, variant.mask, value)
                                          : SCMP_CMP64(variant.argument, SCMP_CMP_EQ, value);
      add_rule(context, SCMP_ACT_ALLOW, full_name.substr(0, full_name.find(':')), &compare);
    }
    return true;
  }
  return false;
}

void allow_variant(scmp_filter_ctx context, const std::string& full_name) {
  if (allow_forms(context, variants(), full_name)) return;
  std::string known;
  for (const Variant& variant : variants()) known += std::string(known.empty() ? "" : ", ") + variant.name;
  throw Error("allow system call", full_name, "is no variant known here (" + known + ")");
}

// A forbidden form of fork says "not permitted", not "not implemented".
void close_processes(scmp_filter_ctx context) {
  scmp_arg_cmp compare = SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0);
  add_rule(context, SCMP_ACT_ERRNO(EPERM), "clone", &compare);
}

}  // namespace

std::vector<sock_filter> make_filter(const std::vector<std::string>& allowed) {
  Context context(::seccomp_init(SCMP_ACT_ERRNO(ENOSYS)));
  if (!context) throw errno_error("start", "system-call filter");
  check(::seccomp_attr_set(context.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS), "bad architecture");
  check(::seccomp_attr_set(context.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2), "optimisation");

  std::set<std::string> names(allowed.begin(), allowed.end());
  std::set<std::string> open;
  for (const std::string& name : names) {
    size_t colon = name.find(':');
    open.insert(name.substr(0, colon));
    if (colon != std::string::npos)
      allow_variant(context.get(), name);
    else if (!allow_forms(context.get(), guarded(), name))
      add_rule(context.get(), SCMP_ACT_ALLOW, name);
  }
  for (const char* name : closed)
    if (!open.count(name)) add_rule(context.get(), SCMP_ACT_ERRNO(EPERM), name);
  if (names.count("clone:thread") && !names.count("clone:process")) close_processes(context.get());

  Fd file = make_memfd("seccomp filter", 0);
  check(::seccomp_export_bpf(context.get(), file.get()), "export");
  off_t bytes = ::lseek(file.get(), 0, SEEK_END);
  if (bytes <= 0 || bytes > static_cast<off_t>(BPF_MAXINSNS * sizeof(sock_filter)))
    throw Error("make", "system-call filter", "is longer than the kernel takes");
  std::vector<sock_filter> filter(static_cast<size_t>(bytes) / sizeof(sock_filter));
  if (::pread(file.get(), filter.data(), static_cast<size_t>(bytes), 0) != bytes)
    throw errno_error("read", "system-call filter");
  return filter;
}

bool load_filter(const sock_filter* instructions, unsigned short count) {
  sock_fprog program = {.len = count, .filter = const_cast<sock_filter*>(instructions)};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

}  // namespace assay
