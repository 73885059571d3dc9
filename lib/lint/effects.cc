// What each subtree does to the outputs: gathered bottom-up, calls of this file's functions included.
#include <algorithm>

#include "lint/flow.h"
#include "lint/words.h"

namespace assay {
namespace {

constexpr int most_rounds = 6;  // deep enough for the chains of calls that people write
constexpr Tags from_input = tag::in_value | tag::in_pointer;

}  // namespace

Tags written_through(const Flow& flow, Node target) {
  for (int steps = 0; target && steps < 64; ++steps) {
    std::string_view kind = target.kind();
    if (kind == "parenthesized_expression") {
      target = target.first_named();
    } else if (kind == "subscript_expression" || kind == "pointer_expression") {
      return flow.tags(target.field("argument"));
    } else if (kind == "field_expression") {
      Node base = target.field("argument");
      Tags t = flow.tags(base);
      if (t & tag::pointers) return t;
      target = base;
    } else if (kind == "identifier") {
      uint32_t v = flow.symbols.variable_of[target.id];
      Tags t = flow.variable_tags(v);
      if (v == none) return 0;
      if (flow.symbols.variables[v].is_reference && (t & (tag::out_value | tag::out_pointer))) return t | tag::out_pointer;
      return (t & tag::kept) && flow.symbols.variables[v].is_static ? tag::kept | tag::kept_pointer : 0;
    } else if (kind == "call_expression") {
      Tags t = flow.tags(target);
      return t & tag::out_value ? t | tag::out_pointer : t;
    } else {
      return 0;
    }
  }
  return 0;
}

// Whether it points where the function's caller said.
bool Flow::is_parameter(Node pointer, uint32_t function) const {
  uint32_t root = root_variable(symbols, pointer);
  if (root == none) return false;
  const Variable& v = symbols.variables[root];
  return v.is_parameter && v.is_memory && v.function == function;
}

Effects Flow::effects_of_store(Node node, Node target, Tags target_tags, Tags value) {
  Effects e = 0;
  bool to_output = target_tags & tag::out_pointer;
  if (to_output) {
    if (value & tag::kept) e |= effect::out_kept;
    else if (value & from_input) e |= effect::out_input;
    else if (value & tag::table) e |= effect::out_table;
    else e |= effect::out_other;
  }
  bool to_kept = target_tags & tag::kept_pointer;
  if (to_kept && (value & (from_input | tag::out_value))) e |= effect::fills_kept;
  bool to_input = target_tags & tag::in_pointer;
  if (to_output || to_kept || to_input) stores.push_back({node, target, target_tags, value, controls_[node.id]});
  if (e && !is_parameter(target, symbols.function_of[node.id])) e |= effect::direct;
  return e;
}

Effects Flow::effects_of_call(const Call& call) {
  if (call.is_cast || call.allocates) return 0;
  Effects e = 0;
  if (!call.callees.empty()) {
    for (uint32_t f : call.callees) e |= function_effects_[f] & ~(effect::leaves | effect::exact_test);
    Tags given = 0;
    for (Node a : call.arguments) given |= tags_[a.id];
    if (!(e & effect::direct)) {
      if (!(given & (tag::out_pointer | tag::out_tensor | tag::out_value))) e &= ~effect::stores;
      if (!(given & tag::kept_pointer)) e &= ~effect::fills_kept;
      for (Node a : call.arguments)
        if ((e & (effect::stores | effect::fills_kept)) && (tags_[a.id] & (tag::pointers | tag::out_tensor)) &&
            !is_parameter(a, symbols.function_of[call.node.id]))
          e |= effect::direct;
    }
    return e;
  }
  Tags all = 0;
  for (Node a : call.arguments) {
    Tags t = tags_[a.id] | content(a);
    all |= t | (t & tag::in_pointer ? tag::in_value : 0) | (t & tag::out_pointer ? tag::out_value : 0);
  }
  Tags object = tags(call.object);
  bool method_writes = call.object && !is_one_of(call.name, {"size", "data", "begin", "end", "empty", "find", "count",
                                                             "contains", "c_str", "cbegin", "cend", "front", "back"});
  bool takes = call.object && is_one_of(call.name, {"assign", "insert", "push_back", "emplace", "emplace_back",
                                                    "insert_or_assign", "try_emplace", "append"});
  for (Node a : call.arguments) {
    Tags t = tags_[a.id];
    if (!(t & tag::out_pointer) || takes) continue;
    Tags value = 0;  // of the other arguments; but for how many bytes
    bool sized = is_one_of(call.name, {"memset", "memcpy", "memmove", "mempcpy"}) && call.arguments.size() == 3;
    for (Node b : call.arguments)
      if (b != a && !(sized && b == call.arguments[2])) value |= (tags_[b.id] | content(b)) & ~tag::out_pointer;
    value |= object & ~tag::out_pointer;
    if (call.arguments.size() > 16) value = all | object;
    e |= effects_of_store(call.node, a, t, value) | effect::escapes;
    break;  // the first is the destination, by custom
  }
  if (!e && !call.arguments.empty() && (tags_[call.arguments[0].id] & tag::kept_pointer) && call.arguments.size() > 1) {
    Tags value = 0;
    for (size_t i = 1; i < call.arguments.size(); ++i) value |= tags_[call.arguments[i].id] | content(call.arguments[i]);
    e |= effects_of_store(call.node, call.arguments[0], tag::kept_pointer, value);
  }
  if (method_writes && (object & (tag::out_pointer | tag::kept_pointer)))
    e |= effects_of_store(call.node, call.object, object & (tag::out_pointer | tag::kept_pointer), all);
  if (all & (tag::out_tensor | tag::out_pointer)) e |= effect::escapes;
  return e;
}

void Flow::gather() {
  function_effects_.assign(symbols.functions.size(), 0);
  std::vector<uint8_t> stays(tree.size(), 0);  // nodes whose effects do not happen where they stand
  std::vector<uint8_t> lambda(tree.size(), 0);
  for (const Function& f : symbols.functions) (f.is_lambda ? lambda : stays)[f.node.id] = 1;
  for (const auto& [variable, function] : symbols.lambda_of) stays[symbols.functions[function].node.id] = 1;
  for (int round = 0; round < most_rounds; ++round) {
    stores.clear();
    effects_.assign(tree.size(), 0);
    std::vector<uint8_t> works(tree.size(), 0);
    for (const Call& call : calls) effects_[call.node.id] |= effects_of_call(call);
    for (Node n : tree.nodes()) {
      std::string_view kind = n.kind();
      Effects& e = effects_[n.id];
      if (kind == "assignment_expression" || kind == "update_expression") {
        Node target = n.field(kind == "update_expression" ? "argument" : "left");
        if (Tags t = written_through(*this, target); t & tag::pointers)
          e |= effects_of_store(n, target, t, tags(n.field("right")));
      }
      if (kind == "return_statement" || kind == "goto_statement" || kind == "co_return_statement") e |= effect::leaves;
      if (kind == "binary_expression" && (tags_[n.id] & tag::exact_shape)) e |= effect::exact_test;
      if (e & (effect::out_input | effect::out_kept)) works[n.id] = 1;
    }
    bool same = true;
    for (uint32_t id = tree.size(); id-- > 1;) {
      if (stays[id]) continue;
      Effects up = lambda[id] ? effects_[id] & ~effect::leaves : effects_[id];
      effects_[tree.node(id).parent().id] |= up;
    }
    for (size_t f = 0; f < symbols.functions.size(); ++f) {
      Effects now = effects(symbols.functions[f].body) | function_effects_[f];
      same = same && now == function_effects_[f];
      function_effects_[f] = now;
    }
    work_before_.assign(tree.size() + 1, 0);
    for (uint32_t id = 0; id < tree.size(); ++id) work_before_[id + 1] = work_before_[id] + works[id];
    if (same) break;
  }
}

const Function* Flow::function(Node n) const {
  if (!n) return nullptr;
  uint32_t f = symbols.function_of[n.id];
  for (int steps = 0; f != none && symbols.functions[f].name.empty() && steps < 64; ++steps) f = symbols.functions[f].parent;
  return f == none ? nullptr : &symbols.functions[f];
}

const Call* Flow::call(Node n) const {
  auto found = call_of_.find(n.id);
  return n && found != call_of_.end() ? &calls[found->second] : nullptr;
}

uint32_t Flow::first_work(uint32_t function) const {
  Node body = symbols.functions[function].body;
  if (!works(body)) return none;
  // The first node whose count exceeds the body's start: counts never fall.
  auto from = work_before_.begin() + body.id + 1, to = work_before_.begin() + body.last() + 1;
  return static_cast<uint32_t>(std::upper_bound(from, to, work_before_[body.id]) - work_before_.begin() - 1);
}

}  // namespace assay
