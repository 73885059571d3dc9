// What passes between the supervisor and the sandbox's init: fixed-size messages on a SOCK_SEQPACKET pair, after one
// packet with the system-call filter, which the supervisor makes while init makes the root.
//
// Init runs between fork and exec, so a failure there is a message, never a throw: the supervisor makes an Error of
// it.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace assay {

struct Message {
  enum Kind : int {
    map_ids,  // init to supervisor: write my id maps, and answer with `go`
    go,       // supervisor to init
    missing,  // init to supervisor: going on without the protection that `object` names
    counted,  // supervisor to init, before the filter: which limits control groups keep, as `memory` and `processes`
    started,  // init to supervisor: the command is about to be executed
    ended,    // init to supervisor: the command has ended, or a limit has
    failed,   // init, or the command's process before exec, to supervisor: `operation` on `object` gave errno `error`
  };
  Kind kind;
  int error;
  char operation[32];
  char object[200];
  char limit;             // ended: 0, or 'c' for CPU, 'm' for memory
  bool memory, processes; // counted
  int64_t peak_rss_bytes; // ended: of the tree, as far as it was measured
  int status;             // ended: as wait(2) gives it
  int64_t at_ns;          // started, ended: CLOCK_MONOTONIC_RAW
  struct rusage init;     // started, ended: what init itself has used
};

bool send_message(int channel, const Message& message);
bool receive_message(int channel, Message& message);  // false at the end of the channel

// The word of a process that can't go on setting up. Async-signal-safe.
[[noreturn]] void fail_setup(int channel, const char* operation, const char* object);

}  // namespace assay
