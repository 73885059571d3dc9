#include "backend/build.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "backend/launch.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/printable.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr const char* compile_wall_s = "30";
constexpr double sandbox_timeout_s = 60;  // in case that its own clock fails
constexpr size_t max_object_bytes = size_t{64} << 20;
constexpr size_t max_header_bytes = size_t{4} << 20;
constexpr size_t max_cached_objects = 512;

const std::vector<std::string> fixed_flags = {"-std=c++20", "-O3",        "-march=native",           "-fPIC",
                                              "-shared",    "-fopenmp",   "-fmax-errors=20",         "-fdiagnostics-color=never",
                                              "-Wall",      "-pipe",      "-fno-diagnostics-show-caret"};

struct File {
  std::string name, text;
};

// What the compiler is and what -march=native means on this machine, in its own words.
const std::string& compiler() {
  static const std::string words = [] {
    auto [in, out] = make_pipe();
    try {
      Child child = Child::spawn({.argv = {"g++", "-std=c++20", "-O3", "-march=native", "-fopenmp", "-E", "-x", "c++", "-###", "/dev/null"},
                                  .inherit = {{out.get(), 2}},
                                  .null_stdin = true});
      out.reset();
      std::string text = read_all(in.get(), "g++");
      if (!child.wait().ok()) throw Error("run", "g++", "it does not work here: " + text.substr(0, 200));
      return text;
    } catch (const Error& e) {
      throw Error("compile", "kernels", std::string(e.what()) + "; install g++ (Debian: apt-get install g++)");
    }
  }();
  return words;
}

// The headers of the include folder, and nothing else of it: a candidate must not read the reference.
std::vector<File> headers(const std::string& folder) {
  std::vector<File> result;
  if (folder.empty()) return result;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::string extension = entry.path().extension();
    if (extension == ".h" || extension == ".hpp")
      result.push_back({entry.path().filename(), read_file(entry.path(), max_header_bytes)});
  }
  if (error) throw Error("read", folder, error.message());
  std::sort(result.begin(), result.end(), [](const File& a, const File& b) { return a.name < b.name; });
  return result;
}

// A plain file name for the source, so that diagnostics read well and nothing of our paths shows.
std::string plain_name(const std::string& name) {
  std::string base = fs::path(name).filename();
  bool plain = !base.empty() && base[0] != '-' && base[0] != '.' && base.size() < 100 &&
               base.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") == std::string::npos;
  std::string extension = fs::path(base).extension();
  return plain && (extension == ".cc" || extension == ".cpp" || extension == ".cxx") ? base : "candidate.cc";
}

std::string cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  fs::path base = cache && *cache == '/' ? fs::path(cache) : home && *home == '/' ? fs::path(home) / ".cache" : fs::path();
  if (base.empty()) throw Error("find", "the cache folder", "neither XDG_CACHE_HOME nor HOME is set");
  fs::path folder = base / "assay" / "objects";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error("create folder", folder, error.message());
  return folder;
}

// Keeps the newest; a file that another process removes meanwhile is no error.
void prune(const std::string& folder) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    fs::file_time_type time = entry.last_write_time(error);
    if (!error) files.emplace_back(time, entry.path());
  }
  if (files.size() <= max_cached_objects) return;
  std::sort(files.begin(), files.end());
  for (size_t i = 0; i < files.size() - max_cached_objects; ++i) fs::remove(files[i].second, error);
}

// The object as the compiler left it, unless the source made it something else than a file.
std::string take_object(const std::string& path) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat info;
  if (!fd || ::fstat(fd.get(), &info) < 0 || !S_ISREG(info.st_mode) || info.st_size == 0) return "";
  if (static_cast<size_t>(info.st_size) > max_object_bytes) return "";
  return read_all(fd.get(), path, max_object_bytes);
}

}  // namespace

Build build_kernel(const std::string& text, const std::string& name, const std::string& include,
                   const std::vector<std::string>& flags) {
  std::vector<File> beside = headers(include);
  std::string source = plain_name(name);
  std::vector<std::string> command = {"g++"};
  command.insert(command.end(), fixed_flags.begin(), fixed_flags.end());
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"-I", ".", "-o", "kernel.so", source});

  // Everything that makes the object goes into its name; each part is preceded by its length, so that no two
  // different lists read alike.
  std::string key;
  auto add = [&key](const std::string& part) { key += std::to_string(part.size()) + ":" + part; };
  add(compiler());
  for (const std::string& word : command) add(word);
  for (const File& file : beside) add(file.name), add(file.text);
  add(text);
  std::string folder = cache_folder();
  Build build;
  build.object = folder + "/" + sha256(key) + ".so";
  if (::access(build.object.c_str(), R_OK) == 0) {
    ::utimensat(AT_FDCWD, build.object.c_str(), nullptr, 0);  // pruned by age of use; if it can't be marked, so be it
    build.ok = true;
    return build;
  }

  TempDir temporary("assay-build");
  std::string work = temporary.path() + "/work";
  fs::create_directory(work);
  // Inside the sandbox the compiler may be another user than we are; the folder above keeps everyone else out.
  fs::permissions(work, fs::perms::all);
  for (const File& file : beside) replace_file(work + "/" + file.name, file.text);
  replace_file(work + "/" + source, text);

  int64_t start = now_ns();
  std::vector<std::string> arguments = {"--policy", "compile", "--wall", compile_wall_s, "--"};
  arguments.insert(arguments.end(), command.begin(), command.end());
  Sandbox sandbox = Sandbox::start(arguments, {}, work);
  const Sandbox::End& end = sandbox.wait(sandbox_timeout_s);
  build.time_s = static_cast<double>(now_ns() - start) * 1e-9;
  build.diagnostics = printable(sandbox.errors());
  if (end.failed) throw Error("compile", name, end.text);
  std::string object = end.code == 0 && end.signal == 0 ? take_object(work + "/kernel.so") : "";
  if (object.empty()) {
    build.object.clear();
    build.reason = end.limit == "wall" || end.limit == "cpu" ? "compile_timeout" : "compile_error";
    if (build.diagnostics.empty()) build.diagnostics = "the compiler ended by " + end.text + " and left no shared object";
    return build;
  }
  replace_file(build.object, object);  // whole or not at all: builds of the same source may race
  prune(folder);
  build.ok = true;
  return build;
}

}  // namespace assay
