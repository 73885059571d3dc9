// Compares an output with its double-precision reference: absolute error beyond the output type's own rounding, and
// relative L2 error of each row, so that neither small outputs nor a skipped slice of a long sum can hide.
#pragma once

#include <string>
#include <vector>

#include "task/task.h"

namespace assay {

struct Comparison {
  bool ok = true;
  double max_absolute_error = 0;   // over finite elements, beyond half an ulp of the output's type, as is the next
  double max_relative_l2 = 0;      // the worst row's
  int64_t wrong_elements = 0;
  int64_t nonfinite_elements = 0;  // NaN or infinity where the reference is finite (always wrong)
  int64_t elements = 0;
  int64_t first_wrong = -1;        // flat index, or -1
  std::string summary;             // one line for people; no expected values in it
};

// expected is float64 of the same shape as spec; actual holds spec.bytes() bytes.
Comparison compare(const TensorSpec& spec, std::span<const std::byte> actual, const Tensor& expected,
                   const Tolerance& tolerance);

}  // namespace assay
