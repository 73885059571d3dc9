// Memory that outlives the call (static, thread_local, file scope) decides what is computed, or supplies it. Scratch that
// is written before it is read, capacities and thread counts do not; perturb-check settles what remains a warning.
#include "lint/arms.h"
#include "lint/rules.h"
#include "lint/words.h"

namespace assay {
namespace {

void judge_branch(const Flow& flow, const Branch& b, Findings& findings) {
  Tags t = flow.tags(b.condition);
  if (!(t & (tag::kept | tag::kept_key))) return;
  Effects whole = flow.function_effects(b.function);
  for (Arm arm : {Arm::then, Arm::otherwise}) {
    Node mine = arm_node(b, arm);
    Effects e = flow.effects(mine);
    if (mine && (e & effect::fills_kept) && !(e & effect::out_kept) && (whole & effect::out_kept) && !b.is_loop)
      return findings.add(Severity::error, b.condition,
                          "what derives from the inputs is put in memory that outlives the call, only if that memory says so");
    if (!skips_work(flow, b, arm)) continue;
    if (t & tag::kept_key)
      return findings.add(Severity::error, b.condition,
                          "the work is skipped if memory of an earlier call matches this call's pointers, values or lengths");
    if (mine && (e & effect::out_kept))
      return findings.add(Severity::error, mine, "an output is filled from memory of an earlier call");
    findings.add(Severity::warning, b.condition, "memory that outlives the call decides whether the work is done");
  }
}

void python_memo(const Python& python, Findings& findings) {
  const Tree& tree = python.tree;
  for (Node n : tree.nodes()) {
    if (n.is("decorator")) {
      for (const std::string& name : python.names(n.first_named().is("call") ? n.first_named().field("function") : n.first_named()))
        if (name == "functools.lru_cache" || name == "functools.cache" || name == "functools.cached_property")
          findings.add(Severity::warning, n, "results of earlier calls are kept");
    }
    bool identity = n.is("call") && n.field("function").is("identifier") && n.field("function").text() == "id";
    if (n.is("call") && n.field("function").is("attribute"))
      identity = is_one_of(n.field("function").field("attribute").text(), {"data_ptr", "storage_offset", "untyped_storage"});
    if (n.is("attribute") && is_one_of(n.field("attribute").text(), {"_version", "_cdata"})) identity = true;
    if (!identity) continue;
    // As a key, in a key tuple that a name holds, or compared with something kept.
    Node p = n;
    for (int steps = 0; steps < 12 && p; ++steps, p = p.parent()) {
      Node around = p.parent();
      bool key = around.is("subscript") && p.field_name() == "subscript";
      bool compared = around.is("comparison_operator");
      bool looked_up = around.is("argument_list") && around.parent().field("function").is("attribute") &&
                       is_one_of(around.parent().field("function").field("attribute").text(), {"get", "setdefault", "pop"});
      bool aligned = around.is("binary_operator") && is_one_of(around.field("operator").text(), {"%", "&"});
      bool held = around.is("assignment") && p.field_name() == "right" &&
                  (p.is("tuple") || p == n) && around.field("left").is("identifier");
      if (aligned || around.is("assert_statement")) break;
      if (key || looked_up || compared || held) {
        findings.add(held ? Severity::warning : Severity::error, n,
                     "a tensor's identity is a key: the same address does not mean the same values");
        break;
      }
      if (is_one_of(around.kind(), {"block", "module", "function_definition"})) break;
    }
  }
}

}  // namespace

void carries_results(const Unit& unit, Findings& findings) {
  if (unit.python) return python_memo(*unit.python, findings);
  const Flow& flow = *unit.flow;
  for (const Branch& b : flow.branches)
    if (b.function != none) judge_branch(flow, b, findings);
  for (Node n : flow.tree.nodes()) {
    if (!n.is("init_declarator") || flow.symbols.function_of[n.id] == none) continue;
    uint32_t v = root_variable(flow.symbols, n.field("declarator"));
    for (Node d = n.field("declarator"); v == none && d; d = d.has("declarator") ? d.field("declarator") : d.first_named())
      v = d.is("identifier") ? flow.symbols.variable_of[d.id] : none;
    if (v == none || !flow.symbols.variables[v].is_static) continue;
    Tags t = flow.tags(n.field("value"));
    uint32_t from = root_variable(flow.symbols, n.field("value"));  // an object: what its fields hold
    if (from != none && flow.symbols.variables[from].declaration) {
      auto fields = flow.symbols.class_fields.find(last_name(flow.symbols.variables[from].declaration.field("type")));
      if (fields != flow.symbols.class_fields.end())
        for (uint32_t field : fields->second) t |= flow.variable_tags(field);
    }
    if (t & (tag::in_value | tag::in_pointer | tag::out_pointer | tag::in_tensor | tag::out_tensor))
      findings.add(Severity::error, n, "a static variable is computed from the inputs of the first call");
    else if (t & tag::shape)
      findings.add(Severity::warning, n, "a static variable keeps a length of the first call");
  }
  for (const Store& s : flow.stores) {
    if (!(s.target_tags & tag::kept_pointer) || (s.target_tags & tag::out_pointer) || !(s.value & (tag::in_value | tag::out_value)))
      continue;
    uint32_t v = root_variable(flow.symbols, s.target);
    bool scratch = v == none || !flow.symbols.variables[v].is_static || flow.symbols.variables[v].is_thread_local;
    findings.add(scratch ? Severity::note : Severity::warning, s.node,
                 "what derives from the inputs is stored in memory that outlives the call");
  }
}

}  // namespace assay
