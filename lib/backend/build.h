// Compiles a kernel's source into a shared object, inside sandbox-run under policies/compile.json. Results are kept
// under $XDG_CACHE_HOME/assay (or ~/.cache/assay), named by the hash of everything that made them.
#pragma once

#include <string>
#include <vector>

namespace assay {

struct Build {
  bool ok = false;
  std::string object;       // path of the shared object, when ok
  std::string reason;       // "compile_error", "compile_timeout", … when not ok
  std::string diagnostics;  // the compiler's stderr, at most 16 KiB
  double time_s = 0;        // 0 from the cache
};

// `text` is the source itself, `name` what diagnostics call it; `include` is a folder on the include path (the task's).
// Throws Error if the compiler or the sandbox can't run: that is no verdict on the source.
Build build_kernel(const std::string& text, const std::string& name, const std::string& include,
                   const std::vector<std::string>& flags);

}  // namespace assay
