// Writes memory back and drops it from every cache of every core, by address: no eviction, whose cost and success
// would hang on the size and the policy of caches that a virtual machine may hide. One file an architecture.
#pragma once

#include <cstddef>
#include <span>

namespace assay {

void flush_caches(std::span<const std::byte> bytes);

}  // namespace assay
