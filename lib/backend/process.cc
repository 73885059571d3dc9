// Worker: the verifier's end of the channel, and the clock around it.
//
// Theory of operation. The worker is started behind sandbox-run with one end of a SEQPACKET socket pair as descriptor
// 3. Its first message comes before any candidate code is in the process; the kernel stamps it with the sender's pid
// (as our namespace counts), and that pid is what is frozen and watched from then on. Everything that comes later is
// hostile: an answer only ends the wait, its content decides nothing. A round is: send the question while the process
// is frozen, start the clock, thaw, wait for a packet or a death, freeze, stop the clock when the last thread stands.
// A second packet after that, or a wrong one, is `violated`.
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "backend/arena_impl.h"
#include "backend/freezer.h"
#include "backend/launch.h"
#include "backend/protocol.h"
#include "backend/worker.h"
#include "base/clock.h"
#include "base/error.h"

namespace assay {
namespace {

using protocol::Kind;
using protocol::MapMessage;
using protocol::Message;

constexpr double start_timeout_s = 20;
constexpr double map_timeout_s = 10;

struct Received {
  enum { message, nothing, closed, malformed } what = nothing;
  Message content{};
  pid_t sender = 0;
};

// Takes one packet if there is one. Descriptors that come along are closed.
Received receive(const Fd& socket) {
  Received result;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred)) + CMSG_SPACE(sizeof(int) * 256)];
  iovec data{&result.content, sizeof result.content};
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  ssize_t n = ::recvmsg(socket.get(), &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (n < 0) {
    result.what = errno == EAGAIN || errno == EINTR ? Received::nothing : Received::closed;
    return result;
  }
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level != SOL_SOCKET) continue;
    if (c->cmsg_type == SCM_CREDENTIALS && c->cmsg_len == CMSG_LEN(sizeof(ucred))) {
      ucred credentials;
      std::memcpy(&credentials, CMSG_DATA(c), sizeof credentials);
      result.sender = credentials.pid;
    } else if (c->cmsg_type == SCM_RIGHTS) {
      for (size_t at = 0; at + sizeof(int) <= c->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
        int fd;
        std::memcpy(&fd, CMSG_DATA(c) + at, sizeof fd);
        Fd stray(fd);
      }
    }
  }
  // An empty packet and the end of the stream look alike; neither is an answer.
  result.what = n == 0 ? Received::closed
                : n == sizeof result.content && !(header.msg_flags & MSG_TRUNC) ? Received::message
                                                                                : Received::malformed;
  result.content.text[sizeof result.content.text - 1] = 0;
  return result;
}

// Waits until one of the two is readable (or at its end); false at the deadline.
bool wait_readable(int a, int b, int64_t deadline_ns) {
  for (;;) {
    int64_t left = deadline_ns - now_ns();
    if (left <= 0) return false;
    pollfd fds[2] = {{a, POLLIN, 0}, {b, POLLIN, 0}};
    timespec t{left / 1'000'000'000, left % 1'000'000'000};
    int n = ::ppoll(fds, 2, &t, nullptr);
    if (n > 0) return true;
    if (n < 0 && errno != EINTR) throw errno_error("wait for", "the worker");
  }
}

bool is_dead(int pidfd) {
  pollfd fd{pidfd, POLLIN, 0};
  return ::poll(&fd, 1, 0) > 0;
}

std::string one_line(const char* text) {  // the candidate's words, made harmless to a terminal
  std::string result;
  for (; *text; ++text) result += *text >= ' ' && *text < 127 ? *text : ' ';
  return result;
}

uint8_t type_code(Dtype dtype) {  // DLDataTypeCode of DLPack 0.6
  switch (dtype) {
    case Dtype::int64: case Dtype::int32: case Dtype::int8: return 0;
    case Dtype::uint8: case Dtype::boolean: return 1;
    case Dtype::bfloat16: return 4;
    default: return 2;
  }
}

void add_tensors(MapMessage& message, const Area& area, bool output) {
  for (const Placed& placed : area.tensors) {
    if (message.head.tensors == protocol::max_tensors || placed.spec.shape.size() > protocol::max_dimensions)
      throw Error("map", "tensor " + placed.spec.name, "a task may have 64 tensors of 8 dimensions, no more");
    protocol::Tensor& t = message.tensors[message.head.tensors++];
    t = {.is_output = output, .code = type_code(placed.spec.dtype)};
    t.bits = static_cast<uint8_t>(8 * dtype_bytes(placed.spec.dtype));
    t.dimensions = static_cast<uint8_t>(placed.spec.shape.size());
    std::copy(placed.spec.shape.begin(), placed.spec.shape.end(), t.shape);
    t.offset = placed.offset;
  }
}

// Somewhere in the lower half of a 47-bit space, a multiple of 64 KiB; only a wish, should the place be taken.
uint64_t somewhere() { return 0x100000000000 + unpredictable_seed() % (uint64_t{0x600000000000} >> 16) * 0x10000; }

}  // namespace

struct Worker::Impl {
  Launched launched;
  Freezer freezer;
  uint64_t sequence = 0;
  std::optional<CallOutcome> over;  // how it ended

  CallOutcome end(CallOutcome outcome) {
    freezer.kill();
    over = outcome;
    return outcome;
  }

  CallOutcome died(bool wrote_input) {
    CallOutcome outcome{.status = CallOutcome::crashed, .wrote_input = wrote_input};
    outcome.detail = launched.sandbox.how_it_ended();
    return end(outcome);
  }

  void send(const void* message, size_t bytes, const int* fds) {
    alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))] = {};
    iovec data{const_cast<void*>(message), bytes};
    msghdr header{};
    header.msg_iov = &data;
    header.msg_iovlen = 1;
    if (fds) {
      header.msg_control = control;
      header.msg_controllen = sizeof control;
      cmsghdr* c = CMSG_FIRSTHDR(&header);
      c->cmsg_level = SOL_SOCKET;
      c->cmsg_type = SCM_RIGHTS;
      c->cmsg_len = CMSG_LEN(2 * sizeof(int));
      std::memcpy(CMSG_DATA(c), fds, 2 * sizeof(int));
    }
    // A failure (the process is dead, or has shut its end) shows in the wait that follows.
    (void)!::sendmsg(launched.socket.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT);
  }

  // One question and its answer. `message` starts with a Message.
  CallOutcome round(Message& head, const void* message, size_t bytes, const int* fds, Kind want, double timeout_s) {
    if (over) return *over;
    head.sequence = ++sequence;
    bool first = want == Kind::loaded;  // until then the process is ours, and not frozen
    if (!first) {
      if (is_dead(freezer.process())) return died(false);
      if (!freezer.stayed()) return end({.status = CallOutcome::violated, .detail = "ran while frozen"});
      if (receive(launched.socket).what != Received::nothing)
        return end({.status = CallOutcome::violated, .detail = "spoke while it was not asked"});
    }
    send(message, bytes, fds);
    int64_t start = now_ns();
    int64_t deadline = start + static_cast<int64_t>(timeout_s * 1e9);
    freezer.thaw();
    Received answer;
    bool wrote_input = false;
    for (;;) {
      if (!wait_readable(launched.socket.get(), freezer.process(), deadline)) {
        end({.status = CallOutcome::timed_out});
        over->detail = "no answer within " + std::to_string(timeout_s).substr(0, 5) + " s";
        return *over;
      }
      answer = receive(launched.socket);
      if (answer.what == Received::message && answer.content.kind == Kind::fault) {
        wrote_input = answer.content.in_input != 0;  // it dies of it, or the deadline ends the wait
        continue;
      }
      if (answer.what == Received::nothing || answer.what == Received::closed) {
        if (is_dead(freezer.process())) return died(wrote_input);
        if (answer.what == Received::nothing) continue;
        // Its end of the channel may close an instant before the process counts as dead.
        if (wait_readable(freezer.process(), freezer.process(), now_ns() + 100'000'000)) return died(wrote_input);
        return end({.status = CallOutcome::violated, .detail = "closed its channel"});
      }
      break;
    }
    CallOutcome outcome;
    int64_t stopped = 0;
    Freezer::State state = freezer.freeze(stopped);
    if (state == Freezer::dead) return died(wrote_input);
    if (state == Freezer::unstoppable)
      return end({.status = CallOutcome::violated, .detail = "could not be frozen"});
    outcome.time_ns = stopped - start;
    if (answer.what != Received::message || answer.content.kind != want || answer.content.sequence != head.sequence)
      return end({.status = CallOutcome::violated, .detail = "answered what it was not asked"});
    if (answer.content.text[0]) return end({.status = CallOutcome::crashed, .detail = one_line(answer.content.text)});
    return outcome;
  }
};

Worker::Worker(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Worker::Worker(Worker&&) noexcept = default;
Worker& Worker::operator=(Worker&&) noexcept = default;
Worker::~Worker() {
  if (impl_) impl_->freezer.kill();
}

Worker Worker::start(const std::string& object, const std::string& entry) {
  Launched launched = launch(object, entry);
  int64_t deadline = now_ns() + static_cast<int64_t>(start_timeout_s * 1e9);
  bool readable = wait_readable(launched.socket.get(), launched.sandbox.process(), deadline);
  Received hello = readable ? receive(launched.socket) : Received{};
  if (hello.what != Received::message || hello.content.kind != Kind::hello || hello.sender <= 0)
    throw Error("start", "the worker", readable ? launched.sandbox.failure() : "no sign of life within 20 s");
  Freezer freezer(hello.sender);
  for (const auto& [key, value] : {std::pair{"Seccomp", "2"}, {"NoNewPrivs", "1"}})
    if (process_status(hello.sender, key) != value)
      throw Error("start", "the worker", std::string("the sandbox does not confine it: ") + key + " in its status is not " +
                                             value + "; see policies/run-cpp.json");
  if (!freezer.alone())
    throw Error("start", "the worker", "it is not alone in its sandbox, or the kernel can't say (CONFIG_PROC_CHILDREN)");
  return Worker(std::unique_ptr<Impl>(new Impl{std::move(launched), std::move(freezer), 0, {}}));
}

CallOutcome Worker::load(double timeout_s) {
  Message message{.kind = Kind::load};
  return impl_->round(message, &message, sizeof message, nullptr, Kind::loaded, timeout_s);
}

void Worker::map(const Arena& arena) {
  MapMessage message{};
  message.head = {.kind = Kind::map};
  add_tensors(message, arena.impl_->inputs, false);
  add_tensors(message, arena.impl_->outputs, true);
  message.head.input_bytes = arena.impl_->inputs.bytes;
  message.head.output_bytes = arena.impl_->outputs.bytes;
  message.head.input_address = somewhere();
  message.head.output_address = somewhere();
  int fds[2] = {arena.impl_->inputs.fd.get(), arena.impl_->outputs.fd.get()};
  impl_->round(message.head, &message, sizeof message, fds, Kind::mapped, map_timeout_s);
}

CallOutcome Worker::call(double timeout_s) {
  Message message{.kind = Kind::call};
  return impl_->round(message, &message, sizeof message, nullptr, Kind::done, timeout_s);
}

bool Worker::stayed_frozen() { return !impl_->over && impl_->freezer.stayed() && impl_->freezer.alone(); }
bool Worker::alive() const { return !impl_->over; }

}  // namespace assay
