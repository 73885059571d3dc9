// Who is who in a C++ file: functions, variables with their scopes, and which variable each identifier names.
// One walk over the flat tree, a stack of scopes beside it.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "syntax/tree.h"

namespace assay {

constexpr uint32_t none = UINT32_MAX;

struct Variable {
  std::string_view name;
  Node declarator;             // the identifier that declares it
  Node declaration;            // the declaration, parameter or loop around it
  uint32_t function = none;    // none: at file scope, or a field
  bool is_parameter = false;
  bool is_field = false;
  bool is_static = false;      // lives from call to call: static, thread_local or at file scope
  bool is_thread_local = false;
  bool is_constant = false;    // const or constexpr itself, not merely what it points at
  bool is_reference = false;
  bool is_pointer = false;     // T*: one level
  bool is_memory = false;      // can hold more than a scalar: array, pointer, class
  bool points_at_const = false;
  bool points_at_index = false;  // elements are int, int32_t, int64_t …: lengths and indices, not data
  bool is_integer = false;
  bool is_written = false;     // somewhere after its initialiser
};

struct Function {
  std::string_view name;
  Node node;                   // function_definition or lambda_expression
  Node body;
  uint32_t parent = none;      // the function around a lambda
  bool is_entry = false;       // gets the tensors (or is extern "C" or __global__ and gets the pointers)
  bool is_lambda = false;
  bool is_external = false;    // visible to the linker
  std::vector<uint32_t> parameters;
};

struct Symbols {
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<uint32_t> variable_of;   // by node: what an identifier names, or none
  std::vector<uint32_t> function_of;   // by node: the innermost function around it, or none
  std::unordered_map<std::string_view, std::vector<uint32_t>> functions_named;
  std::unordered_map<std::string_view, uint32_t> fields;              // by name, whatever the class
  std::unordered_map<std::string_view, std::vector<uint32_t>> class_fields;  // fields of a class in their order
  std::unordered_map<uint32_t, uint32_t> lambda_of;                   // variable -> function it was initialised with
};

Symbols resolve_symbols(const Tree& tree);

// The variable at the bottom of an lvalue or pointer expression, through [], *, ->, ., casts, + and .data(); or none.
uint32_t root_variable(const Symbols& symbols, Node expression);

// The last component: "memcpy" of std::memcpy, "run" of run<64>, "size" of v.size.
std::string_view last_name(Node callee);

}  // namespace assay
