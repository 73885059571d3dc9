// The buffers of a call, owned by the verifier and mapped by the worker: one memfd of inputs, sealed so that the
// worker can only read it, and one of outputs with unpredictable guard bands before and after every tensor.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/fd.h"
#include "base/random.h"
#include "task/tensor.h"

namespace assay {

class Arena {
 public:
  Arena(const std::vector<TensorSpec>& inputs, const std::vector<TensorSpec>& outputs);
  Arena(Arena&&) noexcept;
  ~Arena();

  void write_inputs(const std::vector<Tensor>& inputs);
  void poison(Random& random);                        // fills outputs and guard bands with fresh random bytes
  std::vector<std::vector<std::byte>> snapshot() const;  // the outputs, copied out
  bool guards_intact() const;                         // since the last poison
  int64_t unwritten() const;                          // output elements that still hold their poison
  std::span<std::byte> bytes();                       // the whole of both mappings is flushed through these
  std::span<std::byte> output_bytes();

 private:
  friend class Worker;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
