#include "lint/uses.h"

#include "lint/words.h"

namespace assay {
namespace {

bool starts_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_word(char c) { return starts_word(c) || (c >= '0' && c <= '9'); }

void split_words(Node node, Use::In in, std::vector<Use>& words) {
  std::string_view text = node.text();
  for (size_t i = 0; i < text.size();) {
    if (!starts_word(text[i])) {
      for (bool number = in_word(text[i]); i < text.size() && in_word(text[i]) == number; ++i)
        if (!number && starts_word(text[i])) break;
      continue;
    }
    size_t end = i;
    while (end < text.size() && in_word(text[end])) ++end;
    size_t after = end;
    while (after < text.size() && (text[after] == ' ' || text[after] == '\\' || text[after] == '\n')) ++after;
    Use use{text.substr(i, end - i), node, node.start() + static_cast<uint32_t>(i), in};
    use.called = after < text.size() && text[after] == '(';
    words.push_back(use);
    i = end;
  }
}

bool is_called(Node n) {
  Node p = n.parent();
  for (int steps = 0; steps < 8 && (p.is("qualified_identifier") || p.is("template_function") ||
                                    p.is("parenthesized_expression")); ++steps) {
    n = p;
    p = p.parent();
  }
  return p.is("call_expression") && n.field_name() == "function";
}

std::string plain(std::string_view literal) {
  std::string value;
  for (size_t i = 0; i < literal.size(); ++i)
    if (literal[i] != '"') value += literal[i];
  return value;
}

}  // namespace

Uses collect_uses(const Tree& tree, const Symbols& symbols) {
  Uses uses;
  uint32_t assembly_until = 0, broken_until = 0, text_until = 0;
  for (Node n : tree.nodes()) {
    std::string_view kind = n.kind();
    if (kind == "preproc_arg") split_words(n, Use::In::macro, uses.words);
    if (kind == "gnu_asm_expression") assembly_until = n.last();
    if (kind == "ERROR") {
      if (n.id >= broken_until) split_words(n, Use::In::broken, uses.words);
      broken_until = std::max(broken_until, n.last());
    }
    bool text = kind == "string_literal" || kind == "raw_string_literal" || kind == "concatenated_string";
    if (text && n.id >= text_until) {
      text_until = n.last();
      if (n.id < assembly_until) split_words(n, Use::In::assembly, uses.words);
      uses.texts.push_back({n, plain(n.text())});
    }
    bool name = kind == "identifier" || kind == "type_identifier" || kind == "field_identifier" ||
                kind == "namespace_identifier" || kind == "primitive_type";
    if (!name) continue;
    Use use{n.text(), n, n.start(), Use::In::code};
    use.member = kind == "field_identifier" && n.parent().is("field_expression");
    if (kind == "identifier" && symbols.variable_of[n.id] != none) continue;
    if (kind == "field_identifier" && !use.member) continue;
    use.called = is_called(n);
    auto found = symbols.functions_named.find(use.word);
    if (found != symbols.functions_named.end()) {
      use.ours = true;
      if (n.parent().is("function_declarator"))
        for (size_t i = 0; i < found->second.size() && i < 16; ++i) {
          const Function& f = symbols.functions[found->second[i]];
          if (f.node.start() <= n.start() && n.end() <= f.body.start() && f.is_external) use.defines = true;
        }
    }
    Node declarator = n.parent();
    if (!use.ours && declarator.is("function_declarator") && declarator.parent().is("declaration") &&
        symbols.function_of[n.id] == none)
      use.defines = true;  // a prototype of something outside the file
    uses.words.push_back(use);
  }
  return uses;
}

std::vector<const Use*> find_words(const Uses& uses, const std::vector<Word>& words) {
  std::unordered_map<std::string_view, const Word*> table;
  for (const Word& w : words) table[w.word] = &w;
  std::vector<const Use*> found;
  for (const Use& use : uses.words) {
    auto entry = table.find(use.word);
    if (entry == table.end() || use.member) continue;
    const Word& w = *entry->second;
    if (use.in == Use::In::code) {
      Node scope = use.node.parent().field("scope");
      bool outside = use.node.parent().is("qualified_identifier") && use.node.field_name() == "name" &&
                     (!scope || scope.text() == "std");  // ::word or std::word
      if (use.ours && !use.defines && !outside) continue;
      if (w.when_called && !use.called && !use.defines && !outside) continue;
      if (w.after_std && !outside && !use.node.is("type_identifier")) continue;
    } else if ((w.when_called || w.after_std) && !use.called) {
      continue;
    }
    found.push_back(&use);
  }
  return found;
}

}  // namespace assay
