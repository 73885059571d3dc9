// One sandboxed process with one kernel loaded in it, driven from outside. It is frozen (every thread stopped) except
// while a call runs: between calls nothing of it can read the next inputs or go on writing the last outputs.
// Nothing it says is believed; a lie, a hang or a death is an outcome, never an exception.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "backend/arena.h"

namespace assay {

struct CallOutcome {
  enum Status { done, crashed, timed_out, violated } status = done;
  std::string detail;    // "SIGSEGV", "SIGSYS: forbidden system call", "ran while frozen", …; one line
  int64_t time_ns = 0;   // from before the thaw until every thread is frozen again, on the verifier's clock
};

class Worker {
 public:
  // Starts `object` under policies/run-cpp.json and loads it there (the candidate's constructors run then).
  // A kernel that can't be loaded shows as a failed outcome of load(). Throws Error if the sandbox can't start.
  static Worker start(const std::string& object, const std::string& entry);
  Worker(Worker&&) noexcept;
  ~Worker();  // kills the whole tree and reaps it

  CallOutcome load(double timeout_s);
  void map(const Arena& arena);  // the worker maps these buffers (at new addresses) for the calls that follow
  CallOutcome call(double timeout_s);
  bool alive() const;

 private:
  struct Impl;
  explicit Worker(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
