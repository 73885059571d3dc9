// Limits that the kernel keeps for the whole tree: memory and processes, by control groups of version 1, 2 or both.
//
//   Cgroup group(policy.limits);          // made below or beside our own; the limits are set
//   group.add(init);                      // before the command starts
//   ...                                   // the tree is dead and reaped
//   if (group.out_of_memory()) ...        // the kernel's own counters, never a guess from a SIGKILL
//
// Where the host lends none (no right to make one, a controller that is not passed down), holds_memory() and
// holds_processes() say so; resource limits and init's measuring stand alone then.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/policy.h"

namespace assay {

class Cgroup {
 public:
  explicit Cgroup(const Limits& limits);
  Cgroup(const Cgroup&) = delete;
  ~Cgroup();  // removes what it made; the tree must be dead

  bool holds_memory() const { return !memory_.empty(); }
  bool holds_processes() const { return !processes_.empty(); }
  void add(pid_t process);  // what refuses it holds nothing from then on

  bool out_of_memory() const;      // the kernel killed one of the tree for it
  bool too_many_processes() const; // the kernel refused one more
  std::optional<int64_t> peak_memory_bytes() const;  // of all that was charged: private and shared pages, files in tmpfs

 private:
  std::string make_folder(const std::string& controller);

  std::string memory_, processes_;     // folders; the same one with version 2
  std::vector<std::string> made_;
};

}  // namespace assay
