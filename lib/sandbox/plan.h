// Everything that the sandbox's init needs, made before the fork: after it nothing is allocated and nothing can throw.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "sandbox/capabilities.h"
#include "sandbox/namespaces.h"
#include "sandbox/policy.h"

namespace assay {

// What the caller asks for beside the policy.
struct Request {
  std::vector<std::string> argv;
  std::vector<Mount> mounts;
  std::vector<int> keep;  // descriptors that the command inherits under the same number, beside 0, 1 and 2
  std::vector<EnvironmentVariable> environment;
  std::optional<double> wall_s;
  bool capture = false;
};

struct MountStep {  // one thing to make under the new root, parents first
  enum Kind { bind, private_folder, link } kind = bind;
  std::string source;  // bind: the path outside; link: its text
  std::string target;
  std::string options;       // private_folder: of tmpfs
  uint64_t attributes = 0;   // of the mount
  bool folder = true;        // bind: whether the source is one
  Fd id_map;                 // bind: as root, the user namespace that makes its files the command's
  int tree = -1;             // bind: in init, the detached mount
};

struct Plan {
  Identity identity;
  bool user_namespace_optional = false;
  bool time_namespace_optional = false;
  int landlock_version = 0;  // 0: without
  std::vector<MountStep> steps;
  std::string directory;
  std::vector<int> keep;  // ascending
  std::vector<std::string> argv, environment;
  std::vector<char*> argv_pointers, environment_pointers;
  std::string uid_map, gid_map;  // an ordinary user's
  Limits limits;
  CapabilityState no_capabilities;
  long processors = 1;
  char* own_arguments = nullptr;  // sandbox-run's own command line, which init wipes: /proc/1/cmdline shows it to all
  size_t own_arguments_size = 0;
  int out = -1, err = -1;  // where the command's 1 and 2 lead when they are captured
};

Plan make_plan(const Policy& policy, const Request& request);  // throws Error

}  // namespace assay
