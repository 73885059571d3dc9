#include <doctest/doctest.h>

#include "lint/rule.h"
#include "syntax/preprocess.h"
#include "syntax/tree.h"

using namespace assay;

namespace {

std::string expand(const std::string& source) { return expand_macros(source).text; }

std::string squeeze(const std::string& text) {
  std::string result;
  for (char c : text)
    if (c != ' ' && c != '\n') result += c;
  return result;
}

bool rejects(const std::string& text, Language language = Language::cpp) { return first_error(lint(text, language)) != nullptr; }

}  // namespace

TEST_CASE("a tree is walked by number, parent, sibling and field") {
  Tree tree = parse("int f(int a) { return a + 1; }", Language::cpp);
  Node function;
  for (Node n : tree.nodes())
    if (n.is("function_definition")) function = n;
  REQUIRE(function);
  CHECK(function.field("declarator").field("declarator").text() == "f");
  CHECK(function.field("body").parent() == function);
  CHECK(!function.field("no such field"));
  CHECK(!Node{}.parent());
  CHECK(tree.root().last() == tree.size());
  Node sum = function.field("body").first_named().first_named();
  CHECK(sum.is("binary_expression"));
  CHECK(sum.field("left").next().text() == "+");
  CHECK(sum.field("right").text() == "1");
}

TEST_CASE("macros expand as the preprocessor would") {
  struct {
    const char* source;
    const char* expected;  // the last line, without spaces
  } rows[] = {
      {"#define A 1\nA", "1"},
      {"#define J(a,b) a##b\nJ(clock_,gettime)(0)", "clock_gettime(0)"},
      {"#define S(x) #x\nS(a \"b\")", "\"a\\\"b\\\"\""},
      {"#define F(x) (x+x)\nF(F(1))", "((1+1)+(1+1))"},
      {"#define A B\n#define B A\nA", "A"},
      {"#define G F\n#define F(x) [x]\nG(3)", "[3]"},
      {"#define V(f, ...) f(__VA_ARGS__)\nV(g, 1, 2)", "g(1,2)"},
      {"#define A 1\n\"A\" 'A' R\"(A)\" /*A*/ xA", "\"A\"'A'R\"(A)\"/*A*/xA"},
      {"#define A 1\nA\\\nA", "AA"},
      {"#define F(x) x\nF", "F"},
      {"#define F(x) x\nF(", "F("},
  };
  for (auto& row : rows) {
    std::string text = expand(row.source);
    std::string last = squeeze(text);
    INFO(row.source);
    CHECK(last.size() >= std::string(row.expected).size());
    CHECK(last.substr(last.size() - std::string(row.expected).size()) == row.expected);
  }
}

TEST_CASE("an expanded place is told in the source") {
  std::string source = "#define A clock_gettime\nint x;\nA(0, 0);";
  Expanded e = expand_macros(source);
  uint32_t use = static_cast<uint32_t>(e.text.rfind("clock_gettime"));
  CHECK(e.source_offset(use) == source.rfind('A'));
  CHECK(e.source_offset(use + 5) == source.rfind('A'));
  CHECK(e.source_offset(static_cast<uint32_t>(e.text.find("int x"))) == source.find("int x"));
}

TEST_CASE("macros that grow without end are given up") {
  std::string source = "#define A0 x\n";
  for (int i = 1; i < 60; ++i)
    source += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + " A" + std::to_string(i - 1) + "\n";
  source += "int y = A59;";
  CHECK(expand_macros(source).gave_up);
  CHECK(rejects(source));
}

TEST_CASE("hostile bytes never stop the linter") {
  constexpr size_t deep = 20000;
  auto repeat = [](const std::string& part, size_t times) {
    std::string text;
    for (size_t i = 0; i < times; ++i) text += part;
    return text;
  };
  for (const std::string& text :
       {std::string(), std::string(1000, '\0'), std::string("\xff\xfe int x; \xc3"), repeat("(", deep), repeat("{", deep),
        "int f() { return " + repeat("(", deep) + "1" + repeat(")", deep) + "; }", "void f(){" + repeat("if(x){", deep) + repeat("}", deep) + "}",
        "int x = " + repeat("a?", deep) + "1" + repeat(":2", deep) + ";", "void f(){ a" + repeat("[b", deep) + repeat("]", deep) + "=1; }",
        "void f(){ a" + repeat(".b", deep) + "=1; }", repeat("#define F(x) x\nF(", 2000), "x" + repeat(".y", deep) + " = 1\n"})
    for (Language language : {Language::cpp, Language::python}) {
      LintReport report = lint(text, language);
      CHECK(report.findings.size() <= 200);
    }
}

TEST_CASE("languages follow the file's name") {
  CHECK(language_of("a/k.cc") == Language::cpp);
  CHECK(language_of("k.cu") == Language::cpp);
  CHECK(language_of("k.py") == Language::python);
  CHECK(!language_of("k"));
  CHECK(!language_of("k.rs"));
}

TEST_CASE("every rule has an id, a summary and a language") {
  for (const Rule& rule : all_rules()) {
    CHECK(std::string(rule.id).find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos);
    CHECK(std::string(rule.summary).size() > 10);
    CHECK((rule.cpp || rule.python));
  }
}
