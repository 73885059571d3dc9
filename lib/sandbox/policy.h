// What a confined command may have: a JSON file in policies/, every grant with its reason (man 5 kernel-policy).
//
//   Policy policy = load_policy("compile");           // policies/compile.json of this installation
//   Policy mine = load_policy("./my-policy.json");    // a file
//
// An unknown key, a grant without "why" and a value of the wrong type are errors that name file and place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

struct Mount {
  std::string source;     // on this system; "." is the working folder
  std::string target;     // in the sandbox; "." is the working folder's own path, empty the source's
  bool write = false;
  bool optional = false;  // leave it out when the source does not exist
  bool device = false;    // a device node: usable as one
  bool follow = false;    // bind what a symbolic link names, rather than making the same link inside
};

struct PrivateFolder {  // an empty tmpfs of the sandbox's own
  std::string path;
  int64_t size_bytes = 0;
  int64_t inodes = 0;
};

struct EnvironmentVariable {
  std::string name;
  std::string value;
  bool pass = false;  // the caller's value, if it has one; else `value`
};

struct Limits {
  double wall_s = 60;
  double cpu_s = 60;                            // over the whole tree
  int64_t memory_bytes = int64_t{2} << 30;      // private memory of one process; resident memory of the whole tree
  int64_t processes = 64;                       // threads count
  int64_t open_files = 256;                     // a process
  int64_t file_bytes = int64_t{256} << 20;      // one file
  int64_t stack_bytes = int64_t{8} << 20;       // the main thread's
  int64_t locked_bytes = 0;                     // mlock
  int64_t output_bytes = int64_t{1} << 20;      // captured from each of stdout and stderr
};

struct Policy {
  std::string name;       // as the caller gave it
  std::string sha256;     // of its text, followed by those of the ones it extends
  std::string directory = ".";  // where the command starts
  std::vector<Mount> mounts;
  std::vector<PrivateFolder> private_folders;
  std::vector<EnvironmentVariable> environment;
  std::vector<std::string> system_calls;  // names, or NAME:VARIANT of the table in seccomp.cc
  std::vector<std::string> optional;      // protections that may be missing
  Limits limits;

  bool is_optional(const std::string& protection) const;
};

// NAME, looked up among this installation's policies, or a file (anything with a slash or ending in .json).
Policy load_policy(const std::string& name_or_file);

}  // namespace assay
