// When to ask again: how long to wait, or that there is no point.
#pragma once

#include <optional>

#include "base/random.h"
#include "model/failure.h"

namespace assay {

// Seconds to wait after the attempt numbered `attempt` (from 1) failed; nothing: give up. Give up when the failure is
// final, after `retries` retries, and when the wait would outlast `left_s`: nothing is gained by sleeping into a
// deadline.
//
// A server's Retry-After is obeyed as it is. Rate limits without one wait a minute and more, since that is how long
// providers' windows last; everything else waits 1 s, 2 s, 4 s … up to a minute. Both are spread by chance, so that
// many clients do not come back at once.
std::optional<double> wait_before_retry(const Failure& failure, int attempt, int retries, double left_s,
                                        Random& random);

}  // namespace assay
