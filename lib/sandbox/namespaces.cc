#include "sandbox/namespaces.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/capability.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <sstream>

#include "base/error.h"

namespace assay {
namespace {

constexpr unsigned long sandbox_namespaces =
    CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

pid_t raw_fork(unsigned long flags) {
  // Without a stack of its own the child goes on where it is, as with fork; the zeros stand for either order of
  // ctid/tls.
  return static_cast<pid_t>(::syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0));
}

bool have_capability(cap_value_t capability) {
  cap_t current = ::cap_get_proc();
  cap_flag_value_t value = CAP_CLEAR;
  if (current) ::cap_get_flag(current, capability, CAP_EFFECTIVE, &value);
  ::cap_free(current);
  return value == CAP_SET;
}

// Whether `id` exists in our user namespace, and what it is in the one above.
bool mapped(const char* map, unsigned id, unsigned& above) {
  std::istringstream lines(read_file(map));
  for (unsigned long inner, outer, count; lines >> inner >> outer >> count;)
    if (id >= inner && id - inner < count) {
      above = static_cast<unsigned>(outer + (id - inner));
      return true;
    }
  return false;
}

void write_proc(const std::string& path, const std::string& text) {
  Fd fd = open_file(path, O_WRONLY);
  write_all(fd.get(), text, path);
}

std::string map_line(unsigned inner, unsigned outer) {
  return std::to_string(inner) + " " + std::to_string(outer) + " 1\n";
}

std::string read_setting(const std::string& path) {
  try {
    std::string text = read_file(path, 64);
    return text.substr(0, text.find('\n'));
  } catch (const Error&) {
    return "";  // a kernel without this setting
  }
}

// In a chroot the root is no mount point, unless the folder was one.
bool inside_chroot() {
  std::istringstream lines(read_file("/proc/self/mountinfo"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string id, parent, device, root, point;
    fields >> id >> parent >> device >> root >> point;
    if (point == "/") return false;
  }
  return true;
}

bool write_text(const char* path, const char* text) {
  Fd fd(::open(path, O_WRONLY | O_CLOEXEC));
  return fd && ::write(fd.get(), text, std::strlen(text)) == static_cast<ssize_t>(std::strlen(text));
}

}  // namespace

Identity choose_identity() {
  if (::getuid() != ::geteuid() || ::getgid() != ::getegid())
    throw Error("start", "sandbox-run", "it is installed set-user-ID or set-group-ID, which it must not be");
  Identity who;
  who.outer_uid = ::getuid();
  who.outer_gid = ::getgid();
  if (who.outer_uid != 0) {
    who.inner_uid = who.outer_uid;
    who.inner_gid = who.outer_gid;
    return who;
  }
  unsigned above = 0;
  who.inner_uid = who.inner_gid = nobody;
  bool can_change_user = mapped("/proc/self/uid_map", nobody, above) && mapped("/proc/self/gid_map", nobody, above) &&
                         have_capability(CAP_SETUID) && have_capability(CAP_SETGID);
  if (can_change_user && have_capability(CAP_SYS_ADMIN)) {
    who.privileged = true;
    who.outer_uid = who.outer_gid = nobody;
    return who;
  }
  // The root of a user namespace that maps one ordinary user: that user is who the command runs as.
  if (mapped("/proc/self/uid_map", 0, above) && above != 0) return who;
  throw Error("confine", "command",
              "started as root without the capabilities to become another user (CAP_SYS_ADMIN, CAP_SETUID, CAP_SETGID, "
              "uid 65534); start sandbox-run as an ordinary user");
}

pid_t fork_into_namespaces(const Identity& identity) {
  return raw_fork(sandbox_namespaces | (identity.privileged ? 0 : static_cast<unsigned long>(CLONE_NEWUSER)));
}

void write_id_maps(pid_t process, uid_t inner_uid, uid_t outer_uid, gid_t inner_gid, gid_t outer_gid) {
  std::string folder = "/proc/" + std::to_string(process);
  write_proc(folder + "/uid_map", map_line(inner_uid, outer_uid));
  write_proc(folder + "/setgroups", "deny");
  write_proc(folder + "/gid_map", map_line(inner_gid, outer_gid));
}

bool write_own_id_maps(const char* uid_map, const char* gid_map) {
  return write_text("/proc/self/uid_map", uid_map) && write_text("/proc/self/setgroups", "deny") &&
         write_text("/proc/self/gid_map", gid_map);
}

Fd make_mount_id_map(uid_t uid, gid_t gid) {
  auto [wait, release] = make_pipe();
  pid_t holder = raw_fork(CLONE_NEWUSER);
  if (holder < 0) throw Error("create", "user namespace for an id-mapped mount", explain_refusal(errno));
  if (holder == 0) {
    release.reset();
    char byte;
    [[maybe_unused]] ssize_t n = ::read(wait.get(), &byte, 1);  // lives until the maps are written
    ::_exit(0);
  }
  Fd result;
  try {
    write_id_maps(holder, uid, nobody, gid, nobody);
    result = open_file("/proc/" + std::to_string(holder) + "/ns/user", O_RDONLY);
  } catch (...) {
    ::kill(holder, SIGKILL);
    while (::waitpid(holder, nullptr, 0) < 0 && errno == EINTR) {
    }
    throw;
  }
  release.reset();
  while (::waitpid(holder, nullptr, 0) < 0 && errno == EINTR) {
  }
  return result;
}

std::string explain_refusal(int error) {
  std::string cause = std::strerror(error);
  if (read_setting("/proc/sys/user/max_user_namespaces") == "0")
    return cause + "; user namespaces are switched off: sysctl -w user.max_user_namespaces=10000";
  if (read_setting("/proc/sys/kernel/unprivileged_userns_clone") == "0")
    return cause + "; user namespaces are kept from ordinary users: sysctl -w kernel.unprivileged_userns_clone=1";
  if (inside_chroot())
    return cause + "; this is a chroot, where the kernel makes no sandbox: enter the folder by pivot_root instead, "
                   "as 'bwrap --bind FOLDER / --dev /dev --proc /proc' does";
  if (read_setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1")
    return cause + "; AppArmor keeps user namespaces from ordinary users: "
                   "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or run as root";
  return cause + "; the kernel or a container around us refuses namespaces or mounts: run outside the container, or "
                 "give it the right to them (docker run --privileged)";
}

}  // namespace assay
