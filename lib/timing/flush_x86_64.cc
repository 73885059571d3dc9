// CLFLUSHOPT where the processor has it: unlike CLFLUSH, one does not wait for the one before (several times faster).
#include <cpuid.h>
#include <immintrin.h>

#include "timing/flush.h"

namespace assay {
namespace {

constexpr size_t line_bytes = 64;

bool has_clflushopt() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 23));
}

__attribute__((target("clflushopt"))) void flush_unordered(const std::byte* from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += line_bytes) _mm_clflushopt(const_cast<std::byte*>(from) + i);
}

void flush_ordered(const std::byte* from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += line_bytes) _mm_clflush(from + i);
}

}  // namespace

void flush_caches(std::span<const std::byte> bytes) {
  static const bool unordered = has_clflushopt();
  _mm_mfence();
  if (!bytes.empty()) {
    (unordered ? flush_unordered : flush_ordered)(bytes.data(), bytes.size());
    _mm_clflush(&bytes.back());  // the line that an unaligned start leaves over
  }
  _mm_mfence();
}

}  // namespace assay
