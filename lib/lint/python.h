// What a Python file's names stand for, through imports, aliases, getattr with a literal, __dict__ and importlib:
//
//   from torch.cuda import Event as E
//   clock = __import__("ti" + "me")
//   setattr(E, "elapsed_time", f)         writes: target "torch.cuda.Event.elapsed_time"
//   x = getattr(clock, "perf_counter")    names(x) = {"time.perf_counter"}
//
// Flow-insensitive: a name stands for everything that the file ever binds it to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "syntax/tree.h"

namespace assay {

struct PythonWrite {       // to an attribute of something imported
  Node node;
  std::string target;      // "torch.cuda.Event.elapsed_time"; ends in ".*" if the attribute's name is not a literal
};

struct PythonUse {         // of something imported or built in
  Node node;
  std::string name;        // "os.system", "exec"
  bool called = false;
};

class Python {
 public:
  explicit Python(const Tree& tree);
  Python(const Python&) = delete;

  const Tree& tree;
  std::vector<PythonWrite> writes;
  std::vector<PythonUse> uses;

  std::vector<std::string> names(Node expression) const;   // dotted, at most four
  bool is_imported(std::string_view root) const { return imported_.count(std::string(root)) != 0; }
  std::string function(Node n) const;                      // that encloses it; "" at module level
  Node function_node(Node n) const;
  std::optional<std::string> literal(Node expression) const;  // of a string built from literals

 private:
  void bind(std::string_view name, const std::string& target);
  void collect_imports();
  void collect_aliases();
  void collect_uses();
  void collect_call_write(Node call);
  void add_write(Node node, Node target);

  std::unordered_map<std::string, std::vector<std::string>> aliases_;  // name -> what it stands for
  std::unordered_map<std::string, bool> imported_;                     // first components of what was imported
  std::unordered_map<std::string, bool> defined_;                      // names that the file itself defines
  std::vector<uint32_t> function_of_;
};

}  // namespace assay
