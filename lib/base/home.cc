#include "base/home.h"

#include <filesystem>
#include <system_error>

#include "base/error.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// PREFIX in PREFIX/bin/TOOL, PREFIX/libexec/assay/TOOL; the build folder in a build.
fs::path prefix() {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) throw Error("find", "own program", error.message());
  fs::path folder = self.parent_path();
  return folder.filename() == "assay" ? folder.parent_path().parent_path() : folder.parent_path();
}

}  // namespace

std::string program_path(const std::string& name) { return prefix() / "bin" / name; }

std::string helper_path(const std::string& name) { return prefix() / "libexec" / "assay" / name; }

std::string data_path(const std::string& relative) {
  fs::path installed = prefix() / "share" / "assay" / relative;
  if (fs::exists(installed)) return installed;
  fs::path source = prefix() / "source" / relative;  // a link that make leaves in the build folder
  if (fs::exists(source)) return fs::canonical(source);
  throw Error("find", relative, "is neither in " + (prefix() / "share" / "assay").string() +
                                    " nor in a source tree; reinstall Assay");
}

}  // namespace assay
