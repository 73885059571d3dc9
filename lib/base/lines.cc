#include "base/lines.h"

#include <unistd.h>

#include <cerrno>

#include "base/error.h"

namespace assay {

LineReader::LineReader(int fd, std::string name, size_t max_bytes)
    : fd_(fd), name_(std::move(name)), max_bytes_(max_bytes) {}

std::optional<std::string> LineReader::next() {
  size_t scanned = start_;
  for (;;) {
    size_t newline = buffer_.find('\n', scanned);
    if (newline != std::string::npos) {
      std::string line = buffer_.substr(start_, newline - start_);
      start_ = newline + 1;
      ++line_;
      terminated_ = true;
      return line;
    }
    if (end_) {
      if (start_ == buffer_.size()) return std::nullopt;
      std::string line = buffer_.substr(start_);
      start_ = buffer_.size();
      ++line_;
      terminated_ = false;
      return line;
    }
    buffer_.erase(0, start_);
    start_ = 0;
    if (buffer_.size() > max_bytes_)
      throw Error("read", name_ + ":" + std::to_string(line_ + 1),
                  "line is longer than " + std::to_string(max_bytes_) + " bytes");
    scanned = buffer_.size();
    char chunk[65536];
    ssize_t n = ::read(fd_, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw errno_error("read", name_);
    if (n == 0) end_ = true;
    buffer_.append(chunk, static_cast<size_t>(n));
  }
}

}  // namespace assay
