// Drops every capability, for good: effective, permitted, inheritable, ambient and bounding sets, and root's claim to
// them.
#pragma once

#include <sys/capability.h>

#include <memory>
#include <type_traits>

namespace assay {

struct FreeCapabilities {
  void operator()(void* state) const { ::cap_free(state); }
};
using CapabilityState = std::unique_ptr<std::remove_pointer_t<cap_t>, FreeCapabilities>;

CapabilityState no_capabilities();  // made before fork, because it allocates; throws Error

// Both: false with errno, async-signal-safe. First the ways to gain capabilities, which takes CAP_SETPCAP and leaves
// those held through a change of user; then those held.
bool forbid_capabilities();
bool drop_capabilities(const CapabilityState& none);

}  // namespace assay
