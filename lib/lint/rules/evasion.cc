// Code that hides what it does from a reader: that alone is a reason to refuse it, or to look twice.
#include "lint/rules.h"
#include "lint/words.h"

namespace assay {
namespace {

bool is_keyword(std::string_view word) {
  return is_one_of(word, {"return", "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue",
                          "goto", "static", "const", "extern", "inline", "int", "float", "double", "void", "char", "long",
                          "unsigned", "sizeof", "struct", "class", "auto", "new", "delete", "true", "false", "volatile",
                          "namespace", "template", "using", "operator", "thread_local", "constexpr", "memcpy", "DLTensor"});
}

void judge_macros(Node n, Findings& findings) {
  std::string_view name = n.field("name").text(), value = n.field("value").text();
  if (is_keyword(name)) findings.add(Severity::error, n, "redefines " + std::string(name));
  if (value.find("##") != std::string_view::npos || value.find("%:%:") != std::string_view::npos)
    findings.add(Severity::warning, n, "pastes names together: they can't be read as written");
}

void judge_assembly(Node n, const Unit& unit, Findings& findings) {
  Node code = n.field("assembly_code");
  std::string text(code.text());
  if (n.parent().is("declaration") || n.parent().is("function_declarator") || n.parent().is("init_declarator"))
    return findings.add(Severity::error, n, "gives a symbol another name for the linker");
  for (const char* word : {"syscall", "sysenter", "int $0x80", "int 0x80", "svc", ".symver", ".globl", ".global", ".incbin",
                           ".section", ".pushsection", ".weak", "rdpmc", "call", "jmp", "wrfsbase", "xend", "xbegin"})
    if (text.find(word) != std::string::npos)
      return findings.add(Severity::error, n, "assembly that leaves the kernel: " + std::string(word));
  bool empty = text.find_first_not_of("\"R() \t\n") == std::string::npos;
  if (!empty) findings.add(Severity::warning, n, "assembly is not analysed");
  (void)unit;
}

// (void (*)(int))0x1234, reinterpret_cast<F*>(table): a function from a number or from data.
void judge_cast(Node type, Node value, Findings& findings) {
  bool function = false;
  uint32_t limit = type.id + 40;
  for (Node c : type.tree->within(type)) {
    if (c.id > limit) break;
    function = function || c.is("abstract_function_declarator");
  }
  if (!function) return;
  while (value.is("parenthesized_expression") && limit-- > type.id) value = value.first_named();
  bool number = value.is("number_literal") || value.is("binary_expression");
  findings.add(number ? Severity::error : Severity::warning, value, "makes a function out of a pointer or number");
}

bool has_universal_name(std::string_view text) {
  return text.find("\\u") != std::string_view::npos || text.find("\\U") != std::string_view::npos;
}

// In the source as written: the expansion has mended these.
void judge_spelling(const Unit& unit, Findings& findings) {
  const std::string& text = unit.source;
  auto at_source = [&](size_t start, const char* message) { findings.add_written(Severity::error, static_cast<uint32_t>(start), 2, message); };
  for (size_t i = text.find("\\\n"); i != std::string::npos; i = text.find("\\\n", i + 2)) {
    auto word = [&](size_t at) { return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'); };
    if (i && word(i - 1) && word(i + 2)) at_source(i, "a name is split over two lines");
  }
  for (size_t i = text.find("%:"); i != std::string::npos; i = text.find("%:", i + 2)) {
    size_t line = i;
    while (line > 0 && i - line < 64 && (text[line - 1] == ' ' || text[line - 1] == '\t')) --line;
    if (line == 0 || text[line - 1] == '\n') at_source(i, "a directive spelled as a digraph");
  }
}

void judge_cpp(const Unit& unit, Findings& findings) {
  uint32_t assembly_until = 0;
  for (Node n : unit.tree.nodes()) {
    std::string_view kind = n.kind();
    if (kind == "preproc_def" || kind == "preproc_function_def") judge_macros(n, findings);
    if (kind == "gnu_asm_expression" && n.id >= assembly_until) {
      judge_assembly(n, unit, findings);
      assembly_until = n.last();
    }
    if (kind == "cast_expression") judge_cast(n.field("type"), n.field("value"), findings);
    if (kind == "call_expression" && last_name(n.field("function")) == "reinterpret_cast")
      if (Node type = first_template_type(n.field("function"))) judge_cast(type, n.field("arguments").first_named(), findings);
    if (kind == "preproc_call") {
      std::string_view argument = n.field("argument").text();
      for (const char* word : {"redefine_extname", "weak", "push_macro", "pop_macro", "GCC optimize", "GCC target"})
        if (n.field("directive").text() == "#pragma" && argument.starts_with(word))
          findings.add(argument.starts_with("GCC") ? Severity::note : Severity::error, n, "a pragma that changes what names mean");
    }
    if ((kind == "identifier" || kind == "field_identifier" || kind == "ERROR") && has_universal_name(n.text().substr(0, 4096)))
      findings.add(Severity::error, n, "a name spelled with character codes");
  }
  judge_spelling(unit, findings);
}

void judge_python(const Python& python, Findings& findings) {
  for (const PythonUse& u : python.uses) {
    const std::string& n = u.name;
    bool runs = is_one_of(n, {"exec", "eval", "compile", "builtins.exec", "builtins.eval", "builtins.compile", "__builtins__",
                              "types.FunctionType", "types.CodeType", "types.MethodType", "marshal.loads", "pickle.loads",
                              "dill.loads", "cloudpickle.loads", "code.interact", "runpy.run_path", "importlib.reload",
                              "importlib.util.spec_from_file_location"});
    if (runs) findings.add(Severity::error, u.node, "runs code that can't be read here: " + n);
    if (is_one_of(n, {"base64.b64decode", "codecs.decode", "zlib.decompress", "bytes.fromhex"}))
      findings.add(Severity::warning, u.node, "decodes hidden text: " + n);
    if (n.size() > 2 && n.ends_with(".*") && !n.starts_with("*"))
      findings.add(Severity::error, u.node, "an attribute of " + n.substr(0, n.size() - 2) + " whose name is computed");
    if (n.starts_with("*")) findings.add(Severity::error, u.node, "imports a module whose name is computed");
  }
  for (Node n : python.tree.nodes())
    if (n.is("attribute") && is_one_of(n.field("attribute").text(), {"__code__", "__subclasses__", "__mro__", "__builtins__",
                                                                     "__getattribute__", "co_code", "__reduce__"}))
      findings.add(Severity::error, n, "reflection: " + std::string(n.field("attribute").text()));
  for (const PythonWrite& w : python.writes)
    if (w.target.ends_with("*")) findings.add(Severity::error, w.node, "replaces an attribute whose name is computed: " + w.target);
}

}  // namespace

void evasion(const Unit& unit, Findings& findings) {
  unit.python ? judge_python(*unit.python, findings) : judge_cpp(unit, findings);
}

}  // namespace assay
