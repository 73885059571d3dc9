#include "sandbox/landlock.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "sandbox/mount_api.h"

namespace assay {
namespace {

// <linux/landlock.h> of Debian 12 knows versions 1 and 2 only; later kernels take the longer structure.
struct Ruleset {
  uint64_t files, network, scoped;
};
struct __attribute__((packed)) Rule {
  uint64_t allowed;
  int32_t parent;
};
constexpr long create_ruleset = 444, add_rule = 445, restrict_self = 446;
constexpr unsigned ask_version = 1;
constexpr int rule_path_beneath = 1;

constexpr uint64_t executing = 1 << 0, writing = 1 << 1, reading = 1 << 2, listing = 1 << 3;
constexpr uint64_t remove_and_make = 0x1ff0;  // REMOVE_DIR to MAKE_SYM
constexpr uint64_t make_device = 1 << 6 | 1 << 11;
constexpr uint64_t refer = 1 << 13, truncating = 1 << 14, device_requests = 1 << 15;
constexpr uint64_t bind_and_connect = 3, sockets_and_signals = 3;

constexpr uint64_t read_rights = executing | reading | listing;
constexpr uint64_t write_rights = read_rights | writing | (remove_and_make & ~make_device) | refer | truncating;
constexpr uint64_t of_a_file = executing | writing | reading | truncating;  // all else is about what a folder holds

uint64_t known_to(int version) {
  uint64_t rights = 0x1fff;
  if (version >= 2) rights |= refer;
  if (version >= 3) rights |= truncating;
  if (version >= 5) rights |= device_requests;
  return rights;
}

class Rules {
 public:
  explicit Rules(int version) : known_(known_to(version)) {
    Ruleset all = {.files = known_, .network = version >= 4 ? bind_and_connect : 0,
                   .scoped = version >= 6 ? sockets_and_signals : 0};
    size_t size = version >= 6 ? sizeof all : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    set_ = Fd(static_cast<int>(::syscall(create_ruleset, &all, size, 0)));
  }

  bool allow(int fd, uint64_t rights) {
    Rule rule = {.allowed = rights & known_, .parent = fd};
    return ::syscall(add_rule, set_.get(), rule_path_beneath, &rule, 0) == 0;
  }

  bool allow(const char* path, uint64_t rights) {
    Fd fd(::open(path, O_PATH | O_CLOEXEC));
    return fd && allow(fd.get(), rights);
  }

  // An inherited file may be opened again as it was opened before, through /proc/self/fd, and not otherwise.
  bool allow_inherited(int fd) {
    int flags = ::fcntl(fd, F_GETFL);
    if (flags < 0) return errno == EBADF;  // not open
    int mode = flags & O_ACCMODE;
    uint64_t rights = (mode != O_WRONLY ? reading : 0) | (mode != O_RDONLY ? writing | truncating : 0);
    return allow(fd, rights) || errno == EBADFD;  // pipes, sockets and memfds lie in no folder and are not ruled
  }

  bool enforce() { return ::syscall(restrict_self, set_.get(), 0) == 0; }
  bool made() const { return static_cast<bool>(set_); }

 private:
  uint64_t known_;
  Fd set_;
};

}  // namespace

int landlock_version() {
  long version = ::syscall(create_ruleset, nullptr, 0, ask_version);
  return version > 0 ? static_cast<int>(version) : 0;
}

bool confine_by_landlock(const Plan& plan) {
  Rules rules(plan.landlock_version);
  // The root holds what the policy names and nothing else, so that one rule lets all of it be read.
  if (!rules.made() || !rules.allow("/", read_rights)) return false;
  for (const MountStep& step : plan.steps) {
    bool device = step.kind == MountStep::bind && !(step.attributes & mount_no_device);
    bool writable = step.kind == MountStep::private_folder ||
                    (step.kind == MountStep::bind && !device && !(step.attributes & mount_read_only));
    if (!device && !writable) continue;
    uint64_t rights = device ? reading | writing : step.folder ? write_rights : of_a_file;
    if (!rules.allow(step.target.c_str(), rights)) return false;
  }
  for (int fd : {0, 1, 2})
    if (!rules.allow_inherited(fd)) return false;
  for (int fd : plan.keep)
    if (!rules.allow_inherited(fd)) return false;
  return rules.enforce();
}

}  // namespace assay
