// The pieces that reading task.json is made of. Private to lib/task.
#pragma once

#include "task/data.h"

namespace assay {

struct TaskReader {
  TaskData& task;
};

std::vector<std::string> keys(Fields& fields, const std::string& key);  // of an object in an object, in order
std::vector<Fields> objects(Fields& fields, const std::string& key);    // an array of objects; empty if absent

// Which names an expression may use: axes and sizeof(...); scalar inputs as well; elements of inputs as well.
enum class NameScope { axes, scalars, elements };

Expr parse_expr(const Fields& fields, const std::string& key, const std::string& text);
Expr read_expr(Fields& fields, const std::string& key);                       // a number or an expression
Expr read_expr(Fields& fields, const std::string& key, double fallback);
Expr read_number(Fields& fields, const std::string& key);                     // an integer
Dtype read_dtype(const Fields& fields, const std::string& key, const std::string& name);
void check_names(const TaskReader& r, const Fields& fields, const std::string& key, const Expr& expr, NameScope scope);
int read_tensor(const TaskReader& r, Fields& fields, const std::string& key, bool inputs_only);

std::shared_ptr<const Generator> read_generator(const TaskReader& r, const TensorDef& def, Fields& fields,
                                                const std::string& key);
// An object {INPUT: generator}: each replaces its input's, or, without a "kind", changes some of its keys.
std::map<std::string, std::shared_ptr<const Generator>> read_overrides(const TaskReader& r, Fields& fields);
void read_workloads(TaskReader& r, Fields& top);
void read_regions(TaskReader& r, Fields& top);
void read_needles(TaskReader& r, Fields& top);
void read_relations(TaskReader& r, Fields& top);

}  // namespace assay
