// What the verifier and the worker say to each other, one message a SOCK_SEQPACKET packet. Both ends are built together;
// the layout is no interface. The verifier believes nothing of what it reads here.
//
//   worker   -> hello                     before any candidate code is loaded; carries the sender's pid (SCM_CREDENTIALS)
//   verifier -> load                      worker -> loaded   (text: why it can't be loaded, or empty)
//   verifier -> map + tensors + 2 memfds  worker -> mapped   (text: why it can't be mapped, or empty)
//   verifier -> call                      worker -> done
//                                         worker -> fault    from its SIGSEGV handler, just before it dies
#pragma once

#include <cstdint>

namespace assay::protocol {

enum class Kind : uint32_t { hello = 1, load, loaded, map, mapped, call, done, fault };

constexpr int max_dimensions = 8;
constexpr uint32_t max_tensors = 64;

struct Message {
  Kind kind;
  uint32_t tensors = 0;   // map: how many Tensor structs follow, inputs first
  uint64_t sequence = 0;  // an answer repeats its question's
  uint64_t input_bytes = 0, output_bytes = 0;      // map: sizes of the memfds
  uint64_t input_address = 0, output_address = 0;  // map: where to put them, if free there
  uint64_t in_input = 0;                           // fault: 1 if the address lies in the inputs
  char text[232] = {};                             // NUL-terminated
};

struct Tensor {
  uint8_t is_output;
  uint8_t code;  // DLDataTypeCode
  uint8_t bits;
  uint8_t dimensions;
  uint32_t reserved;
  int64_t shape[max_dimensions];
  uint64_t offset;  // into its memfd
};

struct MapMessage {
  Message head;
  Tensor tensors[max_tensors];
};

}  // namespace assay::protocol
