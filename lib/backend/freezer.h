// Stops a whole process from outside, says when the last of its threads stood still, and whether it stayed so.
//
// SIGSTOP cannot be caught or blocked, also not by the first process of a pid namespace. Only SIGCONT undoes it, and
// the policy run-cpp takes away what could make the kernel send one (timers with signals, F_SETSIG, other processes).
// Should there be another way, the kernel's accounts tell: the process's CPU clock must not advance while it is frozen,
// nor may any of its threads be given a processor.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/fd.h"

namespace assay {

class Freezer {
 public:
  explicit Freezer(pid_t pid);  // of a live process that may be signalled; throws Error

  enum State { frozen, dead, unstoppable };
  // `stopped_ns` (now_ns) is when every thread was seen stopped.
  State freeze(int64_t& stopped_ns);
  void thaw();
  bool stayed() const;  // since the last freeze() that returned frozen
  bool alone() const;   // it has no children, and its parent no other child
  void kill();
  int process() const { return process_.get(); }  // a pidfd: readable once the process is dead

 private:
  pid_t pid_;
  std::string parent_children_;  // /proc/PPID/task/PPID/children
  Fd process_;
  Fd tasks_;  // /proc/PID/task
  clockid_t cpu_clock_;
  int64_t cpu_ns_ = -1;    // at the last freeze; -1: not frozen
  int64_t arrivals_ = -1;  // how often its threads had been given a processor by then
};

// The first value of a key of /proc/PID/status, or "" if there is none.
std::string process_status(pid_t pid, const std::string& key);

}  // namespace assay
