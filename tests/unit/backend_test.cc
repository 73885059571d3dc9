#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "backend/build.h"
#include "backend/freezer.h"
#include "backend/worker.h"
#include "base/child.h"
#include "base/fd.h"

using namespace assay;

namespace {

struct Cache {  // builds go to a folder of this test program's own
  Cache() { ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1); }
  TempDir folder{"assay-test"};
};

Build build(const std::string& body) {
  static Cache cache;
  std::string text = "#include <dlpack/dlpack.h>\n#include <cstdlib>\n#include <unistd.h>\n#include <thread>\n"
                     "extern \"C\" void k(const DLTensor* const* in, DLTensor* const* out) {\n"
                     "  const float* x = (const float*)in[0]->data; float* y = (float*)out[0]->data;\n"
                     "  long n = in[0]->shape[0]; (void)x; (void)y; (void)n;\n" + body + "}\n";
  return build_kernel(text, "k.cc", "", {});
}

TensorSpec vector_of(const std::string& name, int64_t n) { return {name, Dtype::float32, {n}}; }

struct Fixture {
  explicit Fixture(const std::string& body, int64_t n = 1000)
      : arena({vector_of("x", n)}, {vector_of("y", n)}), worker(start(body)) {
    loaded = worker.load(10);
    if (loaded.ok()) worker.map(arena);
    Tensor x(vector_of("x", n));
    for (int64_t i = 0; i < n; ++i) store(Dtype::float32, x.data, i, static_cast<double>(i));
    arena.write_inputs({x});
    arena.poison(random);
  }
  static Worker start(const std::string& body) {
    Build built = build(body);
    REQUIRE_MESSAGE(built.ok, built.diagnostics);
    return Worker::start(built.object, "k");
  }
  double output(int64_t i) { return assay::load(Dtype::float32, arena.snapshot()[0], i); }

  Random random{1};
  Arena arena;
  Worker worker;
  CallOutcome loaded;
};

const char* const doubles = "for (long i = 0; i < n; ++i) y[i] = 2 * x[i];";

}  // namespace

TEST_CASE("an honest kernel runs, is timed, and touches its outputs only") {
  Fixture f(doubles);
  REQUIRE_MESSAGE(f.loaded.ok(), f.loaded.detail);
  CHECK(f.arena.unwritten() == 1000);
  CallOutcome outcome = f.worker.call(10);
  CHECK_MESSAGE(outcome.ok(), outcome.detail);
  CHECK(outcome.time_ns > 0);
  CHECK(f.worker.stayed_frozen());
  CHECK(f.arena.guards_intact());
  CHECK(f.arena.unwritten() == 0);
  CHECK(f.output(999) == 1998);
  CHECK(f.worker.call(10).ok());
}

TEST_CASE("buffers mapped anew lie at new addresses") {
  Fixture f("y[0] = (float)((unsigned long)x >> 16); y[1] = (float)((unsigned long)y >> 16);");
  REQUIRE(f.worker.call(10).ok());
  double x = f.output(0), y = f.output(1);
  f.worker.map(f.arena);
  REQUIRE(f.worker.call(10).ok());
  CHECK(f.output(0) != x);
  CHECK(f.output(1) != y);
}

TEST_CASE("what a hostile kernel does is an outcome") {
  struct Row {
    const char* body;
    CallOutcome::Status status;
    const char* detail;
    bool wrote_input;
  };
  const Row rows[] = {
      {"((float*)x)[0] = 1;", CallOutcome::crashed, "SIGSEGV", true},
      {"*(volatile int*)8 = 1;", CallOutcome::crashed, "SIGSEGV", false},
      {"std::abort();", CallOutcome::crashed, "SIGABRT", false},
      {"_exit(0);", CallOutcome::crashed, "exit 0", false},
      {"for (;;) pause();", CallOutcome::timed_out, "no answer within 0.500 s", false},
      {"for (volatile int i = 0;; i = i + 1) {}", CallOutcome::timed_out, "no answer within 0.500 s", false},
      {"close(3); sleep(9);", CallOutcome::timed_out, "no answer within 0.500 s", false},
      {"write(3, \"x\", 1); sleep(9);", CallOutcome::violated, "answered what it was not asked", false},
      {"throw 1;", CallOutcome::crashed, "SIGABRT", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.body);
    Fixture f(row.body);
    REQUIRE(f.loaded.ok());
    CallOutcome outcome = f.worker.call(0.5);
    CHECK(outcome.status == row.status);
    CHECK(outcome.detail == row.detail);
    CHECK(outcome.wrote_input == row.wrote_input);
    CHECK_FALSE(f.worker.alive());
    CHECK(f.worker.call(0.5).status == row.status);  // and stays one
  }
}

TEST_CASE("a kernel that can't be loaded") {
  Build built = build("");
  REQUIRE(built.ok);
  Worker worker = Worker::start(built.object, "other_name");
  CallOutcome outcome = worker.load(10);
  CHECK(outcome.status == CallOutcome::crashed);
  CHECK(outcome.detail.find("other_name") != std::string::npos);
}

TEST_CASE("a thread that goes on after the answer stands still while the outputs are read") {
  Fixture f("std::thread([=] { for (long r = 0;; ++r) y[r % n] = (float)r; }).detach(); usleep(20000);");
  REQUIRE(f.worker.call(10).ok());
  std::vector<std::vector<std::byte>> first = f.arena.snapshot();
  ::usleep(20'000);
  CHECK(f.arena.snapshot() == first);
  CHECK(f.worker.stayed_frozen());
  REQUIRE(f.worker.call(10).ok());
  CHECK(f.arena.snapshot() != first);
}

TEST_CASE("an answer too many is seen at the next call") {
  Fixture f("static int calls = 0; if (calls++ == 0) { char m[4096] = {}; write(3, m, sizeof m); }");
  CallOutcome first = f.worker.call(10);
  CHECK(first.status == CallOutcome::violated);
}

TEST_CASE("one element past either end is seen") {
  for (const char* body : {"y[n] = 0;", "y[-1] = 0;", "y[n + 700] = 0;"}) {
    CAPTURE(body);
    Fixture f(std::string(doubles) + body);
    REQUIRE(f.worker.call(10).ok());
    CHECK_FALSE(f.arena.guards_intact());
  }
}

TEST_CASE("outputs left alone are counted") {
  Fixture f("for (long i = 0; i < n; i += 2) y[i] = 0;");
  REQUIRE(f.worker.call(10).ok());
  CHECK(f.arena.unwritten() == 500);
}

TEST_CASE("a build is kept by its content; diagnostics name the file, not its place") {
  Build first = build(doubles), second = build(doubles);
  CHECK(first.object == second.object);
  CHECK(second.time_s == 0);
  CHECK(build("y[0] = 1;").object != first.object);
  Build wrong = build("no_such_thing();");
  CHECK_FALSE(wrong.ok);
  CHECK(wrong.reason == "compile_error");
  CHECK(wrong.diagnostics.find("k.cc:8") != std::string::npos);
  CHECK(wrong.diagnostics.find("assay-build") == std::string::npos);
}

TEST_CASE("the include folder gives its headers and nothing else") {
  TempDir folder("assay-test");
  replace_file(folder.path() + "/task.h", "#define ANSWER 42\n");
  replace_file(folder.path() + "/reference.cc", "#define ANSWER 43\n");
  CHECK(build_kernel("#include \"task.h\"\nint x = ANSWER;", "k.cc", folder.path(), {}).ok);
  CHECK_FALSE(build_kernel("#include \"reference.cc\"\nint x = ANSWER;", "k.cc", folder.path(), {}).ok);
}

TEST_CASE("whoever runs while frozen is found out, even if it stands still again") {
  Child child = Child::spawn({.argv = {"sh", "-c", "while :; do :; done"}});
  Freezer freezer(child.pid());
  int64_t stopped = 0;
  REQUIRE(freezer.freeze(stopped) == Freezer::frozen);
  ::usleep(20'000);
  CHECK(freezer.stayed());
  child.kill(SIGCONT);
  ::usleep(20'000);
  CHECK_FALSE(freezer.stayed());
  child.kill(SIGSTOP);
  ::usleep(20'000);
  CHECK_FALSE(freezer.stayed());
  REQUIRE(freezer.freeze(stopped) == Freezer::frozen);
  CHECK(freezer.stayed());
  child.kill(SIGKILL);
  child.wait();
  CHECK(freezer.freeze(stopped) == Freezer::dead);
}

TEST_CASE("a process that has made another is not alone") {
  Child single = Child::spawn({.argv = {"sleep", "9"}});
  CHECK(Freezer(single.pid()).alone());
  single.kill(SIGKILL);
  single.wait();
  auto [in, out] = make_pipe();
  Child child = Child::spawn({.argv = {"sh", "-c", "sleep 9 & echo >&3; wait"}, .inherit = {{out.get(), 3}}});
  char byte;
  REQUIRE(::read(in.get(), &byte, 1) == 1);
  CHECK_FALSE(Freezer(child.pid()).alone());
}
