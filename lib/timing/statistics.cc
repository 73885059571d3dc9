#include "timing/statistics.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace assay {
namespace {

constexpr int resamples = 4000;

std::vector<double> log_ratios(std::span<const Pair> pairs) {
  std::vector<double> logs;
  logs.reserve(pairs.size());
  for (const Pair& p : pairs)
    logs.push_back(std::log(static_cast<double>(p.baseline_ns)) - std::log(static_cast<double>(p.candidate_ns)));
  return logs;
}

// Reorders values.
double median_in_place(std::vector<double>& values) {
  size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(middle), values.end());
  double upper = values[middle];
  if (values.size() % 2) return upper;
  return (upper + *std::max_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(middle))) / 2;
}

double resampled_median(const std::vector<double>& values, std::vector<double>& scratch, Random& random) {
  scratch.resize(values.size());
  for (double& v : scratch) v = values[random.below(values.size())];
  return median_in_place(scratch);
}

Interval percentile_interval(std::vector<double>& values, double confidence) {
  std::sort(values.begin(), values.end());
  double tail = (1 - confidence) / 2 * static_cast<double>(values.size());
  size_t cut = std::min(static_cast<size_t>(tail), (values.size() - 1) / 2);
  return {values[cut], values[values.size() - 1 - cut]};
}

// Student's t, two-sided 95 %, for 1 to 4 degrees of freedom.
constexpr double student_95[] = {12.706, 4.303, 3.182, 2.776};

double student_half_width(const std::vector<double>& values) {
  double n = static_cast<double>(values.size()), mean = 0, squares = 0;
  for (double v : values) mean += v / n;
  for (double v : values) squares += (v - mean) * (v - mean);
  return student_95[values.size() - 2] * std::sqrt(squares / (n - 1) / n);
}

}  // namespace

double median(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  return median_in_place(copy);
}

Interval median_interval(std::span<const double> values, double confidence) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  size_t n = sorted.size();
  // The median lies below the k-th least value with probability P(Binomial(n, 1/2) < k).
  double term = std::pow(0.5, static_cast<double>(n)), below = term;
  size_t k = 0;
  while (k + 1 <= n / 2 && below <= (1 - confidence) / 2) {
    ++k;
    term *= static_cast<double>(n - k + 1) / static_cast<double>(k);
    below += term;
  }
  size_t from = k == 0 ? 0 : k - 1;
  return {sorted[from], sorted[n - 1 - from]};
}

double Estimate::half_width() const { return std::sqrt(interval.high / interval.low) - 1; }

Estimate speedup(std::span<const Pair> pairs, double confidence) {
  std::vector<double> logs = log_ratios(pairs);
  double middle = median(logs);
  Interval interval = median_interval(logs, confidence);
  if (logs.size() >= 2 && logs.size() < 6) {
    double half = student_half_width(logs);
    interval = {std::min(interval.low, middle - half), std::max(interval.high, middle + half)};
  }
  return {std::exp(middle), {std::exp(interval.low), std::exp(interval.high)}};
}

namespace {

// The mean over workloads of median(related) - median(new), of the logarithms of baseline over candidate.
double mean_gain(const std::vector<std::vector<double>>& logs, const std::vector<std::vector<char>>& is_new) {
  double sum = 0, count = 0;
  std::vector<double> sides[2];
  for (size_t w = 0; w < logs.size(); ++w) {
    sides[0].clear();
    sides[1].clear();
    for (size_t i = 0; i < logs[w].size(); ++i) sides[is_new[w][i] ? 1 : 0].push_back(logs[w][i]);
    if (sides[0].empty() || sides[1].empty()) continue;
    sum += median_in_place(sides[0]) - median_in_place(sides[1]);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

ReplayGain replay_gain(const std::vector<std::vector<Pair>>& workloads, uint64_t seed) {
  std::vector<std::vector<double>> logs;
  std::vector<std::vector<char>> is_new;
  for (const std::vector<Pair>& pairs : workloads) {
    logs.push_back(log_ratios(pairs));
    is_new.emplace_back();
    for (const Pair& p : pairs) is_new.back().push_back(p.is_new);
  }
  double gain = mean_gain(logs, is_new);
  Random random(seed);
  int as_much = 1;
  for (int i = 0; i < resamples; ++i) {
    for (std::vector<char>& labels : is_new)
      for (size_t k = labels.size(); k > 1; --k) std::swap(labels[k - 1], labels[random.below(k)]);
    as_much += mean_gain(logs, is_new) >= gain;
  }
  return {std::exp(gain), static_cast<double>(as_much) / (resamples + 1)};
}

Estimate geometric_mean(const std::vector<std::vector<Pair>>& workloads, double confidence, uint64_t seed) {
  std::vector<std::vector<double>> logs;
  double sum = 0;
  for (const std::vector<Pair>& pairs : workloads) {
    logs.push_back(log_ratios(pairs));
    sum += median(logs.back());
  }
  double count = static_cast<double>(workloads.size());
  std::vector<double> means, scratch;
  Random random(seed);
  for (int i = 0; i < resamples; ++i) {
    double total = 0;
    for (const std::vector<double>& one : logs) total += resampled_median(one, scratch, random);
    means.push_back(total / count);
  }
  Interval interval = percentile_interval(means, confidence);
  return {std::exp(sum / count), {std::exp(interval.low), std::exp(interval.high)}};
}

}  // namespace assay
