// Random numbers: unpredictable seeds from the kernel, and a fast generator that a seed makes repeatable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

uint64_t unpredictable_seed();  // getrandom(2)

// xoshiro256** of Blackman and Vigna (2018), seeded through splitmix64. Same seed, same numbers, on every machine.
class Random {
 public:
  explicit Random(uint64_t seed);

  uint64_t next();
  uint64_t below(uint64_t bound);  // uniform in [0, bound); bound > 0
  double uniform();                // [0, 1)
  double normal();                 // mean 0, variance 1
  void fill(std::span<std::byte> bytes);

 private:
  uint64_t state_[4];
};

}  // namespace assay
