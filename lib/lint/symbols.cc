#include "lint/symbols.h"

#include "lint/words.h"

namespace assay {

bool is_index_type(std::string_view type) {
  size_t colon = type.rfind(':');
  if (colon != std::string_view::npos) type = type.substr(colon + 1);
  return is_one_of(type, {"int", "int32_t", "int64_t", "long", "size_t", "uint32_t", "uint64_t", "unsigned",
                          "unsigned int", "long long", "ptrdiff_t", "int_fast32_t", "index_t", "int2",
                          "int3", "int4", "uint2", "uint3", "uint4"});
}

namespace {

constexpr int deepest = 64;  // steps down one expression: hostile nesting must not make a walk quadratic

bool opens_scope(std::string_view kind) {
  return is_one_of(kind, {"compound_statement", "for_statement", "for_range_loop", "if_statement", "while_statement",
                          "switch_statement", "function_definition", "lambda_expression", "catch_clause"});
}

// Walks a declaration of T *const name[3] = … down to its names.
class Declarations {
 public:
  Declarations(const Tree& tree, Symbols& symbols) : tree_(tree), symbols_(symbols) {}

  void run() {
    symbols_.variable_of.assign(tree_.size(), none);
    symbols_.function_of.assign(tree_.size(), none);
    collect_fields();
    for (Node n : tree_.nodes()) {
      while (!scopes_.empty() && n.id >= scopes_.back().last) close_scope();
      if (Node p = n.parent(); p && n.id) symbols_.function_of[n.id] = function_of_child(p);
      visit(n);
    }
    while (!scopes_.empty()) close_scope();
    mark_written();
  }

 private:
  struct Scope {
    uint32_t last;
    std::vector<std::string_view> names;
  };

  uint32_t function_of_child(Node parent) const {
    auto own = own_function_.find(parent.id);
    return own != own_function_.end() ? own->second : symbols_.function_of[parent.id];
  }

  void close_scope() {
    for (std::string_view name : scopes_.back().names) visible_[name].pop_back();
    scopes_.pop_back();
  }

  void declare(Variable v, Node identifier) {
    v.name = identifier.text();
    v.declarator = identifier;
    uint32_t id = static_cast<uint32_t>(symbols_.variables.size());
    symbols_.variable_of[identifier.id] = id;
    if (v.is_parameter && v.function != none) symbols_.functions[v.function].parameters.push_back(id);
    if (!v.is_field) {
      visible_[v.name].push_back(id);
      if (!scopes_.empty()) scopes_.back().names.push_back(v.name);
    }
    symbols_.variables.push_back(v);
  }

  // Fields first: a method may use one that is declared after it.
  void collect_fields() {
    for (Node n : tree_.nodes()) {
      if (!n.is("field_declaration")) continue;
      Variable v = describe(n);
      v.is_field = true;
      v.is_static = v.is_static && !v.is_constant;
      Node owner = n.parent().parent();
      for (Node d = n.first(); d; d = d.next()) {
        if (d.field_name() != "declarator") continue;
        Node name = name_of(d, v);
        if (!name) continue;
        uint32_t id = static_cast<uint32_t>(symbols_.variables.size());
        symbols_.fields.emplace(name.text(), id);
        if (owner && owner.has("name")) symbols_.class_fields[owner.field("name").text()].push_back(id);
        declare(v, name);
      }
    }
  }

  Variable describe(Node declaration) const {
    Variable v;
    v.declaration = declaration;
    for (Node c = declaration.first(); c; c = c.next()) {
      if (c.is("storage_class_specifier")) {
        std::string_view word = c.text();
        if (is_one_of(word, {"static", "extern"})) v.is_static = true;
        if (is_one_of(word, {"thread_local", "__thread"})) v.is_static = v.is_thread_local = true;
      }
      if (c.is("type_qualifier")) {
        if (is_one_of(c.text(), {"constexpr", "constinit"})) v.is_constant = c.text() == "constexpr";
        if (c.text() == "const") v.points_at_const = v.is_constant = true;
      }
    }
    Node type = declaration.field("type");
    v.is_integer = is_index_type(type.text()) || is_one_of(type.text(), {"bool", "char", "short", "uint8_t"});
    v.points_at_index = is_index_type(type.text());
    v.is_memory = !v.is_integer && !is_one_of(type.kind(), {"primitive_type", "sized_type_specifier"});
    if (is_one_of(type.text(), {"uintptr_t", "intptr_t", "std::uintptr_t"})) v.is_memory = true;  // may hold a pointer
    return v;
  }

  // Descends to the identifier and notes what the declarators on the way say.
  Node name_of(Node d, Variable& v) const {
    int pointers = 0;
    bool array = false;
    for (int steps = 0; d && steps < deepest; ++steps) {
      std::string_view kind = d.kind();
      if (is_one_of(kind, {"identifier", "field_identifier"})) {
        v.is_pointer = pointers == 1 && !array;
        if (pointers > 0) v.is_memory = true;
        return d;
      }
      if (kind == "pointer_declarator") {
        ++pointers;
        v.is_constant = false;
        for (Node c = d.first(); c; c = c.next())
          if (c.is("type_qualifier") && c.text() == "const") v.is_constant = true;
      }
      if (kind == "array_declarator") array = v.is_memory = true;
      if (kind == "reference_declarator") v.is_reference = true;
      if (kind == "function_declarator") {
        if (!d.field("declarator").is("parenthesized_declarator")) return {};
        v.is_memory = true;
      }
      Node inner = d.field("declarator");
      d = inner ? inner : d.first_named();
      while (d && is_one_of(d.kind(), {"type_qualifier", "ms_based_modifier", "attribute_specifier"}))
        d = d.next_named();
    }
    return {};
  }

  void visit(Node n) {
    std::string_view kind = n.kind();
    if (opens_scope(kind)) scopes_.push_back({n.last(), {}});
    if (kind == "function_definition" || kind == "lambda_expression") open_function(n);
    if (is_one_of(kind, {"declaration", "parameter_declaration", "optional_parameter_declaration", "for_range_loop",
                         "variadic_parameter_declaration"}))
      declare_all(n);
    if (kind == "lambda_capture_initializer") {
      Variable v;
      v.declaration = n;
      v.function = function_of_child(n.parent());
      v.is_memory = true;
      if (Node left = n.field("left")) declare(v, left);
    }
    if ((kind == "identifier" || kind == "field_identifier" || kind == "type_identifier") &&
        symbols_.variable_of[n.id] == none)
      symbols_.variable_of[n.id] = look_up(n, kind);
  }

  uint32_t look_up(Node n, std::string_view kind) const {
    std::string_view name = n.text();
    if (kind != "field_identifier") {
      auto found = visible_.find(name);
      if (found != visible_.end() && !found->second.empty()) return found->second.back();
    }
    if (kind == "type_identifier") return none;
    auto field = symbols_.fields.find(name);
    return field == symbols_.fields.end() ? none : field->second;
  }

  void declare_all(Node n) {
    Variable v = describe(n);
    v.function = symbols_.function_of[n.id];
    v.is_parameter = n.is("parameter_declaration") || n.is("optional_parameter_declaration");
    if (v.is_parameter) {
      Node list = n.parent();
      Node holder = list.parent();  // the function's own declarator, not a function pointer's parameter
      if (!list.is("parameter_list") || !is_parameter_list_of(holder, v.function)) v.is_parameter = false;
    }
    if (v.function == none && n.is("declaration")) v.is_static = true;
    for (Node d = n.first(); d; d = d.next()) {
      if (d.field_name() != "declarator") continue;
      Variable one = v;
      Node name = name_of(d, one);
      if (d.field("declarator").is("structured_binding_declarator")) name = d.field("declarator");
      if (d.is("structured_binding_declarator")) name = d;
      if (name.is("structured_binding_declarator")) {
        for (Node c = name.first_named(); c; c = c.next_named()) declare(one, c);
      } else if (name) {
        declare(one, name);
        note_lambda(d);
      } else if (d.is("function_declarator") && v.function != none && d.field("declarator").is("identifier")) {
        one.is_memory = true;  // "View v(data);" reads as a function; inside a body it is a variable
        declare(one, d.field("declarator"));
      }
    }
  }

  bool is_parameter_list_of(Node holder, uint32_t function) const {
    if (function == none) return false;
    Node f = symbols_.functions[function].node;
    for (int steps = 0; holder && steps < deepest; ++steps, holder = holder.parent())
      if (holder == f) return true;
      else if (holder.is("parameter_declaration") || holder.is("compound_statement")) return false;
    return false;
  }

  void note_lambda(Node declarator) {
    Node value = declarator.field("value");
    if (value.is("lambda_expression"))
      pending_lambdas_[value.id] = static_cast<uint32_t>(symbols_.variables.size()) - 1;
  }

  void open_function(Node n) {
    Function f;
    f.node = n;
    f.body = n.field("body");
    f.parent = symbols_.function_of[n.id];
    f.is_lambda = n.is("lambda_expression");
    uint32_t id = static_cast<uint32_t>(symbols_.functions.size());
    Node d = n.field("declarator");
    for (int steps = 0; d && steps < deepest && !d.is("function_declarator"); ++steps) {
      Node inner = d.field("declarator");
      d = inner ? inner : d.first_named();
    }
    if (!f.is_lambda && d) {
      f.name = last_name(d.field("declarator"));
      symbols_.functions_named[f.name].push_back(id);
    }
    if (!f.is_lambda) describe_entry(f, n, d);
    own_function_[n.id] = id;
    symbols_.functions.push_back(f);
    auto pending = pending_lambdas_.find(n.id);
    if (pending != pending_lambdas_.end()) symbols_.lambda_of[pending->second] = id;
  }

  void describe_entry(Function& f, Node n, Node declarator) const {
    f.is_external = true;
    bool global = false;
    for (Node c = n.first(); c && c.id < declarator.id; c = c.next()) {
      if (c.is("storage_class_specifier") && c.text() == "static") f.is_external = false;
      if (c.text() == "__global__") global = true;
    }
    bool c_linkage = false;
    Node around = n.parent();
    for (int steps = 0; around && steps < 8; ++steps, around = around.parent()) {
      if (around.is("linkage_specification")) c_linkage = true;
      if (around.is("namespace_definition") && !around.has("name")) f.is_external = false;
      if (around.id == 0) break;
    }
    int tensors = 0;
    bool pointers = false;
    Node parameters = declarator.field("parameters");
    for (Node p = parameters.first_named(); p; p = p.next_named()) {
      std::string_view text = p.text();
      if (text.find("DLTensor") != std::string_view::npos) ++tensors;
      if (text.find('*') != std::string_view::npos) pointers = true;
    }
    f.is_entry = (c_linkage && f.is_external && (tensors >= 2 || pointers)) || global;
  }

  void mark_written() {
    for (Node n : tree_.nodes()) {
      std::string_view kind = n.kind();
      Node target;
      if (kind == "assignment_expression") target = n.field("left");
      if (kind == "update_expression") target = n.field("argument");
      if (kind == "pointer_expression" && n.first().is("&")) target = n.field("argument");
      if (kind == "call_expression" && n.field("function").is("field_expression"))
        target = n.field("function").field("argument");
      if (kind == "for_range_loop") target = n.field("right");
      if (target) write(target);
      if (kind == "argument_list" || kind == "lambda_capture_specifier" || kind == "init_declarator" ||
          kind == "return_statement" || kind == "cast_expression")
        for (Node c = n.first_named(); c; c = c.next_named())
          if (uint32_t v = root_variable(symbols_, c); v != none && symbols_.variables[v].is_memory &&
                                                      c.id != symbols_.variables[v].declarator.id)
            symbols_.variables[v].is_written = true;
    }
  }

  void write(Node target) {
    uint32_t v = root_variable(symbols_, target);
    if (v != none) symbols_.variables[v].is_written = true;
  }

  const Tree& tree_;
  Symbols& symbols_;
  std::vector<Scope> scopes_;
  std::unordered_map<std::string_view, std::vector<uint32_t>> visible_;
  std::unordered_map<uint32_t, uint32_t> own_function_;      // node -> function it defines
  std::unordered_map<uint32_t, uint32_t> pending_lambdas_;   // lambda node -> variable
};

}  // namespace

Symbols resolve_symbols(const Tree& tree) {
  Symbols symbols;
  Declarations(tree, symbols).run();
  return symbols;
}

std::string_view last_name(Node callee) {
  for (int steps = 0; callee && steps < deepest; ++steps) {
    std::string_view kind = callee.kind();
    if (kind == "field_expression")
      callee = callee.field("field");
    else if (kind == "qualified_identifier" || kind == "template_function" || kind == "template_method")
      callee = callee.field("name");
    else if (kind == "parenthesized_expression" || kind == "pointer_expression" || kind == "dependent_name" ||
             kind == "destructor_name" || kind == "reference_declarator" || kind == "pointer_declarator")
      callee = callee.first_named();
    else
      return kind == "identifier" || kind == "field_identifier" || kind == "type_identifier" ||
                     kind == "primitive_type"
                 ? callee.text()
                 : std::string_view();
  }
  return {};
}

uint32_t root_variable(const Symbols& symbols, Node n) {
  uint32_t field = none;  // the outermost field on the way: it is the answer unless the object is static
  for (int steps = 0; n && steps < deepest; ++steps) {
    std::string_view kind = n.kind();
    if (kind == "identifier" || kind == "field_identifier") {
      uint32_t v = symbols.variable_of[n.id];
      return field != none && (v == none || !symbols.variables[v].is_static) ? field : v;
    }
    if (kind == "subscript_expression" || kind == "pointer_expression" || kind == "update_expression") {
      n = n.field("argument");
    } else if (kind == "field_expression") {
      if (field == none) field = symbols.variable_of[n.field("field").id];
      n = n.field("argument");
    } else if (kind == "parenthesized_expression") {
      n = n.first_named();
    } else if (kind == "cast_expression") {
      n = n.field("value");
    } else if (kind == "binary_expression" || kind == "assignment_expression") {
      n = n.field("left");
    } else if (kind == "qualified_identifier") {
      n = n.field("name");
    } else if (kind == "call_expression") {
      Node f = n.field("function");
      if (f.is("field_expression"))
        n = f.field("argument");
      else if (last_name(f).ends_with("_cast") || last_name(f).ends_with("assume_aligned"))
        n = n.field("arguments").first_named();
      else
        return field;
    } else {
      return field;
    }
  }
  return field;
}

}  // namespace assay
