#include "model/retry.h"

#include <algorithm>
#include <cmath>

namespace assay {

std::optional<double> wait_before_retry(const Failure& failure, int attempt, int retries, double left_s,
                                        Random& random) {
  if (!failure.retry || attempt > retries) return std::nullopt;
  double chance = random.uniform();
  double wait_s = std::min(60.0, std::exp2(attempt - 1)) * (0.5 + 0.5 * chance);
  if (failure.reason == Reason::rate_limited || failure.reason == Reason::quota) wait_s = 60.0 * (1.0 + 0.5 * chance);
  if (failure.asked_wait_s >= 0) wait_s = failure.asked_wait_s;
  if (wait_s >= left_s) return std::nullopt;
  return wait_s;
}

}  // namespace assay
