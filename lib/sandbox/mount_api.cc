#include "sandbox/mount_api.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "base/fd.h"

namespace assay {
namespace {

long call(long number, auto... arguments) { return ::syscall(number, arguments...); }

}  // namespace

int clone_tree(const char* source, bool recursive) {
  unsigned flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | (recursive ? 0x8000u /* AT_RECURSIVE */ : 0u);
  return static_cast<int>(call(SYS_open_tree, AT_FDCWD, source, flags));
}

int change_tree(int tree, uint64_t attributes, bool recursive, int user_namespace) {
  struct mount_attr change = {};
  change.attr_set = attributes;
  if (user_namespace >= 0) {
    change.attr_set |= mount_id_map;
    change.userns_fd = static_cast<uint64_t>(user_namespace);
  }
  unsigned flags = AT_EMPTY_PATH | (recursive ? 0x8000u : 0u);
  return static_cast<int>(call(SYS_mount_setattr, tree, "", flags, &change, sizeof change));
}

int attach_tree(int tree, const char* target) {
  return static_cast<int>(call(SYS_move_mount, tree, "", AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH));
}

int make_filesystem(const char* type, const char* options, uint64_t attributes) {
  Fd owner(static_cast<int>(call(SYS_fsopen, type, FSOPEN_CLOEXEC)));
  int context = owner.get();
  if (context < 0) return -1;
  char copy[256];
  std::strncpy(copy, options, sizeof copy - 1);
  copy[sizeof copy - 1] = 0;
  char* rest = nullptr;
  for (char* option = ::strtok_r(copy, ",", &rest); option; option = ::strtok_r(nullptr, ",", &rest)) {
    char* value = std::strchr(option, '=');
    if (value) *value++ = 0;
    if (call(SYS_fsconfig, context, value ? FSCONFIG_SET_STRING : FSCONFIG_SET_FLAG, option, value, 0) < 0) return -1;
  }
  if (call(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) < 0) return -1;
  return static_cast<int>(call(SYS_fsmount, context, FSMOUNT_CLOEXEC, static_cast<unsigned>(attributes)));
}

int make_mounts_private() {
  constexpr unsigned long recursive = 0x4000, is_private = 0x40000;  // MS_REC, MS_PRIVATE: <sys/mount.h> clashes here
  return static_cast<int>(call(SYS_mount, nullptr, "/", nullptr, recursive | is_private, nullptr));
}

int switch_root(int tree) {
  constexpr int detach = 2;  // MNT_DETACH
  if (attach_tree(tree, "/") < 0 || ::fchdir(tree) < 0) return -1;
  // pivot_root(".", ".") stacks the old root over the new one, where "." still names the new: umount takes the old off.
  if (call(SYS_pivot_root, ".", ".") < 0) return -1;
  if (call(SYS_umount2, ".", detach) < 0) return -1;
  return ::chdir("/");
}

}  // namespace assay
