// The buffers of a call, owned by the verifier and mapped by the worker: one memfd of inputs, sealed so that the
// worker can only read it, and one of outputs. Each tensor lies between guard bands of unpredictable bytes, starts at
// a multiple of 64 bytes (of no more: nothing may count on a page), and its last byte touches the guard after it.
//
//   Arena arena(input_specs, c.outputs);
//   worker.map(arena);                  // before the inputs are there: the process runs while it maps
//   arena.write_inputs(c.inputs);
//   arena.poison(random);
//   CallOutcome outcome = worker.call(2.0);
//   std::vector<std::vector<std::byte>> outputs = arena.snapshot();
//   bool honest = arena.guards_intact() && worker.stayed_frozen();
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
  Arena& operator=(Arena&&) noexcept;
  ~Arena();

  void write_inputs(const std::vector<Tensor>& inputs);  // throws Error if they are not the ones declared
  // Fills outputs and guard bands (the inputs' too) with fresh random bytes. Poison of a floating-point output is a
  // finite number of size 2 to 512, so that an element left as it was is wrong, not small.
  void poison(Random& random);
  std::vector<std::vector<std::byte>> snapshot() const;  // the outputs, copied out
  bool guards_intact() const;  // since the last poison
  // Output elements that still hold their poison. An honest value may equal it by chance (2^-11 for bfloat16 values
  // of poison's size): this explains a wrong result, it is no verdict by itself.
  int64_t unwritten() const;
  std::span<std::byte> bytes();         // the whole mapping of the inputs, to flush it from the caches
  std::span<std::byte> output_bytes();  // the same of the outputs

 private:
  friend class Worker;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
