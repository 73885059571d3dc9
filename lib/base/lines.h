// Lines from a descriptor, one at a time, memory for one line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace assay {

class LineReader {
 public:
  // Borrows fd. A line longer than max_bytes throws Error naming the line.
  LineReader(int fd, std::string name, size_t max_bytes = size_t{256} << 20);

  std::optional<std::string> next();  // without its newline; nothing at the end
  size_t line() const { return line_; }            // number of the line last returned, from 1
  bool terminated() const { return terminated_; }  // whether that line ended in a newline
  const std::string& name() const { return name_; }

 private:
  int fd_;
  std::string name_;
  size_t max_bytes_;
  std::string buffer_;
  size_t start_ = 0;
  size_t line_ = 0;
  bool end_ = false;
  bool terminated_ = false;
};

}  // namespace assay
