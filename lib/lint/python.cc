#include "lint/python.h"

#include <algorithm>

#include "lint/words.h"

namespace assay {
namespace {

constexpr size_t most_names = 4;
constexpr int deepest = 64;
constexpr int alias_rounds = 4;

std::string_view first_component(std::string_view dotted) { return dotted.substr(0, dotted.find('.')); }

Node argument(Node call, int index) {
  Node a = call.field("arguments").first_named();
  for (; a && index > 0; --index) a = a.next_named();
  return a;
}

}  // namespace

Python::Python(const Tree& t) : tree(t) {
  function_of_.assign(tree.size(), 0);
  for (Node n : tree.nodes()) {
    if (!n.id) continue;
    Node p = n.parent();
    function_of_[n.id] = p.is("function_definition") || p.is("lambda") ? p.id : function_of_[p.id];
  }
  collect_imports();
  collect_aliases();
  collect_uses();
}

Node Python::function_node(Node n) const {
  Node f = n && function_of_[n.id] ? tree.node(function_of_[n.id]) : Node{};
  for (int steps = 0; f.is("lambda") && steps < deepest; ++steps)
    f = function_of_[f.id] ? tree.node(function_of_[f.id]) : Node{};
  return f;
}

std::string Python::function(Node n) const { return std::string(function_node(n).field("name").text()); }

void Python::bind(std::string_view name, const std::string& target) {
  std::vector<std::string>& bound = aliases_[std::string(name)];
  if (bound.size() < most_names && std::find(bound.begin(), bound.end(), target) == bound.end()) bound.push_back(target);
}

void Python::collect_imports() {
  for (Node n : tree.nodes()) {
    bool from = n.is("import_from_statement");
    if (n.is("function_definition") || n.is("class_definition")) defined_[std::string(n.field("name").text())] = true;
    if (!from && !n.is("import_statement")) continue;
    std::string module = from ? std::string(n.field("module_name").text()) : "";
    for (Node c = n.first_named(); c; c = c.next_named()) {
      if (c.field_name() != "name") continue;
      bool renamed = c.is("aliased_import");
      std::string what(renamed ? c.field("name").text() : c.text());
      std::string full = from ? module + "." + what : what;
      std::string_view as = renamed ? c.field("alias").text() : from ? std::string_view(what) : first_component(what);
      imported_[std::string(first_component(full))] = true;
      bind(as, renamed || from ? full : std::string(first_component(what)));
    }
  }
}

std::optional<std::string> Python::literal(Node n) const {
  std::string value;
  std::vector<Node> todo = {n};
  for (int steps = 0; !todo.empty(); ++steps) {
    if (steps > deepest) return {};
    Node part = todo.back();
    todo.pop_back();
    if (part.is("parenthesized_expression")) {
      todo.push_back(part.first_named());
    } else if (part.is("concatenated_string")) {
      std::vector<Node> pieces;
      for (Node c = part.first_named(); c; c = c.next_named()) pieces.push_back(c);
      todo.insert(todo.end(), pieces.rbegin(), pieces.rend());
    } else if (part.is("binary_operator") && part.field("operator").text() == "+") {
      todo.push_back(part.field("right"));
      todo.push_back(part.field("left"));
    } else if (part.is("string")) {
      for (Node c = part.first_named(); c; c = c.next_named()) {
        if (c.is("interpolation")) return {};
        if (c.is("string_content")) value += c.text();
      }
    } else {
      return {};
    }
  }
  return value;
}

std::vector<std::string> Python::names(Node n) const {
  std::vector<std::string> components;  // last first
  for (int steps = 0; n && steps < deepest; ++steps) {
    if (n.is("attribute")) {
      components.emplace_back(n.field("attribute").text());
      n = n.field("object");
    } else if (n.is("parenthesized_expression")) {
      n = n.first_named();
    } else if (n.is("named_expression")) {
      n = n.field("value");
    } else if (n.is("subscript")) {  // x.__dict__["y"], vars(x)["y"], sys.modules["y"]
      std::optional<std::string> key = literal(n.field("subscript"));
      Node value = n.field("value");
      std::string_view text = value.text();
      bool dictionary = value.is("attribute") && value.field("attribute").text() == "__dict__";
      if (key && value.is("attribute") && text.ends_with("modules")) {
        std::string dotted = *key;
        for (size_t i = components.size(); i-- > 0;) dotted += "." + components[i];
        return {dotted};
      }
      if (!dictionary && !(value.is("call") && value.field("function").text() == "vars")) return {};
      components.push_back(key ? *key : "*");
      n = dictionary ? value.field("object") : argument(value, 0);
    } else if (n.is("call")) {
      std::string_view callee = n.field("function").text();
      if (callee == "getattr") {
        std::optional<std::string> key = literal(argument(n, 1));
        components.push_back(key ? *key : "*");
        n = argument(n, 0);
      } else if (callee == "__import__" || callee.ends_with("import_module")) {
        std::optional<std::string> module = literal(argument(n, 0));
        std::string dotted = module ? *module : "*";
        for (size_t i = components.size(); i-- > 0;) dotted += "." + components[i];
        return {dotted};
      } else {
        return {};
      }
    } else if (n.is("identifier")) {
      std::vector<std::string> result;
      auto found = aliases_.find(std::string(n.text()));
      std::vector<std::string> roots = found == aliases_.end() ? std::vector<std::string>{std::string(n.text())} : found->second;
      for (std::string dotted : roots) {
        for (size_t i = components.size(); i-- > 0;) dotted += "." + components[i];
        result.push_back(std::move(dotted));
      }
      return result;
    } else {
      return {};
    }
  }
  return {};
}

void Python::collect_aliases() {
  std::vector<std::pair<Node, Node>> pairs;  // name, value
  for (Node n : tree.nodes()) {
    if (n.is("assignment") && n.field("left").is("identifier") && n.has("right"))
      pairs.push_back({n.field("left"), n.field("right")});
    if (n.is("named_expression")) pairs.push_back({n.field("name"), n.field("value")});
    if (n.is("as_pattern") && n.has("alias")) pairs.push_back({n.field("alias").first_named(), n.first_named()});
    if (n.is("default_parameter")) pairs.push_back({n.field("name"), n.field("value")});
    if (n.is("assignment") && n.field("left").is("pattern_list")) {  // a, b = torch, time
      Node l = n.field("left").first_named(), r = n.field("right").first_named();
      for (; l && r; l = l.next_named(), r = r.next_named()) pairs.push_back({l, r});
    }
  }
  for (int round = 0; round < alias_rounds; ++round)
    for (auto [name, value] : pairs)
      for (const std::string& dotted : names(value)) {
        std::string_view root = first_component(dotted);
        bool callable = is_one_of(root, {"exec", "eval", "compile", "open", "setattr", "getattr", "__import__", "input",
                                         "globals", "vars", "id", "exit", "quit", "delattr"}) && !defined_.count(dotted);
        bool dynamic = value.is("call") || value.is("subscript");
        if (is_imported(root) || callable || dynamic) bind(name.text(), dotted);
        if (dynamic && !dotted.starts_with("*")) imported_[std::string(root)] = true;
      }
}

void Python::add_write(Node node, Node target) {
  for (int steps = 0; target && steps < deepest; ++steps) {
    if (target.is("attribute") || target.is("subscript")) break;
    if (!target.is("parenthesized_expression") && !target.is("list_splat_pattern")) return;
    target = target.first_named();
  }
  for (const std::string& dotted : names(target))
    if (is_imported(first_component(dotted)) || dotted.starts_with("sys.modules")) writes.push_back({node, dotted});
  if (target.is("subscript"))
    for (const std::string& dotted : names(target.field("value")))
      if (dotted.ends_with("sys.modules") || dotted == "globals" || dotted.ends_with(".__dict__"))
        writes.push_back({node, dotted + ".*"});
}

void Python::collect_call_write(Node call) {
  for (const std::string& callee : names(call.field("function"))) {
    bool setter = callee == "setattr" || callee == "delattr" || callee == "builtins.setattr" ||
                  callee.ends_with(".__setattr__") || callee.ends_with(".__delattr__");
    if (setter && !defined_.count(callee)) {
      bool bound = callee.ends_with("attr__") && !callee.starts_with("object.") && !callee.starts_with("type.");
      Node object = bound ? call.field("function").field("object") : argument(call, 0);
      std::optional<std::string> name = literal(argument(call, bound ? 0 : 1));
      for (const std::string& dotted : names(object))
        if (is_imported(first_component(dotted))) writes.push_back({call, dotted + "." + (name ? *name : "*")});
    }
    if (callee.ends_with("mock.patch") || callee.ends_with("patch.object") || callee.ends_with("monkeypatch.setattr")) {
      std::optional<std::string> target = literal(argument(call, 0));
      std::optional<std::string> name = literal(argument(call, 1));
      if (target) writes.push_back({call, *target});
      else
        for (const std::string& dotted : names(argument(call, 0))) writes.push_back({call, dotted + "." + name.value_or("*")});
    }
    if (callee.ends_with(".__dict__.update") && is_imported(first_component(callee)))
      writes.push_back({call, callee.substr(0, callee.size() - 15) + ".*"});
  }
  Node function = call.field("function");  // vars(torch).update(…)
  if (function.is("attribute") && function.field("attribute").text() == "update" && function.field("object").is("call")) {
    Node inner = function.field("object");
    std::string_view name = inner.field("function").text();
    if (name == "globals") writes.push_back({call, "globals.*"});
    if (name == "vars")
      for (const std::string& dotted : names(argument(inner, 0)))
        if (is_imported(first_component(dotted))) writes.push_back({call, dotted + ".*"});
  }
}

void Python::collect_uses() {
  for (Node n : tree.nodes()) {
    if (n.is("assignment") || n.is("augmented_assignment")) {
      Node left = n.field("left");
      if (left.is("pattern_list") || left.is("tuple_pattern"))
        for (Node c = left.first_named(); c; c = c.next_named()) add_write(c, c);
      else
        add_write(left, left);
    }
    if (n.is("for_statement") || n.is("for_in_clause")) add_write(n.field("left"), n.field("left"));
    if (n.is("delete_statement")) add_write(n.first_named(), n.first_named());
    if (n.is("as_pattern_target")) add_write(n.first_named(), n.first_named());
    if (n.is("call")) collect_call_write(n);
    bool outer = n.is("attribute") || n.is("identifier") || n.is("call") || n.is("subscript");
    if (!outer || n.parent().is("attribute")) {
      if (!n.is("identifier") || n.field_name() != "object") continue;
    }
    if (n.parent().is("keyword_argument") && n.field_name() == "name") continue;
    for (const std::string& dotted : names(n)) {
      std::string_view root = first_component(dotted);
      bool built_in = root == dotted && !defined_.count(dotted);
      if (!is_imported(root) && !built_in) continue;
      PythonUse use{n, dotted};
      use.called = n.parent().is("call") && n.field_name() == "function";
      uses.push_back(std::move(use));
    }
  }
}

}  // namespace assay
