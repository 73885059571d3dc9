// One sandboxed process with one kernel loaded in it, driven from outside. It is frozen (every thread stopped) except
// while it loads, maps or runs a call: between calls nothing of it can read the next inputs or go on writing the last
// outputs. Nothing it says is believed; a lie, a hang or a death is an outcome, never an exception.
//
// Not thread-safe; several workers may live at once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "backend/arena.h"

namespace assay {

struct CallOutcome {
  enum Status { done, crashed, timed_out, violated } status = done;
  std::string detail;        // "SIGSEGV", "SIGSYS: forbidden system call", "ran while frozen", …; one line
  int64_t time_ns = 0;       // from before the thaw until every thread is frozen again, on the verifier's clock
  bool wrote_input = false;  // crashed by a write to an input, says the worker: names the reason, decides nothing

  bool ok() const { return status == done; }
};

class Worker {
 public:
  // Starts `object` under policies/run-cpp.json and leaves it there, not yet loaded. Throws Error if the sandbox can't
  // start or does not confine it.
  static Worker start(const std::string& object, const std::string& entry);
  Worker(Worker&&) noexcept;
  Worker& operator=(Worker&&) noexcept;
  ~Worker();  // kills the whole tree and reaps it

  // Loads the object (its constructors run). A kernel that can't be loaded is `crashed`, the detail says why.
  CallOutcome load(double timeout_s);
  // The worker maps these buffers, at addresses it had not before, for the calls that follow. The process runs while
  // it maps: map first, then write the inputs, if the time of the first call is to count. Should it fail, the next
  // call's outcome says so. The arena may die before the worker.
  void map(const Arena& arena);
  CallOutcome call(double timeout_s);

  // Whether nothing of the process ran since the last freeze, and it is still alone in its sandbox. Ask after the
  // snapshot; call() asks too, and is `violated` if not.
  bool stayed_frozen();
  bool alive() const;  // false once an outcome was not `done`: every later call repeats that outcome

 private:
  struct Impl;
  explicit Worker(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
