#include "task/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "task/element.h"

namespace assay {
namespace {

std::string place(const TensorSpec& spec, int64_t flat) {
  std::string text;
  for (size_t d = spec.shape.size(); d-- > 0;) {
    text = std::to_string(flat % spec.shape[d]) + (text.empty() ? "" : ", ") + text;
    flat /= spec.shape[d];
  }
  return "[" + text + "]";
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

double as_double(Bfloat16 x) { return to_float(x); }
double as_double(Float16 x) { return to_float(x); }
template <typename T>
double as_double(T x) { return static_cast<double>(x); }

struct Row {
  double error = 0, reference = 0;  // sums of squares
};

template <typename T>
void compare_rows(const TensorSpec& spec, std::span<const T> actual, std::span<const double> expected, int64_t width,
                  const Tolerance& tolerance, Comparison& result, int64_t& worst_row) {
  for (int64_t begin = 0; begin < result.elements; begin += width) {
    Row row;
    for (int64_t i = begin; i < begin + width; ++i) {
      double wanted = expected[i];
      double got = as_double(actual[i]);
      bool wrong;
      if (std::isfinite(wanted) && std::isfinite(got)) {
        double error = std::max(0.0, std::fabs(got - wanted) - ulp(spec.dtype, wanted) / 2);
        result.max_absolute_error = std::max(result.max_absolute_error, error);
        row.error += error * error;
        row.reference += wanted * wanted;
        wrong = error > tolerance.absolute;
      } else {
        wrong = std::isnan(wanted) ? !std::isnan(got) : got != wanted;
        if (std::isfinite(wanted)) ++result.nonfinite_elements;
      }
      if (!wrong) continue;
      ++result.wrong_elements;
      if (result.first_wrong < 0) result.first_wrong = i;
    }
    if (row.reference == 0) continue;  // a row of zeros has no scale: the absolute bound alone judges it
    double relative = std::sqrt(row.error / row.reference);
    if (relative <= result.max_relative_l2) continue;
    result.max_relative_l2 = relative;
    worst_row = begin / width;
  }
}

}  // namespace

Comparison compare(const TensorSpec& spec, std::span<const std::byte> actual, const Tensor& expected,
                   const Tolerance& tolerance) {
  Comparison result;
  result.elements = spec.elements();
  if (actual.size() != spec.bytes() || expected.spec.dtype != Dtype::float64 || expected.spec.shape != spec.shape)
    throw Error("compare", "output " + spec.name, "the reference is of another type or shape");
  int64_t width = spec.shape.empty() ? 1 : spec.shape.back();
  int64_t worst_row = 0;
  if (result.elements > 0)
    visit_dtype(spec.dtype, [&]<typename T>() {
      compare_rows(spec, elements<T>(actual), elements<double>(std::span<const std::byte>(expected.data)), width,
                   tolerance, result, worst_row);
    });
  result.ok = result.wrong_elements == 0 && result.max_relative_l2 <= tolerance.relative_l2;

  std::string count = std::to_string(result.wrong_elements) + " of " + std::to_string(result.elements);
  result.summary = spec.name + ": absolute error " + number(result.max_absolute_error) + " (limit " +
                   number(tolerance.absolute) + "), relative L2 error " + number(result.max_relative_l2) + " (limit " +
                   number(tolerance.relative_l2) + ")";
  if (result.wrong_elements > 0)
    result.summary += ", " + count + " elements wrong, the first at " + place(spec, result.first_wrong);
  else if (!result.ok)
    result.summary += ", the worst row begins at " + place(spec, worst_row * width);
  if (result.nonfinite_elements > 0)
    result.summary += ", " + std::to_string(result.nonfinite_elements) + " not finite";
  return result;
}

}  // namespace assay
