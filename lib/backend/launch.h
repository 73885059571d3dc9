// Starts programs behind sandbox-run and reads what it reports of them. The only file that knows its command line.
#pragma once

#include <string>
#include <vector>

#include "base/child.h"
#include "base/fd.h"

namespace assay {

// A running sandbox-run. Its command's standard output is dropped; the first 16 KiB of its standard error are kept.
class Sandbox {
 public:
  // `arguments` follow "sandbox-run --report FD" up to and including the command.
  static Sandbox start(std::vector<std::string> arguments, std::vector<std::pair<int, int>> inherit = {},
                       const std::string& directory = {});
  Sandbox(Sandbox&&) noexcept = default;
  ~Sandbox();  // waits a moment for it to end by itself, then kills it

  int process() const { return process_.get(); }  // a pidfd: readable once sandbox-run has ended

  struct End {
    bool failed = false;      // the sandbox itself could not do its job
    int code = 0;             // the command's exit status
    int signal = 0;           // the signal that ended it, or 0
    std::string limit;        // "wall", "cpu", "memory": the limit that ended it, or ""
    std::string text;         // one line for people: "SIGSEGV", "exit 3", "wall limit", or why the sandbox failed
  };
  const End& wait(double timeout_s);  // kills it at the timeout
  std::string errors() const;         // standard error so far

  // For a command that should not have ended: how it did.
  std::string how_it_ended() { return wait(5).text; }
  std::string failure() { return wait(5).text; }

 private:
  Sandbox(Child child, Fd process, Fd report, Fd errors);
  Child child_;
  Fd process_;
  Fd report_;
  Fd errors_;
  End end_;
  bool ended_ = false;
};

// The worker with its channel, under policies/run-cpp.json.
struct Launched {
  Sandbox sandbox;
  Fd socket;
};
Launched launch(const std::string& object, const std::string& entry);

}  // namespace assay
