// Filling inputs. Values must be quick to make (a verdict fills tens of megabytes dozens of times), not perfect:
// a normal value is a random point of a piecewise linear quantile function, 4096 equally likely pieces between -4 and
// 4 standard deviations. Its moments are within half a per cent of the normal distribution's; its tails end at 4.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "task/data.h"
#include "task/element.h"

namespace assay {
namespace {

constexpr int pieces = 4096;

struct Piece {
  float base;
  float slope;  // per 2^-20 of the piece
};

std::array<Piece, pieces> quantile_pieces() {
  std::array<double, pieces + 1> quantile;
  double x = -4;
  quantile[0] = -4;
  for (int i = 1; i < pieces / 2; ++i) {
    double p = static_cast<double>(i) / pieces;
    for (int step = 0; step < 20; ++step) {  // Newton; the distribution function is convex here, so it converges
      double error = 0.5 * std::erfc(-x / std::numbers::sqrt2) - p;
      x -= error / (std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi));
      if (std::fabs(error) < 1e-12) break;
    }
    quantile[i] = x;
  }
  quantile[pieces / 2] = 0;
  for (int i = 0; i < pieces / 2; ++i) quantile[pieces - i] = -quantile[i];
  std::array<Piece, pieces> table;
  for (int i = 0; i < pieces; ++i)
    table[i] = {static_cast<float>(quantile[i]), static_cast<float>((quantile[i + 1] - quantile[i]) * 0x1p-20)};
  return table;
}

template <typename T>
void fill_normal(std::span<T> out, float mean, float std, Random& random) {
  static const std::array<Piece, pieces> table = quantile_pieces();
  const auto value = [&](uint32_t bits) {
    const Piece& piece = table[bits >> 20];
    float z = piece.base + piece.slope * static_cast<float>(static_cast<int32_t>(bits & 0xfffff));
    return from_float<T>(mean + std * z);
  };
  size_t i = 0;
  for (; i + 2 <= out.size(); i += 2) {
    uint64_t bits = random.next();
    out[i] = value(static_cast<uint32_t>(bits >> 32));
    out[i + 1] = value(static_cast<uint32_t>(bits));
  }
  if (i < out.size()) out[i] = value(static_cast<uint32_t>(random.next() >> 32));
}

template <typename T>
void fill_uniform(std::span<T> out, double low, double high, Random& random) {
  for (T& element : out) {
    double value = low + (high - low) * random.uniform();
    if constexpr (std::is_floating_point_v<T>) element = static_cast<T>(value);
    else if constexpr (is_floating_element<T>) element = from_float<T>(static_cast<float>(value));
    else element = static_cast<T>(std::floor(value));
  }
}

// Offsets 0 <= ... <= total of segments, each at least `least` long.
template <typename T>
void fill_indptr(std::span<T> out, int64_t total, int64_t least, bool even, Random& random) {
  int64_t segments = static_cast<int64_t>(out.size()) - 1;
  int64_t spare = total - least * segments;
  std::vector<int64_t> cuts(out.size(), 0);
  cuts.back() = spare;
  for (int64_t i = 1; i < segments; ++i)
    cuts[i] = even ? total * i / segments - least * i : static_cast<int64_t>(random.below(spare + 1));
  if (!even) std::sort(cuts.begin(), cuts.end());
  for (int64_t i = 0; i <= segments; ++i) out[i] = static_cast<T>(cuts[i] + least * i);
}

// The first elements of a random permutation of [0, below).
template <typename T>
void fill_distinct(std::span<T> out, int64_t below, Random& random) {
  std::vector<int64_t> all(below);
  std::iota(all.begin(), all.end(), 0);
  for (size_t i = 0; i < out.size(); ++i) {
    std::swap(all[i], all[i + random.below(below - i)]);
    out[i] = static_cast<T>(all[i]);
  }
}

}  // namespace

void fill_input(const TensorDef& def, const Generator& g, const Names& names, Random& random, Tensor& tensor) {
  const auto refuse = [&](const std::string& why) { return Error("fill", "input " + def.name, why); };
  int64_t count = tensor.spec.elements();
  visit_dtype(tensor.spec.dtype, [&]<typename T>() {
    std::span<T> out = elements<T>(std::span<std::byte>(tensor.data));
    switch (g.kind) {
      case Generator::normal:
        if constexpr (is_floating_element<T>)
          fill_normal(out, static_cast<float>(g.mean->evaluate(names)), static_cast<float>(g.std->evaluate(names)),
                      random);
        return;
      case Generator::uniform:
        fill_uniform(out, g.low->evaluate(names), g.high->evaluate(names), random);
        return;
      case Generator::value:
        for (int64_t i = 0; i < count; ++i) store(tensor.spec.dtype, tensor.data, i, g.constant->evaluate(names));
        return;
      case Generator::indptr: {
        int64_t total = g.total->integer(names), least = g.least->integer(names);
        if (count < 1 || least < 0 || total < least * (count - 1) || (count == 1 && total != 0))
          throw refuse(std::to_string(total) + " can't be split into " + std::to_string(count - 1) +
                       " segments of at least " + std::to_string(least));
        if constexpr (std::is_integral_v<T>) fill_indptr(out, total, least, g.even, random);
        return;
      }
      case Generator::distinct: {
        int64_t below = g.below->integer(names);
        if (below < count)
          throw refuse("there are no " + std::to_string(count) + " distinct numbers below " + std::to_string(below));
        if constexpr (std::is_integral_v<T>) fill_distinct(out, below, random);
        return;
      }
    }
  });
}

}  // namespace assay
