#include "sandbox/report.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "base/error.h"
#include "base/random.h"

namespace assay {
namespace {

// Whether writing to one is seen by the other; terminals and /dev/null do not count.
bool same_file(int a, int b) {
  struct stat x, y;
  if (::fstat(a, &x) < 0 || ::fstat(b, &y) < 0 || S_ISCHR(x.st_mode)) return false;
  return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

void check_inherited(const std::vector<int>& kept) {
  for (int fd : kept) {
    if (fd < 3) throw Error("keep", "descriptor " + std::to_string(fd), "0, 1 and 2 are kept anyway");
    int flags = ::fcntl(fd, F_GETFD);
    if (flags < 0 || (flags & FD_CLOEXEC))  // ours are close-on-exec; the caller's, having passed an exec, are not
      throw Error("keep", "descriptor " + std::to_string(fd), "is not open");
  }
  std::vector<int> inherited = kept;
  inherited.insert(inherited.end(), {0, 1, 2});
  for (int fd : inherited) {
    struct stat info;
    if (::fstat(fd, &info) == 0 && S_ISDIR(info.st_mode))
      throw Error("pass on", "descriptor " + std::to_string(fd),
                  "is a folder, from which '..' leads out of the sandbox; mount the folder with --ro or --rw");
  }
}

Report::Report(const std::string& target, const std::vector<int>& reachable) : name_(target) {
  // A shell's >(command) is a descriptor in the clothes of a file.
  std::string where = target.starts_with("/dev/fd/") ? target.substr(8) : target;
  if (is_number(where)) {
    descriptor_ = std::stoi(where);
    int flags = ::fcntl(descriptor_, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
      throw Error("report to", "descriptor " + where, "is not open for writing; redirect it, as in 3>run.json");
    for (int fd : reachable)
      if (fd == descriptor_ || same_file(fd, descriptor_))
        throw Error("report to", "descriptor " + where,
                    "the command could write there too, through its descriptor " + std::to_string(fd));
    return;
  }
  size_t slash = where.rfind('/');
  std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : where.substr(0, slash);
  name_ = where.substr(slash + 1);
  if (name_.empty()) throw Error("report to", "'" + where + "'", "names no file");
  folder_ = open_file(folder, O_RDONLY | O_DIRECTORY);
  struct stat info;
  if (::fstatat(folder_.get(), name_.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(info.st_mode)) {
    // A device or a FIFO is written to; renaming over it would take it from everybody.
    if (S_ISDIR(info.st_mode) || S_ISLNK(info.st_mode))
      throw Error("report to", where, S_ISDIR(info.st_mode) ? "is a folder" : "is a symbolic link; name the file itself");
    folder_.reset();
    device_ = open_file(where, O_WRONLY | O_NOFOLLOW | O_NOCTTY);
    return;
  }
  if (::faccessat(folder_.get(), ".", W_OK, AT_EACCESS) < 0) throw errno_error("report to", where);
}

void Report::write(const std::string& line) {
  if (descriptor_ >= 0) write_all(descriptor_, line, "report");
  if (device_) write_all(device_.get(), line, name_);
  if (!folder_) return;
  std::string part = name_ + ".part." + std::to_string(unpredictable_seed());
  Fd file(::openat(folder_.get(), part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!file) throw errno_error("create", name_);
  try {
    write_all(file.get(), line, name_);
    if (::renameat(folder_.get(), part.c_str(), folder_.get(), name_.c_str()) < 0) throw errno_error("rename", name_);
  } catch (...) {
    ::unlinkat(folder_.get(), part.c_str(), 0);
    throw;
  }
}

}  // namespace assay
