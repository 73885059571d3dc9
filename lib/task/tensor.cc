#include "task/tensor.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "task/element.h"

namespace assay {
namespace {

struct DtypeRow {
  Dtype dtype;
  const char* name;
  size_t bytes;
  // Of floating types: bits of the significand with the hidden one, the least normal exponent, the largest number.
  int precision;
  int least_exponent;
  double largest;
};

constexpr DtypeRow dtypes[] = {
    {Dtype::float64, "float64", 8, 53, -1022, std::numeric_limits<double>::max()},
    {Dtype::float32, "float32", 4, 24, -126, std::numeric_limits<float>::max()},
    {Dtype::float16, "float16", 2, 11, -14, 65504.0},
    {Dtype::bfloat16, "bfloat16", 2, 8, -126, 0x1.fep127},
    {Dtype::int64, "int64", 8, 0, 0, 0},
    {Dtype::int32, "int32", 4, 0, 0, 0},
    {Dtype::int8, "int8", 1, 0, 0, 0},
    {Dtype::uint8, "uint8", 1, 0, 0, 0},
    {Dtype::boolean, "bool", 1, 0, 0, 0},
};

const DtypeRow& row(Dtype dtype) { return dtypes[static_cast<int>(dtype)]; }

// The spacing of the type's numbers around value.
double spacing(const DtypeRow& type, double value) {
  int exponent = static_cast<int>((std::bit_cast<uint64_t>(value) >> 52) & 0x7ff) - 1023;
  if (exponent < type.least_exponent) exponent = type.least_exponent;
  int last_bit = exponent - (type.precision - 1);
  if (last_bit < -1022) return std::ldexp(1.0, last_bit);
  return std::bit_cast<double>(static_cast<uint64_t>(last_bit + 1023) << 52);
}

// value rounded once to a narrower type; the result is exact in float as well for the 16-bit types.
double rounded(const DtypeRow& type, double value) {
  if (!std::isfinite(value) || value == 0) return value;
  double step = spacing(type, value);
  double result = std::nearbyint(value / step) * step;  // both exact: step is a power of two
  return std::fabs(result) > type.largest ? std::copysign(std::numeric_limits<double>::infinity(), value) : result;
}

template <typename T>
double to_double(T x) {
  if constexpr (std::is_same_v<T, Bfloat16> || std::is_same_v<T, Float16>) return to_float(x);
  else return static_cast<double>(x);
}

template <typename T>
T get(std::span<const std::byte> data, int64_t i) {
  T x;
  std::memcpy(&x, data.data() + i * sizeof(T), sizeof x);
  return x;
}

template <typename T>
void put(std::span<std::byte> data, int64_t i, T x) {
  std::memcpy(data.data() + i * sizeof(T), &x, sizeof x);
}

}  // namespace

Dtype parse_dtype(const std::string& name) {
  std::string known;
  for (const DtypeRow& type : dtypes) {
    if (name == type.name) return type.dtype;
    known += (known.empty() ? "" : ", ") + std::string(type.name);
  }
  throw Error("read", "dtype \"" + name + "\"", "is unknown (known: " + known + ")");
}

const char* dtype_name(Dtype dtype) { return row(dtype).name; }
size_t dtype_bytes(Dtype dtype) { return row(dtype).bytes; }
bool is_floating(Dtype dtype) { return row(dtype).precision > 0; }

int64_t TensorSpec::elements() const {
  int64_t count = 1;
  for (int64_t length : shape) count *= length;
  return count;
}

size_t TensorSpec::bytes() const { return static_cast<size_t>(elements()) * dtype_bytes(dtype); }

// IEEE 754 binary16, by hand: g++ 12 has _Float16 on some machines only.
float to_float(Float16 x) {
  int exponent = (x.bits >> 10) & 31;
  int fraction = x.bits & 1023;
  float magnitude;
  if (exponent == 31) magnitude = fraction ? std::numeric_limits<float>::quiet_NaN() : HUGE_VALF;
  else if (exponent == 0) magnitude = std::ldexp(static_cast<float>(fraction), -24);
  else magnitude = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  return x.bits & 0x8000 ? -magnitude : magnitude;
}

template <>
Float16 from_float<Float16>(float x) {
  uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x)) return {static_cast<uint16_t>(sign | 0x7e00)};
  double y = std::fabs(rounded(row(Dtype::float16), x));
  if (std::isinf(y)) return {static_cast<uint16_t>(sign | 0x7c00)};
  if (y < 0x1p-14) return {static_cast<uint16_t>(sign | static_cast<int>(y * 0x1p24))};
  int exponent = std::ilogb(y);
  int fraction = static_cast<int>(std::ldexp(y, 10 - exponent)) - 1024;
  return {static_cast<uint16_t>(sign | ((exponent + 15) << 10) | fraction)};
}

double load(Dtype dtype, std::span<const std::byte> data, int64_t i) {
  return visit_dtype(dtype, [&]<typename T>() { return to_double(get<T>(data, i)); });
}

void store(Dtype dtype, std::span<std::byte> data, int64_t i, double value) {
  visit_dtype(dtype, [&]<typename T>() {
    if constexpr (std::is_same_v<T, Bfloat16> || std::is_same_v<T, Float16>)
      put(data, i, from_float<T>(static_cast<float>(rounded(row(dtype), value))));
    else if constexpr (std::is_floating_point_v<T>)
      put(data, i, static_cast<T>(value));
    else
      put(data, i, static_cast<T>(std::llrint(value)));
  });
}

int64_t load_integer(Dtype dtype, std::span<const std::byte> data, int64_t i) {
  return visit_dtype(dtype, [&]<typename T>() -> int64_t {
    if constexpr (std::is_integral_v<T>) return get<T>(data, i);
    else return std::llrint(to_double(get<T>(data, i)));
  });
}

void store_integer(Dtype dtype, std::span<std::byte> data, int64_t i, int64_t value) {
  visit_dtype(dtype, [&]<typename T>() {
    if constexpr (std::is_integral_v<T>) put(data, i, static_cast<T>(value));
    else store(dtype, data, i, static_cast<double>(value));
  });
}

double ulp(Dtype dtype, double value) {
  const DtypeRow& type = row(dtype);
  return type.precision ? spacing(type, value) : 1.0;
}

}  // namespace assay
