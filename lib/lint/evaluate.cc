#include <algorithm>

#include "lint/flow.h"
#include "lint/words.h"

namespace assay {
namespace {

bool is_single_pointer(Node type) {
  Node d = type.field("declarator");
  return d.is("abstract_pointer_declarator") && !d.has("declarator");
}

Tags loaded(Tags t, bool plain) {
  if (t & tag::in_pointer) t |= tag::in_value;
  if (t & tag::out_pointer) t |= tag::out_value;
  return plain ? t & ~tag::pointers : t;
}

Node without_parentheses(Node n) {
  for (int steps = 0; n.is("parenthesized_expression") && steps < 64; ++steps) n = n.first_named();
  return n;
}

bool is_zero(Node n) {
  n = without_parentheses(n);
  return is_one_of(n.text(), {"0", "0u", "0L", "0UL", "nullptr", "NULL", "false", "'\\0'"});
}

}  // namespace

void Flow::raise(Tags& tags, Tags more) {
  if ((tags | more) != tags) changed_ = true;
  tags |= more;
}

void Flow::give(uint32_t variable, Tags t) {
  if (variable == none) return;
  const Variable& v = symbols.variables[variable];
  if (v.is_pointer && v.points_at_index && (t & tag::in_pointer)) t = (t & ~tag::in_pointer) | tag::shape;
  if (!v.is_memory && !v.is_reference && (t & tag::pointers)) {
    if ((t & tag::shape) && v.is_integer) t &= ~(tag::in_value | tag::out_value);  // an element of a header's index array
    if (t & tag::in_pointer) t |= v.is_integer ? tag::shape : tag::in_value;
    t &= ~tag::pointers;
  } else if ((t & tag::pointers) && !v.points_at_index) {
    t &= ~(tag::shape | tag::index);
  }
  raise(variable_tags_[variable], t);
}

// A pointer keeps what is stored through it apart from what it is, so that a null check is no look at values.
void Flow::give_through(uint32_t variable, Tags t) {
  t &= tag::content;
  if (t & tag::in_pointer) t = (t & ~tag::in_pointer) | tag::in_value;
  std::vector<uint32_t> todo = {variable};
  while (!todo.empty() && t) {
    uint32_t v = todo.back();
    todo.pop_back();
    if (v == none || (through_[v] | t) == through_[v]) continue;
    raise(through_[v], t);
    if (!symbols.variables[v].is_pointer) raise(variable_tags_[v], t);
    todo.insert(todo.end(), aliases_[v].begin(), aliases_[v].end());
  }
}

void Flow::give_alias(uint32_t variable, Node value) {
  uint32_t root = root_variable(symbols, value);
  if (variable == none || root == none || root == variable || !symbols.variables[root].is_memory) return;
  if (variable_tags_[root] & (tag::in_tensor | tag::out_tensor)) return;  // p = t->data: the tensor is no pointer
  if (!symbols.variables[variable].is_memory || !(tags(value) & tag::pointers || symbols.variables[root].is_pointer)) return;
  for (auto [from, to] : {std::pair(variable, root), std::pair(root, variable)}) {
    std::vector<uint32_t>& known = aliases_[from];
    if (known.size() < 32 && std::find(known.begin(), known.end(), to) == known.end()) known.push_back(to);
  }
  give_through(variable, through_[root]);
  give_through(root, through_[variable]);
}

Tags Flow::content(Node pointer) const {
  uint32_t v = root_variable(symbols, pointer);
  return v == none ? 0 : through_[v] | held_[v];
}

void Flow::give_result(uint32_t function, Tags t) {
  if (function == none) return;
  raise(result_tags_[function], t);
}

void Flow::give_parameters(const std::vector<uint32_t>& callees, const std::vector<Node>& arguments) {
  for (uint32_t f : callees) {
    const std::vector<uint32_t>& parameters = symbols.functions[f].parameters;
    for (size_t i = 0; i < arguments.size() && i < parameters.size(); ++i) {
      give(parameters[i], tags_[arguments[i].id]);
      uint32_t root = root_variable(symbols, arguments[i]);
      if (root == none) continue;
      give_through(root, through_[parameters[i]]);
      raise(held_[parameters[i]], through_[root] | held_[root]);
    }
  }
}

bool Flow::is_plain_pointer(Node base) const {
  base = without_parentheses(base);
  if (base.is("cast_expression")) return is_single_pointer(base.field("type"));
  uint32_t v = root_variable(symbols, base);
  return v != none && symbols.variables[v].is_pointer && !base.is("field_expression");
}

Tags Flow::load(Node base) const {
  Tags t = tags_[base.id] | content(base);
  return t & tag::pointers ? loaded(t, is_plain_pointer(base)) : t;
}

Tags Flow::evaluate_binary(Node n) const {
  std::string_view op = n.field("operator").text();
  Tags l = tags(n.field("left")), r = tags(n.field("right")), t = l | r;
  bool lengths = (l & r & tag::shape) && (l & r & tag::pointers);  // fields of an object that we don't see into
  if (is_one_of(op, {"&&", "||", "and", "or"})) return t;
  if ((t & tag::pointers) && (op == "+" || op == "-") && !lengths) t &= ~(tag::shape | tag::meta | tag::index | tag::exact_shape);
  if ((t & tag::in_value) && !lengths) t &= ~(tag::shape | tag::meta);
  return t;
}

Tags Flow::evaluate_compare(Node n) const {
  Node left = n.field("left"), right = n.field("right");
  std::string_view op = n.field("operator").text();
  Tags l = tags(left), r = tags(right), t = l | r;
  if (!is_one_of(op, {"==", "!=", "-", "^"})) return t;
  auto is_length = [](Tags x) { return (x & tag::shape) && !(x & (tag::in_value | tag::out_value)); };
  auto is_fixed = [](Tags x) { return !(x & ~(tag::table | tag::exact_shape)); };
  if ((is_length(l) && is_fixed(r) && !is_zero(right)) || (is_length(r) && is_fixed(l) && !is_zero(left)))
    t |= tag::exact_shape;
  constexpr Tags of_this_call = tag::in_tensor | tag::out_tensor | tag::pointers | tag::in_value | tag::out_value | tag::shape;
  auto is_kept = [](Tags x) { return (x & tag::kept) != 0; };
  if ((is_kept(l) && !is_kept(r) && (r & of_this_call)) || (is_kept(r) && !is_kept(l) && (l & of_this_call)))
    t |= tag::kept_key;
  return t;
}

Tags Flow::evaluate_member(Node n) const {
  Node field = n.field("field");
  Tags base = tags(n.field("argument"));
  std::string_view name = field.text();
  if (base & (tag::in_tensor | tag::out_tensor)) {
    Tags rest = base & (tag::kept | tag::kept_pointer);
    if (name == "shape") return rest | tag::shape;
    if (is_one_of(name, {"ndim", "dtype", "device", "strides", "byte_offset"})) return rest | tag::meta;
    rest |= (base & tag::in_tensor ? tag::in_pointer : 0) | (base & tag::out_tensor ? tag::out_pointer : 0);
    // An object of the task's header, made from all tensors: its field may be a pointer or a length.
    return name == "data" ? rest : rest | tag::shape;
  }
  Tags from = base & tag::pointers ? loaded(base, true) : base;
  uint32_t v = symbols.variable_of[field.id];
  if (v == none) return base | from;
  return variable_tags_[v] | (from & (tag::kept | tag::kept_pointer | tag::in_value | tag::out_value));
}

Tags Flow::evaluate_unknown_call(const Call& call) {
  Tags arguments = 0;
  for (Node a : call.arguments) arguments |= tags_[a.id] | content(a);
  Tags object = tags(call.object);
  Tags all = loaded(arguments | object, false);
  for (Node a : call.arguments) {
    uint32_t v = root_variable(symbols, a);
    uint32_t lambda = none;
    if (a.is("lambda_expression")) {
      for (Node inner = a.field("body").first(); inner && lambda == none; inner = inner.next())
        lambda = symbols.function_of[inner.id];
    } else if (v != none) {
      auto found = symbols.lambda_of.find(v);
      if (found != symbols.lambda_of.end()) lambda = found->second;
    }
    if (lambda != none)
      for (uint32_t p : symbols.functions[lambda].parameters) give(p, all);
    else if (v != none && symbols.variables[v].is_memory && !symbols.variables[v].points_at_const && !call.allocates)
      give_through(v, loaded(arguments, true));
    else if (v != none && a.is("pointer_expression") && a.first().is("&"))
      give_through(v, loaded(arguments, true));
  }
  if (call.allocates) return 0;
  if (call.object) {
    give_through(root_variable(symbols, call.object), loaded(arguments, true));
    if (is_one_of(call.name, {"size", "empty", "capacity", "length"})) return object & tag::kept;
    if (is_one_of(call.name, {"find", "count", "contains", "at"}) && (object & tag::kept) && arguments)
      all |= tag::kept_key;
  }
  if (is_one_of(call.name, {"memcmp", "equal", "strcmp", "strncmp", "bcmp"})) {
    if ((all & tag::kept) && (arguments & ~tag::kept)) all |= tag::kept_key;
    if ((all & tag::shape) && !(all & tag::in_value)) all |= tag::exact_shape;
  }
  if (arguments & (tag::in_tensor | tag::out_tensor)) {
    // An accessor of the task's header: dim(inputs[0], 1), data<float>(inputs[0]) and the like.
    bool length = false;
    for (std::string_view word : {"dim", "shape", "size", "len", "num", "count", "rows", "cols", "stride", "extent", "elements"})
      length = length || call.name.find(word) != std::string_view::npos;
    Tags rest = all & ~(tag::in_tensor | tag::out_tensor);
    if (length) return rest | tag::shape;
    rest |= (arguments & tag::in_tensor ? tag::in_pointer : 0) | (arguments & tag::out_tensor ? tag::out_pointer : 0);
    if (is_index_type(first_template_type(call.node.field("function")).text())) return tag::shape;
    return rest;
  }
  if (call.arguments.empty() && !call.object) return tag::external;
  return all;
}

Tags Flow::evaluate_call(const Call& call) {
  if (call.is_cast) {
    Tags t = 0;
    for (Node a : call.arguments) t |= tags_[a.id];
    if (call.casts_to_index && (t & tag::in_pointer)) t = (t & ~tag::in_pointer) | tag::shape;
    return t;
  }
  if (call.callees.empty()) return evaluate_unknown_call(call);
  give_parameters(call.callees, call.arguments);
  Tags t = tags(call.object) & tag::kept;
  for (uint32_t f : call.callees) t |= result_tags_[f];
  return t;
}

void Flow::evaluate_assign(Node n) {
  Node target = without_parentheses(n.is("update_expression") ? n.field("argument") : n.field("left"));
  Tags value = tags(n.field("right"));
  uint32_t v = root_variable(symbols, target);
  if (v == none) return;
  const Variable& variable = symbols.variables[v];
  if (!variable.is_memory) value |= controls_[n.id];
  if (target.is("identifier") || (target.is("field_expression") && variable.is_field))
    give(v, value);
  else
    give_through(v, value);
  if (variable.is_memory && (value & tag::pointers)) give(v, value & tag::pointers);  // rows[i] = out + i * n
  if (target.is("identifier")) give_alias(v, n.field("right"));
  if (variable.is_reference && !target.is("identifier")) give(v, value);
}

void Flow::initialise(Node declaration, uint32_t variable, Node value) {
  Tags t = tags(value);
  if (variable == none) return;
  std::string_view type = last_name(declaration.field("type"));
  auto constructors = symbols.functions_named.find(type);
  auto fields = symbols.class_fields.find(type);
  if (is_one_of(value.kind(), {"initializer_list", "argument_list", "parameter_list"})) {
    if (constructors != symbols.functions_named.end()) {
      std::vector<Node> arguments;
      for (Node a = value.first_named(); a; a = a.next_named()) arguments.push_back(a);
      give_parameters(constructors->second, arguments);
      return give(variable, t & tag::kept);  // its fields have the rest
    }
    if (fields != symbols.class_fields.end()) {
      size_t i = 0;
      for (Node a = value.first_named(); a && i < fields->second.size(); a = a.next_named(), ++i)
        give(fields->second[i], tags_[a.id]);
      return;
    }
    if (t & tag::pointers && !symbols.variables[variable].is_pointer) t = loaded(t, false);  // vector(in, in + n)
  }
  give(variable, t);
}

Tags Flow::evaluate(const Step& step) {
  Node n = tree.node(step.node);
  switch (step.op) {
    case Op::name: {
      uint32_t v = symbols.variable_of[n.id];
      if (v != none) {
        // static int threads = omp_get_max_threads(): asked of the system, not of an earlier call.
        bool asked = !symbols.variables[v].is_memory && (variable_tags_[v] & tag::external);
        return asked ? variable_tags_[v] & ~tag::kept : variable_tags_[v];
      }
      return is_one_of(n.text(), {"threadIdx", "blockIdx", "blockDim", "gridDim"}) ? tag::index : 0;
    }
    case Op::subscript: {
      Node base = n.field("argument");
      Tags indices = tags(n.field("indices")) | tags(n.field("index"));
      Tags t = load(base) | (loaded(indices, false) & (tag::in_value | tag::out_value | tag::kept));
      if ((tags_[base.id] & tag::kept) && (indices & (tag::pointers | tag::in_tensor))) t |= tag::kept_key;
      return t;
    }
    case Op::dereference: return load(n.field("argument"));
    case Op::address: {
      Tags t = tags(n.field("argument"));
      return t | (written_through(*this, n.field("argument")) & tag::pointers);  // &p[i] points where p does
    }
    case Op::member: return evaluate_member(n);
    case Op::pass: {
      Tags t = 0;
      for (Node c = n.first_named(); c; c = c.next_named()) t |= tags_[c.id];
      return t;
    }
    case Op::cast: {
      Tags t = tags(n.field("value"));
      if (is_index_pointer(n.field("type")) && (t & tag::in_pointer)) t = (t & ~tag::in_pointer) | tag::shape;
      return t;
    }
    case Op::binary: return evaluate_binary(n);
    case Op::compare: return evaluate_compare(n);
    case Op::call: return evaluate_call(calls[call_of_.at(n.id)]);
    case Op::assign:
      evaluate_assign(n);
      return n.is("update_expression") ? tags(n.field("argument")) : tags(n.field("right"));
    case Op::declare: {
      Node name = n.has("declarator") ? n.field("declarator") : n.field("left");
      Node value = n.has("value") ? n.field("value") : n.field("right");
      if (name.is("structured_binding_declarator")) {
        for (Node c = name.first_named(); c; c = c.next_named()) give(symbols.variable_of[c.id], loaded(tags(value), false));
      } else {
        initialise(n.parent(), declared(name), value);
        give_alias(declared(name), value);
      }
      return tags(value);
    }
    case Op::construct: {
      Node name = n.field("declarator");
      if (name.is("identifier")) initialise(n.parent(), symbols.variable_of[name.id], n.field("parameters"));
      return 0;
    }
    case Op::loop_range: {
      Tags t = loaded(tags(n.field("right")), false);
      Node d = n.field("declarator");
      if (d.is("structured_binding_declarator"))
        for (Node c = d.first_named(); c; c = c.next_named()) give(symbols.variable_of[c.id], t);
      else
        give(declared(d), t);
      return 0;
    }
    case Op::result: {
      Tags t = 0;
      for (Node c = n.first_named(); c; c = c.next_named()) t |= tags_[c.id];
      give_result(symbols.function_of[n.id], t | (controls_[n.id] & ~tag::in_value));
      return t;
    }
    case Op::list: {
      Tags t = 0;
      for (Node c = n.first_named(); c; c = c.next_named()) t |= tags_[c.id];
      if (is_table(n)) t |= tag::table;
      return t;
    }
    case Op::choose:
      return tags(n.field("consequence")) | tags(n.field("alternative")) | (tags(n.field("condition")) & tag::controls);
    case Op::field_init: {
      Node field = n.first_named();
      Tags t = 0;
      for (Node c = field.next_named(); c; c = c.next_named()) t |= tags_[c.id];
      give(symbols.variable_of[field.id], t);
      return 0;
    }
  }
  return 0;
}

void Flow::sweep_controls() {
  for (const Branch& b : branches) {
    Tags t = tags(b.condition) & tag::controls;
    if (b.is_case && (tags(b.condition) & tag::shape) && !(tags(b.condition) & tag::in_value)) t |= tag::exact_shape;
    if (!t) continue;
    if (b.then) arms_[b.then.id] |= t;
    if (b.otherwise) arms_[b.otherwise.id] |= t;
  }
  if (arms_.empty()) return;
  for (Node n : tree.nodes()) {
    if (!n.id) continue;
    Tags t = controls_[n.id] | controls_[n.parent().id];
    if (auto arm = arms_.find(n.id); arm != arms_.end()) t |= arm->second;
    if (t != controls_[n.id]) changed_ = true;
    controls_[n.id] = t;
  }
}

}  // namespace assay
