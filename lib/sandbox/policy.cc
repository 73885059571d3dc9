#include "sandbox/policy.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/digest.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/home.h"
#include "record/fields.h"

namespace assay {
namespace {

constexpr size_t max_policy_bytes = size_t{1} << 20;
constexpr int max_depth = 4;
constexpr const char* may_be_optional[] = {"user_namespace", "time_namespace", "landlock", "cgroup_memory",
                                           "cgroup_processes"};

std::string policy_file(const std::string& name_or_file) {
  bool is_file = name_or_file.find('/') != std::string::npos || name_or_file.ends_with(".json");
  if (is_file) return name_or_file;
  std::filesystem::path shipped = data_path("policies");
  std::filesystem::path file = shipped / (name_or_file + ".json");
  if (std::filesystem::exists(file)) return file;
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(shipped)) names.insert(entry.path().stem());
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  throw Error("find policy", name_or_file, "is no policy here (known: " + known + "); a file's name needs a / or .json");
}

// Every grant says why it is made.
void require_why(Fields& grant) {
  if (grant.text("why").empty()) throw grant.error("why", "is empty; say why this is granted");
}

template <typename Read>
void read_grants(Fields& policy, const std::string& key, Read read) {
  const Json* grants = policy.find(key);
  if (!grants) return;
  if (!grants->is_array()) throw policy.error(key, "must be an array of grants");
  for (size_t i = 0; i < grants->size(); ++i) {
    Fields grant((*grants)[i], policy.file(), policy.place(key) + "/" + std::to_string(i));
    require_why(grant);
    read(grant);
    grant.finish();
  }
}

std::string absolute_path(Fields& grant, const std::string& key) {
  std::string path = grant.text(key);
  if (path != "." && !path.starts_with("/"))
    throw grant.error(key, "must be an absolute path or \".\", is \"" + path + "\"");
  return path;
}

int64_t positive(Fields& fields, const std::string& key, int64_t fallback) {
  int64_t value = fields.integer(key, fallback);
  if (value <= 0) throw fields.error(key, "must be positive");
  return value;
}

double seconds(Fields& fields, const std::string& key, double fallback) {
  double value = fields.number(key, fallback);
  if (!(value > 0 && value <= 1e6)) throw fields.error(key, "must be between 0 and 1000000 seconds");
  return value;
}

void read_limits(Fields limits, Limits& l) {
  l.wall_s = seconds(limits, "wall_s", l.wall_s);
  l.cpu_s = seconds(limits, "cpu_s", l.cpu_s);
  l.memory_bytes = positive(limits, "memory_bytes", l.memory_bytes);
  l.processes = positive(limits, "processes", l.processes);
  l.open_files = positive(limits, "open_files", l.open_files);
  l.file_bytes = positive(limits, "file_bytes", l.file_bytes);
  l.stack_bytes = positive(limits, "stack_bytes", l.stack_bytes);
  l.locked_bytes = limits.integer("locked_bytes", l.locked_bytes);
  l.output_bytes = positive(limits, "output_bytes", l.output_bytes);
  limits.finish();
}

void read_mount(Fields& grant, Policy& policy) {
  Mount mount;
  mount.target = absolute_path(grant, "path");
  mount.source = grant.find("from") ? absolute_path(grant, "from") : mount.target;
  mount.write = grant.flag("write", false);
  mount.optional = grant.flag("optional", false);
  policy.mounts.push_back(mount);
}

void read_policy(const std::string& file, int depth, Policy& policy, std::string& texts) {
  std::string text = read_file(file, max_policy_bytes);
  Json json = parse_json(text, file);
  Fields fields(json, file, "");
  fields.text("description");
  if (std::string base = fields.text("extends", ""); !base.empty()) {
    if (depth == max_depth) throw fields.error("extends", "goes too deep; does a policy extend itself?");
    std::string folder = file.substr(0, file.rfind('/') + 1);
    read_policy(base.ends_with(".json") ? folder + base : policy_file(base), depth + 1, policy, texts);
  }
  texts = text + texts;
  policy.directory = fields.find("directory") ? absolute_path(fields, "directory") : policy.directory;
  read_grants(fields, "mounts", [&](Fields& grant) { read_mount(grant, policy); });
  read_grants(fields, "devices", [&](Fields& grant) {
    std::string path = absolute_path(grant, "path");
    policy.mounts.push_back({.source = path, .target = path, .optional = grant.flag("optional", false), .device = true,
                             .follow = true});
  });
  read_grants(fields, "private", [&](Fields& grant) {
    policy.private_folders.push_back(
        {absolute_path(grant, "path"), positive(grant, "size_bytes", 1 << 20), positive(grant, "inodes", 64)});
  });
  read_grants(fields, "environment", [&](Fields& grant) {
    EnvironmentVariable variable{.name = grant.text("name"), .value = {}, .pass = grant.flag("pass", false)};
    variable.value = variable.pass ? grant.text("value", "") : grant.text("value");
    policy.environment.push_back(variable);
  });
  read_grants(fields, "system_calls", [&](Fields& grant) {
    for (const std::string& name : grant.texts("allow")) policy.system_calls.push_back(name);
  });
  read_grants(fields, "optional", [&](Fields& grant) {
    policy.optional.push_back(grant.text("protection"));
    const std::string& name = policy.optional.back();
    if (std::find(std::begin(may_be_optional), std::end(may_be_optional), name) == std::end(may_be_optional))
      throw grant.error("protection", "may be user_namespace, time_namespace, landlock, cgroup_memory or cgroup_processes; the "
                                      "others are never optional");
  });
  if (fields.find("limits")) read_limits(fields.object("limits"), policy.limits);
  fields.finish();
}

}  // namespace

bool Policy::is_optional(const std::string& protection) const {
  return std::find(optional.begin(), optional.end(), protection) != optional.end();
}

Policy load_policy(const std::string& name_or_file) {
  Policy policy;
  std::string texts;
  read_policy(policy_file(name_or_file), 0, policy, texts);
  policy.name = name_or_file;
  policy.sha256 = sha256(texts);
  return policy;
}

}  // namespace assay
