#include "sandbox/capture.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/error.h"

namespace assay {

Capture::Capture(size_t limit) : limit_(limit) {
  std::tie(read_end_, write_end_) = make_pipe();
  if (::fcntl(read_end_.get(), F_SETFL, O_NONBLOCK) < 0) throw errno_error("prepare", "pipe");
}

void Capture::read_some() {
  char chunk[65536];
  // Bounded, because a descriptor that the command passed out of the sandbox may go on being written to.
  for (int i = 0; read_end_ && i < 64; ++i) {
    ssize_t n = ::read(read_end_.get(), chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n < 0) throw errno_error("read", "captured output");
    if (n == 0) {
      read_end_.reset();
      return;
    }
    size_t room = limit_ - result_.bytes.size();
    result_.bytes.append(chunk, std::min(room, static_cast<size_t>(n)));
    if (static_cast<size_t>(n) > room) result_.truncated = true;
  }
}

}  // namespace assay
