// Descriptors, owned. Each is born close-on-exec; a child inherits only what Spawn names (base/child.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace assay {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept;
  ~Fd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void reset();

 private:
  int fd_ = -1;
};

Fd open_file(const std::string& path, int flags, unsigned mode = 0);  // O_CLOEXEC is added; throws Error
Fd make_memfd(const std::string& name, size_t bytes);                 // sealable, sized, zero-filled
std::pair<Fd, Fd> make_pipe();                                        // {read end, write end}
std::pair<Fd, Fd> make_socketpair();                                  // AF_UNIX, SOCK_SEQPACKET

std::string read_all(int fd, const std::string& name, size_t limit = SIZE_MAX);  // throws past the limit
std::string read_file(const std::string& path, size_t limit = SIZE_MAX);
void write_all(int fd, std::string_view bytes, const std::string& name);

// Writes beside the target, syncs, renames: the file is whole or as it was.
void replace_file(const std::string& path, std::string_view bytes, unsigned mode = 0644);

// A folder under $TMPDIR (or /tmp) that leaves with its owner.
class TempDir {
 public:
  explicit TempDir(const std::string& prefix);
  TempDir(TempDir&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TempDir& operator=(TempDir&&) = delete;
  ~TempDir();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace assay
