// The command's standard output or error, read into memory up to a limit.
#pragma once

#include <cstddef>

#include "base/fd.h"
#include "record/run.h"

namespace assay {

class Capture {
 public:
  explicit Capture(size_t limit);  // throws Error

  int write_end() const { return write_end_.get(); }
  void close_write_end() { write_end_.reset(); }
  int read_end() const { return read_end_.get(); }  // -1 once the end was seen

  void read_some();  // what is there now; never blocks. Past the limit, bytes are dropped and truncated is set.
  const Captured& result() const { return result_; }

 private:
  size_t limit_;
  Fd read_end_, write_end_;
  Captured result_;
};

}  // namespace assay
