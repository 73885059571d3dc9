// What a relation does to one tensor, in a form that composes: any number of relations, one pass over the memory.
// Private to lib/task.
#pragma once

#include <cstdint>
#include <vector>

#include "task/tensor.h"

namespace assay {

// result[r][c] = tensor[rows[r]][columns[c]] * row_factors[r] * column_factors[c], where a tensor is seen as rows
// along its first dimension and columns over all the others. An empty vector changes nothing.
// Integers: a value v becomes values[v]; or the whole content is replaced.
struct TensorPlan {
  std::vector<int64_t> rows;
  std::vector<int32_t> columns;
  std::vector<double> row_factors, column_factors;  // each +-2^k
  std::vector<int64_t> values;
  std::vector<int64_t> content;

  void then(const TensorPlan& next);  // this one first
  void apply(Tensor& tensor, std::vector<std::byte>& scratch) const;  // scratch is memory to reuse
};

}  // namespace assay
