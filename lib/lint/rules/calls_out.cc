// Processes, threads of its own, network, signals, loading of code, exit hooks. OpenMP is how a kernel uses both cores.
#include "lint/rules.h"
#include "lint/words.h"

namespace assay {
namespace {

const std::vector<Word> calls = {
    {"fork"}, {"vfork"}, {"clone", true}, {"clone3"}, {"execl"}, {"execlp"}, {"execle"}, {"execv"}, {"execvp"}, {"execve"},
    {"execvpe"}, {"execveat"}, {"fexecve"}, {"posix_spawn"}, {"posix_spawnp"}, {"popen"}, {"wordexp"}, {"system", true},
    {"pthread_create"}, {"pthread_atfork"}, {"thrd_create"}, {"thread", false, true}, {"jthread"}, {"async", false, true},
    {"socket"}, {"socketpair"}, {"accept", true}, {"accept4"}, {"connect", true}, {"bind", true}, {"listen", true},
    {"send", true}, {"recv", true}, {"sendto"}, {"recvfrom"}, {"sendmsg"}, {"recvmsg"}, {"getaddrinfo"}, {"gethostbyname"},
    {"dlopen"}, {"dlmopen"}, {"dlsym"}, {"dlvsym"}, {"dladdr"}, {"dladdr1"}, {"dlinfo"}, {"syscall"}, {"_exit"}, {"_Exit"},
    {"exit", true}, {"quick_exit"}, {"at_quick_exit"}, {"atexit"}, {"on_exit"}, {"__cxa_atexit"}, {"__cxa_thread_atexit"},
    {"signal", true}, {"sigaction"}, {"sigprocmask"}, {"sigaltstack"}, {"pthread_sigmask"}, {"raise", true}, {"kill", true},
    {"tgkill"}, {"pthread_kill"}, {"sigqueue"}, {"alarm", true}, {"ptrace"}, {"prctl"}, {"arch_prctl"}, {"seccomp"},
    {"unshare"}, {"setns"}, {"mount", true}, {"memfd_create"}, {"mprotect"}, {"pkey_mprotect"}, {"mremap"}, {"userfaultfd"},
    {"pipe", true}, {"pipe2"}, {"dup", true}, {"dup2"}, {"dup3"}, {"fcntl"}, {"ioctl"}, {"write", true}, {"pwrite"},
    {"writev"}, {"fwrite"}, {"sendfile"}, {"splice"}, {"close", true}, {"close_range"}, {"mkfifo"}, {"unlink", true},
    {"setjmp"}, {"_setjmp"}, {"longjmp"}, {"sigsetjmp"}, {"siglongjmp"}, {"getcontext"}, {"setcontext"}, {"makecontext"},
    {"swapcontext"}, {"setrlimit"}, {"sched_setaffinity"}, {"sched_setscheduler"}, {"setpriority"}, {"pthread_setschedparam"},
    {"__libc_start_main"}, {"__malloc_hook"}, {"__free_hook"}, {"mallopt"}, {"set_terminate"}, {"set_new_handler"}, {"io_uring_setup"}, {"cudaLaunchHostFunc"},
    {"cudaStreamAddCallback"}, {"cuModuleLoadData"}, {"nvrtcCompileProgram"}};

const std::vector<Word> hooks = {{"constructor"}, {"destructor"}, {"ifunc"}, {"alias"}, {"weakref"}, {"section"}, {"symver"},
                                 {"weak"}, {"__constructor__"}, {"__destructor__"}, {"__ifunc__"}, {"__alias__"},
                                 {"__section__"}, {"__weakref__"}, {"__weak__"}};

void judge_cpp(const Unit& unit, Findings& findings) {
  for (const Use* use : find_words(*unit.uses, calls)) {
    std::string_view around = use->node.parent().is("qualified_identifier") ? use->node.parent().parent().text().substr(0, 80) : "";
    if (use->word == "thread" && around.find("hardware_concurrency") != std::string_view::npos) continue;
    if (use->word == "thread" && use->node.parent().text().find("hardware_concurrency") != std::string_view::npos) continue;
    findings.add(Severity::error, use->offset, use->offset + static_cast<uint32_t>(use->word.size()), use->node,
                 "a kernel computes and returns, it does not call " + std::string(use->word));
  }
  static const std::vector<Word> mapping = {{"mmap"}};
  for (const Use* use : find_words(*unit.uses, mapping)) {
    std::string_view call = use->node.parent().text();
    bool memory = use->called && (call.find("MAP_ANONYMOUS") != std::string_view::npos || call.find("MAP_ANON") != std::string_view::npos) &&
                  call.find("PROT_EXEC") == std::string_view::npos;
    findings.add(memory ? Severity::note : Severity::error, use->node,
                 memory ? "maps memory of its own" : "maps what is not plain memory");
  }
  for (Node n : unit.tree.nodes()) {
    bool attribute = n.is("attribute_specifier") || n.is("attribute_declaration") || n.is("attributed_statement");
    if (!attribute) continue;
    uint32_t limit = n.id + 200;
    for (Node c : unit.tree.within(n)) {
      if (c.id > limit) break;
      if (!c.is("identifier")) continue;
      for (const Word& w : hooks)
        if (w.word == c.text())
          findings.add(Severity::error, c, "code or data that the loader acts on: attribute " + std::string(w.word));
    }
  }
  for (const Variable& v : unit.flow->symbols.variables) {
    if (v.function != none || !v.declaration.is("declaration") || v.is_constant) continue;
    Node value = v.declarator.parent().field("value");
    if (value.is("call_expression") && unit.flow->call(value) && !unit.flow->call(value)->callees.empty())
      findings.add(Severity::warning, v.declarator, "a function runs when the kernel is loaded");
  }
}

void judge_python(const Python& python, Findings& findings) {
  for (const PythonUse& u : python.uses) {
    bool found = false;
    for (const char* module : {"subprocess.", "threading.", "_thread.", "multiprocessing.", "concurrent.futures", "asyncio.",
                               "socket.", "urllib.", "requests.", "http.", "ctypes.", "cffi.", "signal.", "atexit.", "pty.",
                               "pip.", "os.exec", "os.spawn", "os.posix_spawn", "_posixsubprocess.", "faulthandler.",
                               "_ctypes.", "weakref.finalize", "sched."})
      found = found || u.name.starts_with(module);
    for (const char* name : {"os.system", "os.popen", "os.fork", "os.kill", "os._exit", "os.abort", "sys.exit", "os.dup2",
                             "os.write", "os.putenv", "sys.setswitchinterval", "builtins.exit"})
      found = found || u.name == name;
    found = found || ((u.name == "exit" || u.name == "quit") && u.called);
    if (is_one_of(u.name, {"threading.Lock", "threading.RLock", "threading.local", "asyncio.Lock"})) found = false;
    if (found) findings.add(Severity::error, u.node, "a kernel computes and returns, it does not use " + u.name);
  }
  for (Node n : python.tree.nodes())
    if (n.is("raise_statement") && n.first_named() && n.first_named().text().starts_with("SystemExit"))
      findings.add(Severity::error, n, "ends the verifier's process");
}

}  // namespace

void calls_out(const Unit& unit, Findings& findings) {
  unit.python ? judge_python(*unit.python, findings) : judge_cpp(unit, findings);
}

}  // namespace assay
