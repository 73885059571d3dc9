// Elements as C++ types, so that loops over a tensor are typed instead of asking for the dtype at every element.
//
//   visit_dtype(spec.dtype, [&]<typename T>() { fill(elements<T>(tensor.data)); });
//
// bfloat16 and float16 are kept as bits; to_float and from_float are exact and rounded (to nearest, ties to even).
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "base/error.h"
#include "task/tensor.h"

namespace assay {

struct Bfloat16 {
  uint16_t bits;
};
struct Float16 {
  uint16_t bits;
};

inline float to_float(Bfloat16 x) { return std::bit_cast<float>(static_cast<uint32_t>(x.bits) << 16); }
float to_float(Float16 x);
inline float to_float(float x) { return x; }

template <typename T>
T from_float(float x);
template <>
inline float from_float<float>(float x) {
  return x;
}
template <>
inline double from_float<double>(float x) {
  return x;
}
template <>
inline Bfloat16 from_float<Bfloat16>(float x) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  if (x != x) return {static_cast<uint16_t>((bits >> 16) | 0x40)};  // a NaN stays one
  return {static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16)};
}
template <>
Float16 from_float<Float16>(float x);

template <typename T>
inline constexpr bool is_floating_element =
    std::is_floating_point_v<T> || std::is_same_v<T, Bfloat16> || std::is_same_v<T, Float16>;

// std::vector's storage is aligned for every element type here.
template <typename T>
std::span<T> elements(std::span<std::byte> data) {
  return {reinterpret_cast<T*>(data.data()), data.size() / sizeof(T)};
}
template <typename T>
std::span<const T> elements(std::span<const std::byte> data) {
  return {reinterpret_cast<const T*>(data.data()), data.size() / sizeof(T)};
}

// Calls f.template operator()<T>() with the element's type; bool is a byte.
template <typename F>
decltype(auto) visit_dtype(Dtype dtype, F&& f) {
  switch (dtype) {
    case Dtype::float64: return f.template operator()<double>();
    case Dtype::float32: return f.template operator()<float>();
    case Dtype::float16: return f.template operator()<Float16>();
    case Dtype::bfloat16: return f.template operator()<Bfloat16>();
    case Dtype::int64: return f.template operator()<int64_t>();
    case Dtype::int32: return f.template operator()<int32_t>();
    case Dtype::int8: return f.template operator()<int8_t>();
    case Dtype::uint8:
    case Dtype::boolean: return f.template operator()<uint8_t>();
  }
  throw Error("read", "dtype", "is none of the known ones");
}

}  // namespace assay
