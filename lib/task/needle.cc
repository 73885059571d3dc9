// Needles: a few elements that dominate the result, at random places, so that work which ordinary values would not
// miss (the far end of a long sum, one segment, one head) shows.
#include <optional>

#include "task/data.h"
#include "task/element.h"

namespace assay {
namespace {

struct Place {
  int64_t source, target;  // along the first dimensions
};

std::optional<Place> find_place(const Needle& needle, const std::vector<Tensor>& inputs, Random& random) {
  const auto index = [&](int input, int64_t i) {
    return load_integer(inputs[input].spec.dtype, inputs[input].data, i);
  };
  int64_t source_begin = 0, source_end = inputs[needle.source].spec.shape[0];
  int64_t target_begin = 0;
  int64_t target_end = inputs[needle.through >= 0 ? needle.through : needle.target].spec.shape[0];
  if (needle.source_segments >= 0) {
    int64_t segments = inputs[needle.source_segments].spec.elements() - 1;
    if (segments < 1) return {};
    int64_t b = static_cast<int64_t>(random.below(segments));
    source_begin = index(needle.source_segments, b);
    source_end = index(needle.source_segments, b + 1);
    target_begin = index(needle.target_segments, b);
    target_end = index(needle.target_segments, b + 1);
  }
  if (source_begin >= source_end || target_begin >= target_end) return {};
  Place place{source_begin + static_cast<int64_t>(random.below(source_end - source_begin)),
              target_begin + static_cast<int64_t>(random.below(target_end - target_begin))};
  if (needle.through >= 0) place.target = index(needle.through, place.target);
  return place;
}

// target's row := c * source's row, so that their dot product is drawn from the needle's range.
void align(const Needle& needle, double least, double greatest, Random& random, std::vector<Tensor>& inputs) {
  const Tensor& source = inputs[needle.source];
  Tensor& target = inputs[needle.target];
  int64_t length = source.spec.shape.back();
  if (source.spec.elements() == 0 || target.spec.elements() == 0) return;
  std::optional<Place> place = find_place(needle, inputs, random);
  if (!place) return;
  int64_t source_rows = source.spec.elements() / source.spec.shape[0] / length;
  int64_t target_rows = target.spec.elements() / target.spec.shape[0] / length;
  int64_t row = static_cast<int64_t>(random.below(source_rows));
  int64_t from = (place->source * source_rows + row) * length;
  int64_t to = (place->target * target_rows + row * target_rows / source_rows) * length;
  double square = 0;
  for (int64_t i = 0; i < length; ++i) {
    double x = load(source.spec.dtype, source.data, from + i);
    square += x * x;
  }
  if (square == 0) return;
  double factor = (least + (greatest - least) * random.uniform()) / square;
  for (int64_t i = 0; i < length; ++i)
    store(target.spec.dtype, target.data, to + i, factor * load(source.spec.dtype, source.data, from + i));
}

}  // namespace

void plant(const Needle& needle, const Names& names, Random& random, std::vector<Tensor>& inputs) {
  int64_t count = needle.count.integer(names);
  double least = needle.least.evaluate(names), greatest = needle.greatest.evaluate(names);
  Tensor& target = inputs[needle.target];
  for (int64_t i = 0; i < count; ++i) {
    if (needle.kind == Needle::align) {
      align(needle, least, greatest, random, inputs);
    } else if (target.spec.elements() > 0) {
      int64_t at = static_cast<int64_t>(random.below(target.spec.elements()));
      store(target.spec.dtype, target.data, at, least + (greatest - least) * random.uniform());
    }
  }
}

}  // namespace assay
