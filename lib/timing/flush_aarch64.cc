// DC CIVAC: clean and invalidate to the point of coherency. Linux lets programs use it (SCTLR_EL1.UCI), and read the
// line's size from CTR_EL0 (DminLine: log2 of words).
#include <cstdint>

#include "timing/flush.h"

namespace assay {

void flush_caches(std::span<const std::byte> bytes) {
  uint64_t ctr = 0;
  asm volatile("mrs %0, ctr_el0" : "=r"(ctr));
  size_t line_bytes = size_t{4} << ((ctr >> 16) & 15);
  asm volatile("dsb ish" ::: "memory");
  for (size_t i = 0; i < bytes.size(); i += line_bytes) asm volatile("dc civac, %0" ::"r"(bytes.data() + i) : "memory");
  if (!bytes.empty()) asm volatile("dc civac, %0" ::"r"(&bytes.back()) : "memory");  // what an unaligned start leaves
  asm volatile("dsb ish" ::: "memory");
}

}  // namespace assay
