// Reads one JSON object strictly: every key is asked for by name, and what was not asked for is an error that names
// the file, the place and the remedy. For everything a person writes: tasks, policies, options in JSON.
//
//   Fields limits(policy.at("limits"), "compile.json", "/limits");
//   double wall_s = limits.number("wall_s", 60);
//   limits.finish();    // compile.json: /limits: unknown key "wall" (known here: wall_s)
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "record/json.h"

namespace assay {

class Fields {
 public:
  // Borrows object. `place` is a JSON pointer. Throws Error if it is no object.
  Fields(const Json& object, std::string file, std::string place);

  const Json* find(const std::string& key);       // nullptr if absent
  const Json& at(const std::string& key);         // throws if absent
  Fields object(const std::string& key);          // throws if absent or no object
  std::string text(const std::string& key);
  std::string text(const std::string& key, const std::string& fallback);
  double number(const std::string& key);
  double number(const std::string& key, double fallback);
  int64_t integer(const std::string& key);
  int64_t integer(const std::string& key, int64_t fallback);
  bool flag(const std::string& key, bool fallback);
  std::vector<std::string> texts(const std::string& key);  // array of strings; empty if absent

  void finish() const;  // throws if a key was never asked for

  Error error(const std::string& key, const std::string& cause) const;
  const std::string& file() const { return file_; }
  std::string place(const std::string& key) const { return place_ + "/" + key; }

 private:
  const Json& object_;
  std::string file_;
  std::string place_;
  std::set<std::string> asked_;
};

}  // namespace assay
