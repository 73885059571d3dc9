// Files, the environment, the callers' frames: whatever tells the kernel what it is judged by.
#include "lint/rules.h"
#include "lint/words.h"

namespace assay {
namespace {

const std::vector<Word> readers = {
    {"fopen"}, {"fopen64"}, {"freopen"}, {"fdopen"}, {"openat"}, {"open64"}, {"creat", true}, {"ifstream"}, {"ofstream"},
    {"fstream"}, {"filebuf"}, {"wifstream"}, {"filesystem"}, {"opendir"}, {"readdir"}, {"scandir"}, {"nftw"}, {"ftw", true},
    {"getenv"}, {"secure_getenv"}, {"environ"}, {"__environ"}, {"getcwd"}, {"chdir", true}, {"readlink"}, {"realpath"},
    {"backtrace"}, {"backtrace_symbols"}, {"backtrace_symbols_fd"}, {"dl_iterate_phdr"}, {"__builtin_return_address"},
    {"__builtin_frame_address"}, {"__builtin_extract_return_addr"}, {"_Unwind_Backtrace"}, {"unw_getcontext"},
    {"stacktrace"}, {"process_vm_readv"}, {"process_vm_writev"}, {"mincore"}, {"program_invocation_name"}, {"__libc_argv"},
    {"_end", true}, {"__data_start"}, {"_DYNAMIC"}, {"_GLOBAL_OFFSET_TABLE_"}, {"_r_debug"}, {"pthread_getattr_np"},
    {"getppid"}, {"malloc_usable_size"}, {"__libc_stack_end"}, {"open", true}, {"read", true}, {"pread"}, {"readv"},
    {"access", true}, {"stat", true}, {"fstat"}, {"lseek"}, {"fread"}, {"fgets"}, {"getline", true}, {"fscanf"}, {"inotify_init"},
    {"mmap64"}, {"shm_open"}, {"reference", true}, {"baseline", true}};

void judge_text(const Text& text, Findings& findings) {
  for (const char* path : {"/proc", "/dev/", "/sys/", "/tmp", "/etc/", "/home", "/root", "/var/", "/usr/", "/opt/", "task.json",
                           "reference.", "baseline.", "expected"})
    if (text.value.find(path) != std::string::npos)
      return findings.add(Severity::error, text.node, "names a file that is not the kernel's: " + std::string(path));
}

bool is_foreign(std::string_view path) {
  if (path.empty()) return false;
  if (path[0] == '/' || path.find("..") != std::string_view::npos || path.find("proc/") != std::string_view::npos) return true;
  for (std::string_view word : {"reference", "baseline", "expected", "golden", "solution", "perturb", "task.json"})
    if (path.find(word) != std::string_view::npos) return true;
  return false;
}

void judge_includes(const Unit& unit, Findings& findings) {
  for (Node n : unit.tree.nodes()) {
    if (n.is("preproc_call")) {
      std::string_view directive = n.field("directive").text();
      if (directive.find("embed") != std::string_view::npos || directive.find("import") != std::string_view::npos ||
          directive.find("include_next") != std::string_view::npos)
        findings.add(Severity::error, n, "takes a file's content into the kernel");
    }
    if (!n.is("preproc_include")) continue;
    Node path = n.field("path");
    std::string_view text = path.text();
    if (!path.is("system_lib_string") && !path.is("string_literal"))
      findings.add(Severity::error, n, "includes a file whose name is computed");
    else if (text.size() > 2 && is_foreign(text.substr(1, text.size() - 2)))
      findings.add(Severity::error, n, "includes a file that is not the kernel's");
  }
}

void judge_python(const Python& python, Findings& findings) {
  for (const PythonUse& u : python.uses) {
    const std::string& n = u.name;
    bool frames = n.starts_with("inspect.") || n == "sys._getframe" || n == "sys._current_frames" || n == "sys.settrace" ||
                  n == "sys.setprofile" || n.starts_with("gc.get_") || n.starts_with("traceback.");
    bool source = n == "inspect.getsource" || n == "inspect.signature" || n == "inspect.isfunction";
    if (frames && !source) findings.add(Severity::error, u.node, "walks the callers' frames or objects: " + n);
    bool file = ((n == "open" || n == "builtins.open") && u.called) || n == "io.open" || n == "os.open" || n == "os.listdir" ||
                n == "os.walk" || n == "os.scandir" || n == "numpy.load" || n == "torch.load" || n == "pickle.load" ||
                n == "numpy.fromfile" || n == "numpy.memmap" || n.starts_with("mmap.") || n.starts_with("glob.") ||
                n.starts_with("shelve.") || n.starts_with("multiprocessing.shared_memory");
    if (file) findings.add(Severity::error, u.node, "opens a file: " + n);
    if (n.starts_with("os.environ") || n == "os.getenv" || n == "sys.argv" || n == "sys.modules")
      findings.add(Severity::warning, u.node, "reads the environment: " + n);
  }
  for (Node n : python.tree.nodes()) {
    if (n.is("attribute") && is_one_of(n.field("attribute").text(), {"f_back", "f_locals", "f_globals", "f_code", "tb_frame",
                                                                     "gi_frame", "cr_frame", "__globals__", "__closure__",
                                                                     "read_text", "read_bytes", "write_text"}))
      findings.add(Severity::error, n, "reaches outside the kernel: " + std::string(n.field("attribute").text()));
    if (n.is("import_from_statement") || n.is("import_statement")) {
      std::string_view module = n.has("module_name") ? n.field("module_name").text() : n.field("name").text();
      std::string_view last = module.substr(module.rfind('.') + 1);
      if (is_one_of(last, {"reference", "baseline", "task", "check", "eval", "utils_eval", "__main__", "grader"}))
        findings.add(Severity::error, n, "imports the verifier's module " + std::string(module));
    }
  }
}

}  // namespace

void reads_verifier(const Unit& unit, Findings& findings) {
  if (unit.python) return judge_python(*unit.python, findings);
  for (const Use* use : find_words(*unit.uses, readers))
    findings.add(Severity::error, use->offset, use->offset + static_cast<uint32_t>(use->word.size()), use->node,
                 "reads what is not its inputs: " + std::string(use->word));
  for (const Text& text : unit.uses->texts) judge_text(text, findings);
  judge_includes(unit, findings);
}

}  // namespace assay
