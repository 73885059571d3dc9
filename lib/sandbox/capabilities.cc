#include "sandbox/capabilities.h"

#include <linux/securebits.h>
#include <sys/prctl.h>

#include "base/error.h"

namespace assay {

CapabilityState no_capabilities() {
  CapabilityState none(::cap_init());
  if (!none) throw errno_error("prepare", "capabilities");
  return none;
}

bool forbid_capabilities() {
  for (cap_value_t c = 0; ::prctl(PR_CAPBSET_READ, c, 0, 0, 0) >= 0; ++c)  // up to the last one that this kernel knows
    if (::prctl(PR_CAPBSET_DROP, c, 0, 0, 0) < 0) return false;
  constexpr unsigned long locked = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                                   SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
                                   SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
  return ::prctl(PR_SET_SECUREBITS, locked, 0, 0, 0) == 0;
}

bool drop_capabilities(const CapabilityState& none) {
  return ::cap_reset_ambient() == 0 && ::cap_set_proc(none.get()) == 0;
}

}  // namespace assay
