// Every source is first cloned into a detached mount, under the old root, and given its attributes. Then the root is
// switched and the old one is gone. Only then are targets made and the clones attached: a symbolic link in a folder
// that the command wrote to in an earlier run can lead nowhere but into the sandbox.
#include "sandbox/mounts.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sandbox/channel.h"
#include "sandbox/mount_api.h"

namespace assay {
namespace {

void clone_source(MountStep& step, int channel) {
  bool recursive = !step.id_map;  // an id map must suit every file system below; only the topmost is known to need one
  step.tree = clone_tree(step.source.c_str(), recursive);
  if (step.tree < 0) fail_setup(channel, "mount", step.source.c_str());
  if (change_tree(step.tree, step.attributes, recursive) < 0) fail_setup(channel, "restrict", step.source.c_str());
  if (step.id_map && change_tree(step.tree, 0, false, step.id_map.get()) < 0)
    fail_setup(channel, "map owners of", step.target.c_str());
}

bool make_parents(const char* target) {
  char path[4096];
  if (std::strlen(target) >= sizeof path) {
    errno = ENAMETOOLONG;
    return false;
  }
  std::strcpy(path, target);
  for (char* slash = std::strchr(path + 1, '/'); slash; slash = std::strchr(slash + 1, '/')) {
    *slash = 0;
    if (::mkdir(path, 0755) < 0 && errno != EEXIST) {
      struct stat info;  // on a read-only mount an existing folder answers EROFS
      if (errno != EROFS || ::stat(path, &info) < 0) return false;
    }
    *slash = '/';
  }
  return true;
}

bool make_target(const MountStep& step) {
  const char* target = step.target.c_str();
  if (!make_parents(target)) return false;
  struct stat info;
  if (step.kind == MountStep::link) return ::symlink(step.source.c_str(), target) == 0;
  if (::lstat(target, &info) == 0) return true;
  if (step.folder) return ::mkdir(target, 0755) == 0;
  return ::mknod(target, S_IFREG | 0444, 0) == 0;
}

// Settings of the whole system lie in /proc among those of processes.
void protect_proc(int proc, int channel) {
  if (::mkdir("/proc", 0755) < 0 || attach_tree(proc, "/proc") < 0) fail_setup(channel, "mount", "/proc");
  for (const char* path : {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"}) {
    struct stat info;
    if (::stat(path, &info) < 0) continue;  // this kernel has none
    int tree = clone_tree(path, true);
    if (tree < 0 || change_tree(tree, mount_read_only, true) < 0 || attach_tree(tree, path) < 0)
      fail_setup(channel, "make read-only", path);
  }
}

}  // namespace

void build_root(Plan& plan, int channel) {
  // The first call that takes CAP_SYS_ADMIN: where AppArmor withholds it, it shows here.
  if (make_mounts_private() < 0) fail_setup(channel, "make", "sandbox");
  for (MountStep& step : plan.steps)
    if (step.kind == MountStep::bind) clone_source(step, channel);
  constexpr uint64_t inert = mount_no_setuid | mount_no_device;
  int root = make_filesystem("tmpfs", "mode=0755,size=256k,nr_inodes=4096", inert);
  if (root < 0) fail_setup(channel, "mount", "root");
  // A process may mount a /proc only while it can see a whole one, which the old root has.
  int proc = make_filesystem("proc", "", inert | mount_no_exec);
  if (proc < 0) fail_setup(channel, "mount", "sandbox");
  if (switch_root(root) < 0) fail_setup(channel, "make", "sandbox");

  for (MountStep& step : plan.steps) {
    const char* target = step.target.c_str();
    if (!make_target(step)) fail_setup(channel, "make", target);
    if (step.kind == MountStep::private_folder) step.tree = make_filesystem("tmpfs", step.options.c_str(), step.attributes);
    if (step.kind != MountStep::link && (step.tree < 0 || attach_tree(step.tree, target) < 0))
      fail_setup(channel, "mount", target);
  }
  protect_proc(proc, channel);
  if (change_tree(root, inert | mount_read_only, false) < 0) fail_setup(channel, "make read-only", "root");
}

}  // namespace assay
