#include "timing/stopping.h"

namespace assay {
namespace {

constexpr int64_t looks[] = {7, 11, 15, 20, 30, 60, 120, 200};

}  // namespace

bool Stopping::look_at(int64_t pairs) const {
  if (pairs == max_pairs) return true;
  for (int64_t look : looks)
    if (look == pairs) return pairs < max_pairs;
  return false;
}

double Stopping::confidence() const {
  int count = 1;  // the last one, at max_pairs
  for (int64_t look : looks)
    if (look < max_pairs) ++count;
  return 1 - 0.05 / count;
}

}  // namespace assay
