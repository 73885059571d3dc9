#include "base/fd.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/error.h"

namespace assay {

Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void Fd::reset() {
  // Linux frees the number even when close reports EINTR, so it is never repeated.
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Fd open_file(const std::string& path, int flags, unsigned mode) {
  int fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  if (fd < 0) throw errno_error("open", path);
  return Fd(fd);
}

Fd make_memfd(const std::string& name, size_t bytes) {
  Fd fd(::memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd) throw errno_error("memfd_create", name);
  if (::ftruncate(fd.get(), static_cast<off_t>(bytes)) < 0) throw errno_error("ftruncate", name);
  return fd;
}

std::pair<Fd, Fd> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) < 0) throw errno_error("create", "pipe");
  return {Fd(ends[0]), Fd(ends[1])};
}

std::pair<Fd, Fd> make_socketpair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) throw errno_error("create", "socket pair");
  return {Fd(ends[0]), Fd(ends[1])};
}

std::string read_all(int fd, const std::string& name, size_t limit) {
  std::string bytes;
  char chunk[65536];
  for (;;) {
    ssize_t n = ::read(fd, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw errno_error("read", name);
    if (n == 0) return bytes;
    if (bytes.size() + static_cast<size_t>(n) > limit)
      throw Error("read", name, "is larger than the limit of " + std::to_string(limit) + " bytes");
    bytes.append(chunk, static_cast<size_t>(n));
  }
}

std::string read_file(const std::string& path, size_t limit) {
  Fd fd = open_file(path, O_RDONLY | O_NONBLOCK);
  struct stat info;
  if (::fstat(fd.get(), &info) < 0) throw errno_error("stat", path);
  if (!S_ISREG(info.st_mode)) throw Error("read", path, "is not a regular file");
  return read_all(fd.get(), path, limit);
}

void write_all(int fd, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw errno_error("write", name);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

void replace_file(const std::string& path, std::string_view bytes, unsigned mode) {
  struct stat info;
  if (::lstat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode))  // renaming over a device would take it from everybody
    throw Error("replace", path, "is not a regular file");
  std::string part = path + ".part." + std::to_string(::getpid());
  try {
    Fd fd = open_file(part, O_WRONLY | O_CREAT | O_TRUNC, mode);
    write_all(fd.get(), bytes, part);
    if (::fsync(fd.get()) < 0) throw errno_error("sync", part);
    if (::rename(part.c_str(), path.c_str()) < 0) throw errno_error("rename", path);
  } catch (...) {
    ::unlink(part.c_str());
    throw;
  }
}

TempDir::TempDir(const std::string& prefix) {
  const char* base = std::getenv("TMPDIR");
  std::string pattern = std::string(base && *base ? base : "/tmp") + "/" + prefix + ".XXXXXX";
  if (!::mkdtemp(pattern.data())) throw errno_error("create folder", pattern);
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;  // a leftover folder is no reason to lose a verdict
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace assay
