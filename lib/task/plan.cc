#include "task/plan.h"

#include "task/element.h"

namespace assay {
namespace {

template <typename I>
void compose(std::vector<I>& first, const std::vector<I>& next) {
  if (next.empty()) return;
  std::vector<I> result(next.size());
  for (size_t i = 0; i < next.size(); ++i) result[i] = first.empty() ? next[i] : first[next[i]];
  first = std::move(result);
}

// Factors belong to places of the result: a permutation that follows takes them along.
template <typename I>
void compose_factors(std::vector<double>& first, const std::vector<I>& permutation, const std::vector<double>& next) {
  if (!first.empty() && !permutation.empty()) {
    std::vector<double> moved(permutation.size());
    for (size_t i = 0; i < permutation.size(); ++i) moved[i] = first[permutation[i]];
    first = std::move(moved);
  }
  if (next.empty()) return;
  if (first.empty()) first = next;
  else
    for (size_t i = 0; i < next.size(); ++i) first[i] *= next[i];
}

template <typename T>
T times(T x, float factor) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return x * static_cast<T>(factor);
  else if constexpr (std::is_same_v<T, Bfloat16>)  // exact: a power of two times a normal number
    return {static_cast<uint16_t>(std::bit_cast<uint32_t>(to_float(x) * factor) >> 16)};
  else if constexpr (std::is_same_v<T, Float16>) return from_float<T>(to_float(x) * factor);
  else return x;
}

template <typename T>
void transform_row(const T* in, T* out, size_t width, const int32_t* columns, const float* factors) {
  if (columns && factors) {
    for (size_t c = 0; c < width; ++c) out[c] = times(in[columns[c]], factors[c]);
  } else if (columns) {
    for (size_t c = 0; c < width; ++c) out[c] = in[columns[c]];
  } else if (factors) {
    for (size_t c = 0; c < width; ++c) out[c] = times(in[c], factors[c]);
  } else {
    std::memcpy(out, in, width * sizeof(T));
  }
}

template <typename T>
void transform(const TensorPlan& plan, const T* in, T* out, size_t rows, size_t width) {
  std::vector<float> factors(plan.column_factors.begin(), plan.column_factors.end());
  const int32_t* columns = plan.columns.empty() ? nullptr : plan.columns.data();
  for (size_t r = 0; r < rows; ++r) {
    const T* source = in + (plan.rows.empty() ? r : static_cast<size_t>(plan.rows[r])) * width;
    transform_row(source, out + r * width, width, columns, factors.empty() ? nullptr : factors.data());
    if (plan.row_factors.empty()) continue;
    float factor = static_cast<float>(plan.row_factors[r]);
    for (size_t c = 0; c < width; ++c) out[r * width + c] = times(out[r * width + c], factor);
  }
}

}  // namespace

void TensorPlan::then(const TensorPlan& next) {
  compose_factors(row_factors, next.rows, next.row_factors);
  compose_factors(column_factors, next.columns, next.column_factors);
  compose(rows, next.rows);
  compose(columns, next.columns);
  if (!next.values.empty()) {
    std::vector<int64_t> both = next.values;
    for (size_t i = 0; i < both.size() && !values.empty(); ++i) both[i] = next.values[values[i]];
    values = std::move(both);
  }
  if (!next.content.empty()) content = next.content;
}

void TensorPlan::apply(Tensor& tensor, std::vector<std::byte>& scratch) const {
  const TensorSpec& spec = tensor.spec;
  int64_t count = spec.elements();
  if (count == 0) return;
  visit_dtype(spec.dtype, [&]<typename T>() {
    if (!rows.empty() || !columns.empty() || !row_factors.empty() || !column_factors.empty()) {
      size_t height = spec.shape.empty() ? 1 : static_cast<size_t>(spec.shape[0]);
      scratch.resize(tensor.data.size());
      transform(*this, elements<T>(std::span<const std::byte>(tensor.data)).data(),
                elements<T>(std::span<std::byte>(scratch)).data(), height, static_cast<size_t>(count) / height);
      tensor.data.swap(scratch);
    }
    if constexpr (std::is_integral_v<T>) {
      std::span<T> out = elements<T>(std::span<std::byte>(tensor.data));
      for (size_t i = 0; i < out.size() && !values.empty(); ++i) out[i] = static_cast<T>(values[out[i]]);
      for (size_t i = 0; i < content.size(); ++i) out[i] = static_cast<T>(content[i]);
    }
  });
}

}  // namespace assay
