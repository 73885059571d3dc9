#include "sandbox/cgroup.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "base/fd.h"
#include "base/random.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr const char* prefix = "assay-";
constexpr int stale_s = 10;

std::string contents(const std::string& path) {
  try {
    return read_file(path, 1 << 16);
  } catch (const Error&) {
    return "";  // a control file that this kernel lacks
  }
}

bool set(const std::string& path, const std::string& value) {
  Fd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return fd && ::write(fd.get(), value.data(), value.size()) == static_cast<ssize_t>(value.size());
}

bool has_word(const std::string& text, const std::string& word, char separator) {
  std::istringstream words(text);
  for (std::string w; std::getline(words, w, separator);)
    if (w == word || w == word + "\n") return true;
  return false;
}

// "NAME VALUE" on a line of a control file.
int64_t counter(const std::string& path, const std::string& name) {
  std::istringstream lines(contents(path));
  std::string key;
  int64_t value;
  while (lines >> key >> value)
    if (key == name) return value;
  return 0;
}

// Our own place in the hierarchy that has the controller (version 2: controller ""), or "".
std::string own_place(const std::string& controller) {
  std::string place;
  std::istringstream groups(contents("/proc/self/cgroup"));
  for (std::string line; std::getline(groups, line);) {  // "4:memory:/user", "0::/user"
    size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string controllers = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? controllers.empty() : has_word(controllers, controller, ','))
      place = line.substr(second + 1);
  }
  if (place.empty() || place.starts_with("/..")) return "";  // outside our cgroup namespace
  std::istringstream mounts(contents("/proc/self/mountinfo"));
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields(line), tail(line.substr(std::min(line.size(), line.find(" - ") + 3)));
    std::string id, parent, device, root, point, type, source, options;
    fields >> id >> parent >> device >> root >> point;
    tail >> type >> source >> options;
    bool matches = controller.empty() ? type == "cgroup2" : type == "cgroup" && has_word(options, controller, ',');
    if (!matches) continue;
    if (root != "/" && place.starts_with(root)) place = place.substr(root.size());
    return point + (place == "/" ? "" : place);
  }
  return "";
}

// Left by a run that was killed together with its supervisor. The kernel removes no group with a process in it, and ours get
// theirs at once.
void remove_stale(const std::string& parent) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    struct stat info;
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    if (::stat(entry.path().c_str(), &info) == 0 && std::time(nullptr) - info.st_mtime > stale_s)
      ::rmdir(entry.path().c_str());
  }
}

std::string make_group(const std::string& parent) {
  remove_stale(parent);
  std::string path = parent + "/" + prefix + std::to_string(unpredictable_seed());
  return ::mkdir(path.c_str(), 0755) == 0 ? path : "";
}

}  // namespace

// Below our own group, or, where that one may not pass controllers down because we are in it, beside it.
std::string Cgroup::make_folder(const std::string& controller) {
  if (std::string place = own_place(controller); !place.empty()) {
    std::string path = make_group(place);
    if (!path.empty()) made_.push_back(path);
    return path;
  }
  std::string place = own_place("");
  if (place.empty()) return "";
  for (const std::string& parent : {place, place + "/.."}) {
    if (::access((parent + "/cgroup.procs").c_str(), F_OK) < 0) continue;
    if (!has_word(contents(parent + "/cgroup.subtree_control"), controller, ' '))
      set(parent + "/cgroup.subtree_control", "+" + controller);
    if (!has_word(contents(parent + "/cgroup.subtree_control"), controller, ' ')) continue;
    for (const std::string& made : made_)
      if (made.starts_with(parent + "/" + prefix)) return made;
    std::string path = make_group(parent);
    if (path.empty()) continue;
    made_.push_back(path);
    return path;
  }
  return "";
}

Cgroup::Cgroup(const Limits& limits) {
  std::string bytes = std::to_string(limits.memory_bytes);
  memory_ = make_folder("memory");
  bool limited = !memory_.empty() &&
                 (set(memory_ + "/memory.max", bytes) || set(memory_ + "/memory.limit_in_bytes", bytes));
  if (!limited) memory_.clear();
  if (limited) {  // where there is swap, it is no way round the limit
    set(memory_ + "/memory.swap.max", "0");
    set(memory_ + "/memory.memsw.limit_in_bytes", bytes);
  }
  processes_ = make_folder("pids");
  bool counted = !processes_.empty() && set(processes_ + "/pids.max", std::to_string(limits.processes + 1));  // init is one
  if (!counted) processes_.clear();
}

Cgroup::~Cgroup() {
  for (const std::string& path : made_)
    for (int tries = 0; ::rmdir(path.c_str()) < 0 && errno == EBUSY && tries < 100; ++tries) ::usleep(1000);
}

void Cgroup::add(pid_t process) {
  for (const std::string& path : made_) {
    if (set(path + "/cgroup.procs", std::to_string(process))) continue;
    if (path == memory_) memory_.clear();
    if (path == processes_) processes_.clear();
  }
}

bool Cgroup::out_of_memory() const {
  return holds_memory() &&
         (counter(memory_ + "/memory.events", "oom_kill") > 0 || counter(memory_ + "/memory.oom_control", "oom_kill") > 0);
}

bool Cgroup::too_many_processes() const { return holds_processes() && counter(processes_ + "/pids.events", "max") > 0; }

std::optional<int64_t> Cgroup::peak_memory_bytes() const {
  if (!holds_memory()) return std::nullopt;
  for (const char* file : {"/memory.peak", "/memory.max_usage_in_bytes"})
    if (std::string text = contents(memory_ + file); !text.empty()) return std::stoll(text);
  return std::nullopt;
}

}  // namespace assay
