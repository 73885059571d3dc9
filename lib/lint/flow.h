// Where a value comes from: every expression of a C++ file carries a set of tags, and every branch knows what its arms do.
//
// Theory of operation. Tags are computed over the whole file at once, flow-insensitively: a variable has the union of
// what is ever assigned to it, a parameter the union of its arguments, a call of an unknown function the union of its
// arguments. So "nothing of the input reaches this store" is said only where nothing could. The tree is flat and in
// pre-order; steps sorted by where their subtree ends see children before parents; sweeps are repeated until nothing changes, at
// most `most_sweeps` times. What stands under a condition that looks at an exact shape, at input values or
// at memory kept between calls passes that tag to the variables it assigns: a flag carries its reason with it.
//
// A second sweep gathers, bottom-up, what each subtree does to the outputs (Effect).
#pragma once

#include <optional>

#include "lint/symbols.h"

namespace assay {

using Tags = uint32_t;
namespace tag {
constexpr Tags in_tensor = 1;         // DLTensor or array of them
constexpr Tags out_tensor = 2;
constexpr Tags in_pointer = 4;        // into an input's data
constexpr Tags out_pointer = 8;
constexpr Tags in_value = 16;         // loaded from an input's data
constexpr Tags out_value = 32;        // loaded from an output's memory
constexpr Tags shape = 64;            // a length: from shape[], or an integer read from an input (indptr, lengths)
constexpr Tags meta = 128;            // ndim, dtype, device, strides
constexpr Tags exact_shape = 256;     // a comparison for equality of a length with a constant
constexpr Tags kept = 512;            // memory that outlives the call and is written
constexpr Tags kept_key = 1024;       // a comparison of kept memory with a pointer, a value or a length of this call
constexpr Tags table = 2048;          // an array of literals
constexpr Tags external = 4096;       // result of a function that we don't see
constexpr Tags index = 8192;          // threadIdx and its like
constexpr Tags kept_pointer = 16384;  // into memory that outlives the call
constexpr Tags pointers = in_pointer | out_pointer | kept_pointer;
constexpr Tags controls = in_value | out_value | exact_shape | kept | kept_key;
constexpr Tags content = in_value | out_value | shape | kept | table | external | in_pointer;
}  // namespace tag

using Effects = uint32_t;
namespace effect {
constexpr Effects out_input = 1;      // stores to an output what derives from an input
constexpr Effects out_kept = 2;       // stores to an output from memory kept between calls
constexpr Effects out_table = 4;      // stores literals from a table to an output
constexpr Effects out_other = 8;      // stores anything else to an output: a constant, an index
constexpr Effects fills_kept = 16;    // stores what derives from an input in memory kept between calls
constexpr Effects leaves = 32;        // return, goto, or break out of a loop
constexpr Effects exact_test = 64;    // holds a comparison tagged exact_shape
constexpr Effects escapes = 128;      // hands an output's memory to code that we don't see
constexpr Effects direct = 256;       // stores through more than its parameters, so a call's arguments don't tell where
constexpr Effects stores = out_input | out_kept | out_table | out_other;

// Whether code with these effects computes an output from the inputs of this call.
inline bool work(Effects e) { return (e & out_input) || ((e & out_kept) && (e & fills_kept)); }
}  // namespace effect

struct Store {            // to an output, to kept memory, or to an input
  Node node;              // the assignment or call
  Node target;
  Tags target_tags;
  Tags value;             // data only
  Tags control;           // of the conditions around it
};

struct Call {
  Node node;
  std::string_view name;            // last component
  std::vector<uint32_t> callees;    // functions of this file; empty: unknown, or a cast
  std::vector<Node> arguments;
  Node object;                      // of a method call
  bool is_cast = false;
  bool casts_to_index = false;      // to int32_t* and the like
  bool allocates = false;           // malloc, resize …: gives fresh memory, computes nothing
};

struct Branch {
  Node node;
  Node condition;
  Node then;              // what runs if it holds; for a case, its statements
  Node otherwise;         // or none
  uint32_t function;
  bool is_case = false;
  bool is_constexpr = false;
  bool is_loop = false;
};

class Flow {
 public:
  explicit Flow(const Tree& tree);
  Flow(const Flow&) = delete;

  const Tree& tree;
  Symbols symbols;
  std::vector<Call> calls;
  std::vector<Branch> branches;
  std::vector<Store> stores;

  Tags tags(Node n) const { return n ? tags_[n.id] : 0; }
  Tags variable_tags(uint32_t v) const { return v == none ? 0 : variable_tags_[v]; }
  Effects effects(Node n) const { return n ? effects_[n.id] : 0; }
  uint32_t works(Node n) const { return n ? work_before_[n.last()] - work_before_[n.id] : 0; }  // nodes doing work
  Effects function_effects(uint32_t f) const { return f == none ? 0 : function_effects_[f]; }
  const Function* function(Node n) const;    // the innermost around it that has a name, or nullptr
  const Call* call(Node n) const;
  uint32_t first_work(uint32_t function) const;  // node number, or none
  bool is_main(uint32_t f) const { return f != none && mains_[f]; }  // an entry, or called by one outside any loop
  bool is_reached(uint32_t f) const { return f != none && reached_[f]; }  // an entry, or named by a function that is reached
  bool in_loop(Node n) const { return in_loop_[n.id]; }              // within its function

 private:
  enum class Op : uint8_t { name, subscript, dereference, address, member, pass, cast, binary, compare, call, assign,
                            declare, construct, loop_range, result, list, choose, field_init };
  struct Step {
    Op op;
    uint32_t node;
  };

  void lower();
  bool is_table(Node list) const;
  uint32_t declared(Node declarator) const;
  void lower_call(Node n);
  void lower_branch(Node n);
  void sweep_controls();
  std::optional<Op> op_of(Node n) const;
  Tags evaluate(const Step& step);
  Tags evaluate_binary(Node n) const;
  Tags evaluate_compare(Node n) const;
  Tags evaluate_member(Node n) const;
  Tags evaluate_unknown_call(const Call& call);
  void evaluate_assign(Node n);
  Tags evaluate_call(const Call& call);
  Tags load(Node base) const;
  bool is_plain_pointer(Node base) const;
  void raise(Tags& tags, Tags more);
  void give(uint32_t variable, Tags tags);
  void give_through(uint32_t variable, Tags tags);
  void give_alias(uint32_t variable, Node value);
  Tags content(Node pointer) const;                 // of the memory that it points at, as far as stores show
  void give_result(uint32_t function, Tags tags);
  void give_parameters(const std::vector<uint32_t>& callees, const std::vector<Node>& arguments);
  void initialise(Node declaration, uint32_t variable, Node value);
  void find_mains();
  void find_reached();
  void gather();
  Effects effects_of_store(Node node, Node target, Tags target_tags, Tags value);
  Effects effects_of_call(const Call& call);
  bool is_parameter(Node pointer, uint32_t function) const;

  std::vector<Step> steps_;                         // children first, in the order of the text
  std::vector<Tags> tags_, controls_, variable_tags_, result_tags_;
  std::vector<Tags> through_;                       // by variable: what is stored through it, or through an alias
  std::vector<Tags> held_;                          // by parameter: what its arguments' memory holds before the call
  std::vector<std::vector<uint32_t>> aliases_;      // by variable: those that point where it points
  std::vector<Effects> effects_, function_effects_;
  std::vector<uint32_t> work_before_;
  std::vector<uint8_t> mains_, reached_, in_loop_;
  std::unordered_map<uint32_t, uint32_t> call_of_;  // node -> index
  std::vector<uint32_t> literals_before_;           // by node, so that a subtree's are one subtraction
  std::unordered_map<uint32_t, Tags> arms_;         // arm of a branch -> control tags
  bool changed_ = false;
};

// For a type such as const int32_t*: elements are lengths or indices, not data.
bool is_index_pointer(Node type_descriptor);
Node first_template_type(Node callee);

// Tags of a store's target: of the pointer written through, or 0 if the assignment only changes a variable.
Tags written_through(const Flow& flow, Node target);

}  // namespace assay
