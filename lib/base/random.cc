#include "base/random.h"

#include <sys/random.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

#include "base/error.h"

namespace assay {

uint64_t unpredictable_seed() {
  uint64_t seed;
  if (::getrandom(&seed, sizeof seed, 0) != sizeof seed) throw errno_error("read", "random numbers");
  return seed;
}

Random::Random(uint64_t seed) {
  for (uint64_t& word : state_) {
    seed += 0x9e3779b97f4a7c15;
    uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    word = z ^ (z >> 31);
  }
}

uint64_t Random::next() {
  uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

uint64_t Random::below(uint64_t bound) {
  uint64_t limit = -bound % bound;  // reject the short last stretch, so that no value is likelier
  for (;;) {
    uint64_t value = next();
    if (value >= limit) return value % bound;
  }
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

double Random::normal() {
  double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

void Random::fill(std::span<std::byte> bytes) {
  while (bytes.size() >= sizeof(uint64_t)) {
    uint64_t word = next();
    std::memcpy(bytes.data(), &word, sizeof word);
    bytes = bytes.subspan(sizeof word);
  }
  if (!bytes.empty()) {
    uint64_t word = next();
    std::memcpy(bytes.data(), &word, bytes.size());
  }
}

}  // namespace assay
