// A child process, owned: started with exactly the descriptors named, killed and reaped with its owner.
//
//   auto [read_end, write_end] = make_pipe();
//   Child child = Child::spawn({.argv = {"sandbox-run", "--report", "3", "--", "true"},
//                               .inherit = {{write_end.get(), 3}}});
//   write_end.reset();                          // else read_end never sees the end
//   std::string report = read_all(read_end.get(), "report");
//   Exit exit = child.wait();
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay {

struct Exit {
  int code = 0;    // exit status; meaningful when signal is 0
  int signal = 0;  // the signal that ended it, or 0
  bool ok() const { return code == 0 && signal == 0; }
};

struct Spawn {
  std::vector<std::string> argv;              // argv[0] is looked up in PATH unless it has a slash
  std::vector<std::pair<int, int>> inherit;   // {descriptor here, number there}; 0, 1, 2 are kept unless named
  std::string directory;                      // working folder; empty: ours
  std::optional<std::vector<std::string>> env;  // "NAME=value"; absent: ours
  bool null_stdin = false;
};

class Child {
 public:
  static Child spawn(const Spawn& what);  // throws Error if the program can't be executed
  Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  Child& operator=(Child&&) = delete;
  ~Child();  // SIGKILL, then reap

  pid_t pid() const { return pid_; }
  void kill(int signal);
  Exit wait();
  std::optional<Exit> poll();  // nothing while it runs

 private:
  explicit Child(pid_t pid) : pid_(pid) {}
  pid_t pid_ = -1;
};

}  // namespace assay
