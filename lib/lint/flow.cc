#include "lint/flow.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "lint/words.h"

namespace assay {
namespace {

constexpr int most_sweeps = 12;
constexpr size_t most_overloads = 8;
constexpr uint32_t table_literals = 8;   // an initialiser list of so many literals is a table
constexpr uint32_t table_text = 16;      // and so is a string of so many bytes

bool is_allocation(std::string_view name) {
  return is_one_of(name, {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "free", "resize", "reserve",
                          "clear", "shrink_to_fit", "make_unique", "make_shared", "make_unique_for_overwrite",
                          "_mm_malloc", "_mm_free", "reset", "release"});
}

// n - 64 or n ^ 64 where a truth value is wanted.
bool stands_for_truth(Node n) {
  Node p = n.parent();
  for (int steps = 0; p.is("parenthesized_expression") && steps < 8; ++steps) p = p.parent();
  if (p.is("condition_clause") || p.is("if_statement") || p.is("while_statement")) return true;
  if (p.is("unary_expression")) return p.first().is("!");
  if (p.is("binary_expression")) return is_one_of(p.field("operator").text(), {"&&", "||"});
  return p.is("conditional_expression") && n.start() < p.field("consequence").start();
}

}  // namespace

// const int32_t* and its like: elements are lengths or indices, not data.
bool is_index_pointer(Node type) { return is_index_type(type.field("type").text()) && type.has("declarator"); }

Node first_template_type(Node callee) {
  if (callee.is("qualified_identifier")) callee = callee.field("name");
  Node list = callee.field("arguments");
  return list.first_named();
}

Flow::Flow(const Tree& t) : tree(t), symbols(resolve_symbols(t)) {
  tags_.assign(tree.size(), 0);
  controls_.assign(tree.size(), 0);
  variable_tags_.assign(symbols.variables.size(), 0);
  through_.assign(symbols.variables.size(), 0);
  held_.assign(symbols.variables.size(), 0);
  aliases_.resize(symbols.variables.size());
  result_tags_.assign(symbols.functions.size(), 0);
  for (size_t i = 0; i < symbols.variables.size(); ++i) {
    const Variable& v = symbols.variables[i];
    if (v.is_static && !v.is_constant && v.is_written)
      variable_tags_[i] |= v.is_memory ? tag::kept | tag::kept_pointer : tag::kept;
  }
  for (const Function& f : symbols.functions) {
    if (!f.is_entry) continue;
    bool first = true;
    for (uint32_t p : f.parameters) {
      const Variable& v = symbols.variables[p];
      std::string_view text = v.declaration.text();
      if (text.find("DLTensor") != std::string_view::npos)
        variable_tags_[p] |= std::exchange(first, false) ? tag::in_tensor : tag::out_tensor;
      else if (v.is_pointer)
        variable_tags_[p] |= !v.points_at_const ? tag::out_pointer : v.points_at_index ? tag::shape : tag::in_pointer;
      else if (v.is_integer)
        variable_tags_[p] |= tag::shape;
      else
        variable_tags_[p] |= tag::in_value;
    }
  }
  lower();
  for (int i = 0; i < most_sweeps; ++i) {
    changed_ = false;
    for (const Step& step : steps_) {
      Tags now = tags_[step.node] | evaluate(step);
      if (now != tags_[step.node]) changed_ = true;
      tags_[step.node] = now;
    }
    sweep_controls();
    if (!changed_) break;
  }
  find_mains();
  find_reached();
  gather();
}

void Flow::find_reached() {
  std::vector<std::vector<uint32_t>> names(symbols.functions.size());
  for (Node n : tree.nodes()) {
    uint32_t f = n.id ? symbols.function_of[n.id] : none;
    if (f == none || !is_one_of(n.kind(), {"identifier", "field_identifier", "type_identifier"})) continue;
    auto found = symbols.functions_named.find(n.text());
    if (found != symbols.functions_named.end())
      names[f].insert(names[f].end(), found->second.begin(), found->second.begin() + std::min<std::ptrdiff_t>(most_overloads, std::ssize(found->second)));
  }
  std::vector<uint32_t> todo;
  for (uint32_t f = 0; f < symbols.functions.size(); ++f) {
    const Function& function = symbols.functions[f];
    if (function.is_entry) todo.push_back(f);
    if (function.is_lambda && function.parent != none) names[function.parent].push_back(f);
  }
  reached_.assign(symbols.functions.size(), 0);
  while (!todo.empty()) {
    uint32_t f = todo.back();
    todo.pop_back();
    if (std::exchange(reached_[f], 1)) continue;
    todo.insert(todo.end(), names[f].begin(), names[f].end());
  }
}

void Flow::find_mains() {
  in_loop_.assign(tree.size(), 0);
  for (Node n : tree.nodes()) {
    if (!n.id) continue;
    Node p = n.parent();
    bool loop = is_one_of(p.kind(), {"for_statement", "for_range_loop", "while_statement", "do_statement"});
    bool function = is_one_of(p.kind(), {"function_definition", "lambda_expression"});
    in_loop_[n.id] = loop || (in_loop_[p.id] && !function);
  }
  mains_.assign(symbols.functions.size(), 0);
  std::vector<uint32_t> todo;
  for (uint32_t f = 0; f < symbols.functions.size(); ++f)
    if (symbols.functions[f].is_entry) todo.push_back(f);
  std::unordered_map<uint32_t, std::vector<uint32_t>> called_by;
  for (const Call& call : calls)
    for (uint32_t callee : call.callees)
      if (!in_loop(call.node)) called_by[symbols.function_of[call.node.id]].push_back(callee);
  while (!todo.empty()) {
    uint32_t f = todo.back();
    todo.pop_back();
    if (std::exchange(mains_[f], 1)) continue;
    for (uint32_t callee : called_by[f]) todo.push_back(callee);
  }
}

std::optional<Flow::Op> Flow::op_of(Node n) const {
  static const std::unordered_map<std::string_view, Op> ops = {
      {"identifier", Op::name}, {"field_identifier", Op::name}, {"type_identifier", Op::name},
      {"subscript_expression", Op::subscript}, {"field_expression", Op::member}, {"call_expression", Op::call},
      {"assignment_expression", Op::assign}, {"update_expression", Op::assign}, {"init_declarator", Op::declare},
      {"for_range_loop", Op::loop_range}, {"return_statement", Op::result}, {"initializer_list", Op::list},
      {"string_literal", Op::list}, {"raw_string_literal", Op::list}, {"concatenated_string", Op::list},
      {"conditional_expression", Op::choose}, {"field_initializer", Op::field_init}, {"cast_expression", Op::cast},
      {"parenthesized_expression", Op::pass}, {"unary_expression", Op::pass}, {"argument_list", Op::pass},
      {"subscript_argument_list", Op::pass}, {"comma_expression", Op::pass}, {"condition_clause", Op::pass},
      {"qualified_identifier", Op::pass}, {"new_expression", Op::pass}, {"compound_literal_expression", Op::pass},
      {"initializer_pair", Op::pass}, {"lambda_capture_initializer", Op::declare}, {"init_statement", Op::pass},
      {"co_return_statement", Op::result}, {"function_declarator", Op::construct}, {"parameter_declaration", Op::pass},
      {"parameter_list", Op::pass}, {"declaration", Op::pass}};
  std::string_view kind = n.kind();
  if (kind == "binary_expression") {
    std::string_view op = n.field("operator").text();
    if (is_one_of(op, {"==", "!=", "<", ">", "<=", ">=", "<=>"})) return Op::compare;
    return (op == "-" || op == "^") && stands_for_truth(n) ? Op::compare : Op::binary;
  }
  if (kind == "pointer_expression") return n.first().is("&") ? Op::address : Op::dereference;
  auto found = ops.find(kind);
  if (found == ops.end()) return {};
  if (found->second == Op::construct && symbols.function_of[n.id] == none) return {};
  return found->second;
}

void Flow::lower() {
  std::vector<Step> open;
  std::vector<uint32_t> ends;
  literals_before_.push_back(0);
  for (Node n : tree.nodes()) {
    while (!ends.empty() && n.id >= ends.back()) {
      steps_.push_back(open.back());
      open.pop_back();
      ends.pop_back();
    }
    literals_before_.push_back(literals_before_.back() + (n.is("number_literal") || n.is("char_literal")));
    std::optional<Op> op = n.named() ? op_of(n) : std::nullopt;
    if (op == Op::call) lower_call(n);
    lower_branch(n);
    if (!op) continue;
    open.push_back({*op, n.id});
    ends.push_back(n.last());
  }
  while (!open.empty()) {
    steps_.push_back(open.back());
    open.pop_back();
  }
}

bool Flow::is_table(Node list) const {
  if (!list.is("initializer_list")) return list.end() - list.start() >= table_text;
  return literals_before_[list.last()] - literals_before_[list.id] >= table_literals;
}

uint32_t Flow::declared(Node d) const {
  for (int steps = 0; d && steps < 64; ++steps) {
    if (d.is("identifier") || d.is("field_identifier")) return symbols.variable_of[d.id];
    Node inner = d.field("declarator");
    d = inner ? inner : d.first_named();
    while (d.is("type_qualifier")) d = d.next_named();
  }
  return none;
}

void Flow::lower_call(Node n) {
  Call call;
  call.node = n;
  Node callee = n.field("function");
  call.name = last_name(callee);
  for (Node a = n.field("arguments").first_named(); a; a = a.next_named())
    if (!a.is("comment")) call.arguments.push_back(a);
  if (callee.is("field_expression")) call.object = callee.field("argument");
  call.allocates = is_allocation(call.name);
  call.is_cast = callee.is("primitive_type") ||
                 is_one_of(call.name, {"static_cast", "reinterpret_cast", "const_cast", "bit_cast", "move", "forward",
                                       "assume_aligned", "__builtin_assume_aligned", "to_address"});
  if (call.is_cast) {
    call.casts_to_index = is_index_pointer(first_template_type(callee));
  } else {
    uint32_t v = callee.is("identifier") ? symbols.variable_of[callee.id] : none;
    auto lambda = v == none ? symbols.lambda_of.end() : symbols.lambda_of.find(v);
    if (lambda != symbols.lambda_of.end()) {
      call.callees = {lambda->second};
    } else if (auto found = symbols.functions_named.find(call.name); found != symbols.functions_named.end()) {
      size_t most = std::min<size_t>(found->second.size(), most_overloads);  // hostile text may declare thousands
      call.callees.assign(found->second.begin(), found->second.begin() + static_cast<std::ptrdiff_t>(most));
    }
  }
  call_of_[n.id] = static_cast<uint32_t>(calls.size());
  calls.push_back(std::move(call));
}

void Flow::lower_branch(Node n) {
  std::string_view kind = n.kind();
  Branch b;
  b.node = n;
  b.function = symbols.function_of[n.id];
  if (kind == "if_statement") {
    Node clause = n.field("condition");
    b.condition = clause.has("value") ? clause.field("value") : clause;
    b.then = n.field("consequence");
    b.otherwise = n.field("alternative");
    for (Node c = n.first(); c && !b.is_constexpr && c != clause; c = c.next()) b.is_constexpr = c.is("constexpr");
  } else if (kind == "while_statement" || kind == "for_statement" || kind == "do_statement") {
    b.condition = n.field("condition");
    b.then = n.field("body");
    b.is_loop = true;
  } else if (kind == "conditional_expression") {
    b.condition = n.field("condition");
    b.then = n.field("consequence");
    b.otherwise = n.field("alternative");
  } else if (kind == "binary_expression" && is_one_of(n.field("operator").text(), {"&&", "||", "and", "or"})) {
    b.condition = n.field("left");
    bool both = is_one_of(n.field("operator").text(), {"&&", "and"});
    (both ? b.then : b.otherwise) = n.field("right");
  } else if (kind == "case_statement") {
    Node around = n.parent().parent();
    b.condition = around.field("condition");
    b.then = n;
    b.is_case = true;
    if (!n.has("value")) return;  // default
  } else {
    return;
  }
  if (b.condition) branches.push_back(b);
}

}  // namespace assay
