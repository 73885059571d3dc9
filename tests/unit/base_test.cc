#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>

#include "base/child.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/lines.h"
#include "base/printable.h"
#include "base/random.h"

using namespace assay;

TEST_CASE("sha256 of known texts") {  // FIPS 180-2, appendix B
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("lines: newline, no newline at the end, empty lines, a line past the limit") {
  auto [in, out] = make_pipe();
  write_all(out.get(), "one\n\nlast", "pipe");
  out.reset();
  LineReader lines(in.get(), "pipe", 100);
  CHECK(lines.next() == "one");
  CHECK(lines.terminated());
  CHECK(lines.next() == "");
  CHECK(lines.next() == "last");
  CHECK_FALSE(lines.terminated());
  CHECK(lines.line() == 3);
  CHECK_FALSE(lines.next());

  auto [in2, out2] = make_pipe();
  write_all(out2.get(), std::string(300, 'x'), "pipe");
  out2.reset();
  LineReader longer(in2.get(), "pipe", 100);
  CHECK_THROWS_WITH_AS(longer.next(), "read pipe:1: line is longer than 100 bytes", Error);
}

TEST_CASE("a child inherits the descriptors named, at their numbers, and no other") {
  auto [in, out] = make_pipe();
  auto [other_in, other_out] = make_pipe();
  Child child = Child::spawn({.argv = {"sh", "-c", "ls /proc/self/fd | tr '\\n' ' ' >&5"},
                              .inherit = {{out.get(), 5}},
                              .null_stdin = true});
  out.reset();
  CHECK(read_all(in.get(), "pipe") == "0 1 2 3 5 ");  // 3 is ls's own handle on the folder
  CHECK(child.wait().ok());
}

TEST_CASE("swapped descriptors arrive swapped") {
  auto [a_in, a_out] = make_pipe();
  auto [b_in, b_out] = make_pipe();
  int a = a_out.get(), b = b_out.get();
  Child child = Child::spawn({.argv = {"sh", "-c",
                                       "echo A >&" + std::to_string(b) + "; echo B >&" + std::to_string(a)},
                              .inherit = {{a, b}, {b, a}}});
  a_out.reset();
  b_out.reset();
  CHECK(child.wait().ok());
  CHECK(read_all(a_in.get(), "a") == "A\n");
  CHECK(read_all(b_in.get(), "b") == "B\n");
}

TEST_CASE("a program that is not there is an error, a signal is reported") {
  CHECK_THROWS_WITH_AS(Child::spawn({.argv = {"no-such-program"}}),
                       "run no-such-program: No such file or directory", Error);
  Exit exit = Child::spawn({.argv = {"sh", "-c", "kill -9 $$"}}).wait();
  CHECK(exit.signal == SIGKILL);
  CHECK(exit.code == 128 + SIGKILL);
}

TEST_CASE("replace_file leaves the old file when the new one can't be written") {
  TempDir dir("assay-test");
  std::string path = dir.path() + "/file";
  replace_file(path, "old");
  CHECK_THROWS_AS(replace_file(path + "/below", "x"), Error);
  replace_file(path, "new");
  CHECK(read_file(path) == "new");
  CHECK_THROWS_WITH_AS(replace_file("/dev/null", "x"), "replace /dev/null: is not a regular file", Error);
  CHECK(std::distance(std::filesystem::directory_iterator(dir.path()), {}) == 1);
}

TEST_CASE("a folder or a device is no source file") {
  CHECK_THROWS_WITH_AS(read_file("/tmp"), "read /tmp: is not a regular file", Error);
  CHECK_THROWS_WITH_AS(read_file("/dev/zero"), "read /dev/zero: is not a regular file", Error);
}

TEST_CASE("nothing that a candidate prints drives a terminal") {
  CHECK(printable("a\x1b[2J\a\tb\n\xc2\x9b" "c \xc3\xa4\x7f") == "a [2J \tb\n c \xc3\xa4 ");
  CHECK(printable(std::string_view("\0x", 2)) == " x");
}

TEST_CASE("same seed, same numbers; below stays below") {
  Random a(7), b(7), c(8);
  CHECK(a.next() == b.next());
  CHECK(a.next() != c.next());
  for (int i = 0; i < 1000; ++i) CHECK(a.below(3) < 3);
}

TEST_CASE("a child's null input is not lost to an inherited descriptor of its number") {
  auto [read_end, write_end] = make_pipe();
  int next = open_file("/dev/null", 0).get();  // what spawn's own /dev/null will get
  Child child = Child::spawn({.argv = {"sh", "-c", "test /dev/fd/0 -ef /dev/null"},
                              .inherit = {{write_end.get(), next}},
                              .null_stdin = true});
  CHECK(child.wait().ok());
}
