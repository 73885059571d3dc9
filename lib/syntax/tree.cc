#include "syntax/tree.h"

#include <tree_sitter/api.h>

#include <memory>

#include "base/error.h"

extern "C" const TSLanguage* tree_sitter_cuda();
extern "C" const TSLanguage* tree_sitter_python();

namespace assay {
namespace {

// tree-sitter calls back every hundred parse steps. A clean source takes about one step a byte; error recovery on
// hostile text takes some ten; a text that wants more is trying to exhaust us.
constexpr uint64_t steps_a_callback = 100;
constexpr uint64_t steps_at_least = 2'000'000;
constexpr uint64_t steps_a_byte = 24;

constexpr uint16_t error_kind = 0xffff;
constexpr uint16_t missing_kind = 0xfffe;

struct Budget {
  uint64_t left;
};

bool spend(TSParseState* state) {
  Budget* budget = static_cast<Budget*>(state->payload);
  if (budget->left < steps_a_callback) return true;
  budget->left -= steps_a_callback;
  return false;
}

struct Text {
  const std::string& bytes;
};

const char* read(void* payload, uint32_t offset, TSPoint, uint32_t* bytes_read) {
  const std::string& bytes = static_cast<Text*>(payload)->bytes;
  *bytes_read = offset < bytes.size() ? static_cast<uint32_t>(bytes.size() - offset) : 0;
  return offset < bytes.size() ? bytes.data() + offset : "";
}

using Parser = std::unique_ptr<TSParser, decltype(&ts_parser_delete)>;
using ParsedTree = std::unique_ptr<TSTree, decltype(&ts_tree_delete)>;

struct Cursor {
  explicit Cursor(const TSTree* tree) : raw(ts_tree_cursor_new(ts_tree_root_node(tree))) {}
  Cursor(const Cursor&) = delete;
  ~Cursor() { ts_tree_cursor_delete(&raw); }
  TSTreeCursor raw;
};

}  // namespace

std::optional<Language> language_of(const std::string& path) {
  size_t dot = path.rfind('.');
  if (dot == std::string::npos) return {};
  std::string ending = path.substr(dot);
  for (const char* cpp : {".cc", ".cpp", ".cxx", ".c", ".cu", ".cuh", ".h", ".hpp"})
    if (ending == cpp) return Language::cpp;
  if (ending == ".py") return Language::python;
  return {};
}

Tree::Tree(std::string text, Language language) : text_(std::move(text)), language_(language) {
  const TSLanguage* grammar = language == Language::cpp ? tree_sitter_cuda() : tree_sitter_python();
  uint32_t kinds = ts_language_symbol_count(grammar);
  for (uint32_t i = 0; i < kinds; ++i) {
    TSSymbol symbol = static_cast<TSSymbol>(i);
    kinds_.push_back(ts_language_symbol_name(grammar, symbol));
    named_.push_back(ts_language_symbol_type(grammar, symbol) == TSSymbolTypeRegular);
  }
  uint32_t fields = ts_language_field_count(grammar);
  fields_.push_back("");
  for (uint32_t i = 1; i <= fields; ++i) {
    const char* name = ts_language_field_name_for_id(grammar, static_cast<TSFieldId>(i));
    fields_.push_back(name ? name : "");
  }
  records_.push_back({error_kind, 0, 0, static_cast<uint32_t>(text_.size()), 0, 1});

  Parser parser(ts_parser_new(), ts_parser_delete);
  if (!ts_parser_set_language(parser.get(), grammar))
    throw Error("load", "grammar", "tree-sitter's core does not know its version");
  Budget budget{steps_at_least + steps_a_byte * text_.size()};
  Text source{text_};
  TSInput input = {&source, read, TSInputEncodingUTF8, nullptr};
  TSParseOptions options = {&budget, spend};
  ParsedTree tree(ts_parser_parse_with_options(parser.get(), nullptr, input, options), ts_tree_delete);
  if (!tree) {
    gave_up_ = true;
    return;
  }
  records_.clear();
  Cursor cursor(tree.get());
  std::vector<uint32_t> open;
  for (bool more = true; more;) {
    TSNode n = ts_tree_cursor_current_node(&cursor.raw);
    uint16_t kind = ts_node_symbol(n);
    if (kind >= kinds_.size()) kind = error_kind;
    if (ts_node_is_missing(n)) kind = missing_kind;
    uint32_t id = static_cast<uint32_t>(records_.size());
    records_.push_back({kind, ts_tree_cursor_current_field_id(&cursor.raw), ts_node_start_byte(n), ts_node_end_byte(n),
                        open.empty() ? 0 : open.back(), id + 1});
    if (ts_tree_cursor_goto_first_child(&cursor.raw)) {
      open.push_back(id);
      continue;
    }
    while (!ts_tree_cursor_goto_next_sibling(&cursor.raw)) {
      if (open.empty()) {
        more = false;
        break;
      }
      ts_tree_cursor_goto_parent(&cursor.raw);
      records_[open.back()].last = static_cast<uint32_t>(records_.size());
      open.pop_back();
    }
  }
}

Tree parse(std::string text, Language language) { return Tree(std::move(text), language); }

std::string_view Node::kind() const {
  if (!tree) return "";
  uint16_t kind = tree->records_[id].kind;
  if (kind == error_kind) return "ERROR";
  if (kind == missing_kind) return "MISSING";
  return tree->kinds_[kind];
}

bool Node::named() const {
  uint16_t kind = tree ? tree->records_[id].kind : missing_kind;
  return kind == error_kind || (kind != missing_kind && tree->named_[kind]);
}

bool Node::broken() const { return tree && tree->records_[id].kind >= missing_kind; }
uint32_t Node::start() const { return tree ? tree->records_[id].start : 0; }
uint32_t Node::end() const { return tree ? tree->records_[id].end : 0; }
uint32_t Node::last() const { return tree ? tree->records_[id].last : 0; }

std::string_view Node::text() const {
  if (!tree) return "";
  return std::string_view(tree->text_).substr(start(), end() - start());
}

Node Node::parent() const { return tree && id ? tree->node(tree->records_[id].parent) : Node{}; }

Node Node::first() const { return tree && last() > id + 1 ? tree->node(id + 1) : Node{}; }

Node Node::next() const {
  if (!tree || !id) return {};
  uint32_t after = last();
  return after < tree->records_[tree->records_[id].parent].last ? tree->node(after) : Node{};
}

Node Node::first_named() const {
  Node n = first();
  while (n && !n.named()) n = n.next();
  return n;
}

Node Node::next_named() const {
  Node n = next();
  while (n && !n.named()) n = n.next();
  return n;
}

Node Node::field(std::string_view name) const {
  for (Node n = first(); n; n = n.next())
    if (n.field_name() == name) return n;
  return {};
}

std::string_view Node::field_name() const { return tree ? tree->fields_[tree->records_[id].field] : ""; }

}  // namespace assay
