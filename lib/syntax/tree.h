// A source file's syntax tree, flat: every node of tree-sitter's tree in pre-order, one record each. A subtree is a
// range of numbers, a parent is a look-up, and a walk is a loop: nothing here or in its users recurses, so no depth of
// nesting can exhaust the stack.
//
//   Tree tree = parse("int f() { return 1; }", Language::cpp);
//   for (Node n : tree.nodes())
//     if (n.is("call_expression")) use(n.field("function").text());
//
// A Node borrows its Tree, a Tree borrows nothing: it owns its text. Any bytes are accepted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

enum class Language { cpp, python };

// By the file's extension: .cc .cpp .cxx .c .cu .cuh .h .hpp are cpp, .py is python.
std::optional<Language> language_of(const std::string& path);

class Tree;

struct Node {
  const Tree* tree = nullptr;  // nullptr: no such node
  uint32_t id = 0;             // its number in pre-order

  explicit operator bool() const { return tree != nullptr; }
  bool operator==(const Node&) const = default;

  std::string_view kind() const;  // "if_statement", "+", "ERROR"; "" for no node
  bool is(std::string_view name) const { return kind() == name; }
  bool named() const;             // a rule of the grammar, not a punctuation mark or keyword
  bool broken() const;            // an ERROR node, or a token the parser made up
  uint32_t start() const;         // byte offsets into the text
  uint32_t end() const;
  std::string_view text() const;
  uint32_t last() const;          // one past the number of its last descendant

  // Each gives no node where there is none; from no node they all give no node.
  Node parent() const;
  Node first() const;             // first child, named or not
  Node next() const;              // next sibling
  Node first_named() const;
  Node next_named() const;
  Node field(std::string_view name) const;
  bool has(std::string_view field_name) const { return bool(field(field_name)); }
  std::string_view field_name() const;  // under which its parent holds it; "" if under none
};

class NodeRange {
 public:
  NodeRange(const Tree* tree, uint32_t from, uint32_t to) : tree_(tree), from_(from), to_(to) {}
  struct Iterator {
    Node node;
    Node operator*() const { return node; }
    Iterator& operator++() { ++node.id; return *this; }
    bool operator!=(const Iterator& other) const { return node.id != other.node.id; }
  };
  Iterator begin() const { return {{tree_, from_}}; }
  Iterator end() const { return {{tree_, to_}}; }

 private:
  const Tree* tree_;
  uint32_t from_, to_;
};

class Tree {
 public:
  Tree(Tree&&) = delete;  // nodes point at it

  const std::string& text() const { return text_; }
  Language language() const { return language_; }
  bool gave_up() const { return gave_up_; }  // the parser ran out of its step budget: the tree is empty
  uint32_t size() const { return static_cast<uint32_t>(records_.size()); }
  Node root() const { return node(0); }      // always there
  Node node(uint32_t id) const { return {this, id}; }
  NodeRange nodes() const { return {this, 0, size()}; }
  NodeRange within(Node n) const { return {this, n.id, n ? n.last() : n.id}; }  // n and its descendants

 private:
  friend Tree parse(std::string text, Language language);
  friend struct Node;
  struct Record {
    uint16_t kind, field;
    uint32_t start, end, parent, last;
  };
  Tree(std::string text, Language language);

  std::string text_;
  Language language_;
  bool gave_up_ = false;
  std::vector<Record> records_;
  std::vector<std::string_view> kinds_, fields_;  // names by number: the grammar's, static
  std::vector<bool> named_;
};

// Linear in the text: the parser's steps are budgeted, and a text that needs more is given up (see gave_up).
Tree parse(std::string text, Language language);

}  // namespace assay
