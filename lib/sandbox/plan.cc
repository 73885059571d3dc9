#include "sandbox/plan.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "sandbox/landlock.h"
#include "sandbox/mount_api.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::string working_folder() {
  std::error_code error;
  fs::path here = fs::current_path(error);
  if (error) throw Error("find", "working folder", error.message());
  return here;
}

std::string resolve(const std::string& path, const std::string& here) { return path == "." ? here : path; }

// As root, whether the command's user, who owns nothing outside, needs the mount to make its files his.
bool needs_id_map(const struct stat& info, bool write) {
  if (info.st_uid == nobody && info.st_gid == nobody) return false;
  return write || S_ISDIR(info.st_mode) || !(info.st_mode & S_IROTH);
}

void plan_mount(const Mount& mount, const std::string& here, bool callers_own, Plan& plan) {
  MountStep step;
  step.source = mount.source;
  step.target = mount.target.empty() ? (fs::path(here) / mount.source).string() : resolve(mount.target, here);
  if (!mount.follow && mount.source == mount.target) {
    std::error_code error;
    fs::path text = fs::read_symlink(mount.source, error);
    if (!error) {
      step.kind = MountStep::link;
      step.source = text;
      plan.steps.push_back(std::move(step));
      return;
    }
  }
  struct stat info;
  if (::stat(mount.source.c_str(), &info) < 0) {
    if (mount.optional && (errno == ENOENT || errno == ENOTDIR)) return;
    throw errno_error("mount", resolve(mount.source, here));
  }
  if (mount.device && !S_ISCHR(info.st_mode)) throw Error("mount", mount.source, "is no character device");
  if (resolve(mount.source, here) == "/" || step.target == "/")
    throw Error("mount", "/", "would bring in everything; name the folders needed (is this the working folder?)");
  step.folder = S_ISDIR(info.st_mode);
  step.attributes = mount_no_setuid | (mount.device ? mount_no_exec : mount_no_device);
  if (!mount.write && !mount.device) step.attributes |= mount_read_only;
  if (plan.identity.privileged && callers_own && needs_id_map(info, mount.write))
    step.id_map = make_mount_id_map(info.st_uid, info.st_gid);
  plan.steps.push_back(std::move(step));
}

void plan_private_folder(const PrivateFolder& folder, Plan& plan) {
  MountStep step;
  step.kind = MountStep::private_folder;
  step.target = folder.path;
  step.options = "mode=1777,size=" + std::to_string(folder.size_bytes) + ",nr_inodes=" + std::to_string(folder.inodes);
  step.attributes = mount_no_setuid | mount_no_device;
  plan.steps.push_back(std::move(step));
}

void plan_links(Plan& plan) {
  for (auto [source, target] : {std::pair{"/proc/self/fd", "/dev/fd"}, {"/proc/self/fd/0", "/dev/stdin"},
                                {"/proc/self/fd/1", "/dev/stdout"}, {"/proc/self/fd/2", "/dev/stderr"}}) {
    MountStep step;
    step.kind = MountStep::link;
    step.source = source;
    step.target = target;
    plan.steps.push_back(std::move(step));
  }
}

void order_steps(std::vector<MountStep>& steps) {
  for (MountStep& step : steps) {
    step.target = fs::path(step.target).lexically_normal();
    if (step.target.size() > 1 && step.target.back() == '/') step.target.pop_back();
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const MountStep& a, const MountStep& b) { return fs::path(a.target) < fs::path(b.target); });
  for (size_t i = 1; i < steps.size(); ++i)
    if (steps[i].target == steps[i - 1].target)
      throw Error("mount", steps[i].target, "is asked for twice; a working folder that is the policy's own (/tmp, say) "
                                            "can't be used, one below it can");
  for (const MountStep& step : steps)
    if (step.target == "/proc" || step.target.starts_with("/proc/"))
      throw Error("mount", step.target, "/proc is the sandbox's own");
}

void plan_environment(const std::vector<EnvironmentVariable>& variables, Plan& plan) {
  for (const EnvironmentVariable& variable : variables) {
    if (variable.name.empty() || variable.name.find('=') != std::string::npos)
      throw Error("set", "environment", "\"" + variable.name + "\" is no variable's name");
    const char* callers = variable.pass ? std::getenv(variable.name.c_str()) : nullptr;
    if (variable.pass && !callers && variable.value.empty()) continue;
    std::erase_if(plan.environment, [&](const std::string& e) { return e.starts_with(variable.name + "="); });
    plan.environment.push_back(variable.name + "=" + (callers ? callers : variable.value));
  }
}

// Fields 48 and 49 of /proc/self/stat: where the kernel keeps our arguments.
void find_own_arguments(Plan& plan) {
  std::string stat = read_file("/proc/self/stat");
  std::istringstream fields(stat.substr(stat.rfind(')') + 1));
  std::string skipped;
  for (int field = 3; field < 48; ++field) fields >> skipped;
  uintptr_t start = 0, end = 0;
  if (!(fields >> start >> end) || end < start) throw Error("read", "/proc/self/stat", "holds no argument addresses");
  plan.own_arguments = reinterpret_cast<char*>(start);
  plan.own_arguments_size = end - start;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

Plan make_plan(const Policy& policy, const Request& request) {
  Plan plan;
  std::string here = working_folder();
  plan.identity = choose_identity();
  for (const Mount& mount : policy.mounts) plan_mount(mount, here, mount.source == ".", plan);
  for (const Mount& mount : request.mounts) plan_mount(mount, here, true, plan);
  for (const PrivateFolder& folder : policy.private_folders) plan_private_folder(folder, plan);
  plan_links(plan);
  order_steps(plan.steps);
  plan.directory = resolve(policy.directory, here);
  plan.keep = request.keep;
  std::sort(plan.keep.begin(), plan.keep.end());
  plan.keep.erase(std::unique(plan.keep.begin(), plan.keep.end()), plan.keep.end());
  plan_environment(policy.environment, plan);
  plan_environment(request.environment, plan);
  plan.argv = request.argv;
  plan.argv_pointers = pointers(plan.argv);
  plan.environment_pointers = pointers(plan.environment);
  find_own_arguments(plan);
  const Identity& who = plan.identity;
  plan.uid_map = std::to_string(who.inner_uid) + " " + std::to_string(who.outer_uid) + " 1\n";
  plan.gid_map = std::to_string(who.inner_gid) + " " + std::to_string(who.outer_gid) + " 1\n";
  plan.user_namespace_optional = policy.is_optional("user_namespace");
  plan.time_namespace_optional = policy.is_optional("time_namespace");
  plan.landlock_version = landlock_version();
  if (plan.landlock_version == 0 && !policy.is_optional("landlock"))
    throw Error("confine by", "Landlock", "this kernel has none: add landlock to its lsm= parameter (Linux 5.13 or newer), or "
                                          "mark \"landlock\" optional in the policy");
  plan.limits = policy.limits;
  plan.processors = std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN));
  plan.no_capabilities = no_capabilities();
  return plan;
}

}  // namespace assay
