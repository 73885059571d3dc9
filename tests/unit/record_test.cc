#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/digest.h"
#include "base/fd.h"
#include "record/candidate.h"
#include "record/fields.h"

using namespace assay;

TEST_CASE("a key given twice is refused") {
  CHECK_THROWS_WITH_AS(parse_json(R"({"a":1,"b":{"a":2},"a":3})", "t.json"),
                       "parse t.json: key \"a\" occurs twice in one object", Error);
  CHECK(parse_json(R"([{"a":1},{"a":2}])", "t.json").size() == 2);
}

TEST_CASE("what others in the pipe can't read is refused: nesting") {
  std::string deep = std::string(150, '[') + std::string(150, ']');
  CHECK_NOTHROW(parse_json(deep, "t"));
  deep = std::string(300, '[') + std::string(300, ']');
  CHECK_THROWS_WITH_AS(parse_json(deep, "t"), "parse t: is nested deeper than 200 levels", Error);
}

TEST_CASE("fields name the file, the place and the remedy") {
  Json object = parse_json(R"({"wall_s":"60","wal":1})", "p.json");
  Fields fields(object, "p.json", "/limits");
  CHECK_THROWS_WITH_AS(fields.number("wall_s"), "read p.json: /limits/wall_s must be a number, is string", Error);
  CHECK_THROWS_WITH_AS(fields.text("name"), "read p.json: /limits/name is missing", Error);
  CHECK_THROWS_WITH_AS(fields.finish(), "read p.json: /limits: unknown key \"wal\" (known here: name, wall_s)", Error);
}

TEST_CASE("integers keep their width") {
  Json object = parse_json(R"({"a":9007199254740993,"b":18446744073709551615,"c":1.5})", "t");
  Fields fields(object, "t", "");
  CHECK(fields.integer("a") == 9007199254740993);
  CHECK_THROWS_AS(fields.integer("b"), Error);
  CHECK_THROWS_AS(fields.integer("c"), Error);
}

TEST_CASE("a candidate's file must be the file its hash names") {
  TempDir dir("assay-test");
  std::string path = dir.path() + "/k.cc";
  replace_file(path, "int x;");
  Json record = {{"kind", "candidate"}, {"v", 1}, {"id", "k"}, {"task", "t"}, {"source", path}, {"mine", 7}};
  Candidate c = read_candidate(record);
  CHECK(c.text == "int x;");
  CHECK(record["sha256"] == sha256("int x;"));
  CHECK(record["mine"] == 7);
  replace_file(path, "int y;");
  CHECK_THROWS_AS(read_candidate(record), Error);
}

TEST_CASE("invalid UTF-8 never stops a record") {
  Json record = {{"message", "bad \xff byte"}};
  CHECK(to_line(record) == "{\"message\":\"bad \xEF\xBF\xBD byte\"}\n");
}
