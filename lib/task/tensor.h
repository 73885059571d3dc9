// Tensors on the host: an element type, a shape, and bytes in C order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay {

enum class Dtype { float64, float32, float16, bfloat16, int64, int32, int8, uint8, boolean };

Dtype parse_dtype(const std::string& name);  // "float32", "bfloat16", "int32", "bool", …; throws Error
const char* dtype_name(Dtype dtype);
size_t dtype_bytes(Dtype dtype);
bool is_floating(Dtype dtype);

struct TensorSpec {
  std::string name;
  Dtype dtype;
  std::vector<int64_t> shape;  // empty: a scalar, passed as a tensor of no dimensions

  int64_t elements() const;
  size_t bytes() const;
};

struct Tensor {
  TensorSpec spec;
  std::vector<std::byte> data;  // spec.bytes() of them

  explicit Tensor(TensorSpec s) : spec(std::move(s)), data(spec.bytes()) {}
};

// Element i of data of the given type, as double and back (rounded to nearest, ties to even).
double load(Dtype dtype, std::span<const std::byte> data, int64_t i);
void store(Dtype dtype, std::span<std::byte> data, int64_t i, double value);
int64_t load_integer(Dtype dtype, std::span<const std::byte> data, int64_t i);
void store_integer(Dtype dtype, std::span<std::byte> data, int64_t i, int64_t value);

// Distance from |value| to the next representable number of the type: its rounding step there.
double ulp(Dtype dtype, double value);

}  // namespace assay
