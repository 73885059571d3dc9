// How far from the truth are two ways to compare two kernels on a machine with neighbours? The kernels: the same loop,
// one of them with 10 % more rounds. The neighbour: a thread that comes and goes. Unpaired: all calls of one, then all
// of the other, and the ratio of medians (a plain loop; hyperfine's order). Paired: ABBA, and the median of the ratios.
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>

#include "base/clock.h"
#include "base/random.h"
#include "timing/statistics.h"

using namespace assay;

namespace {

constexpr int trials = 20, pairs_a_trial = 20;
constexpr double truth = 1.1;

std::vector<float> memory(4 << 20, 1.0f);  // larger than the inner caches, so that neighbours are felt

int64_t time_of(double rounds) {
  int64_t start = now_ns();
  size_t count = static_cast<size_t>(rounds * 1e6) * 4;
  float sum[4] = {};
  for (size_t i = 0; i < count; i += 4)
    for (size_t l = 0; l < 4; ++l) sum[l] += memory[(i + l) % memory.size()];
  volatile float sink = sum[0] + sum[1] + sum[2] + sum[3];
  (void)sink;
  return now_ns() - start;
}

double unpaired() {
  std::vector<double> a, b;
  for (int i = 0; i < pairs_a_trial; ++i) a.push_back(static_cast<double>(time_of(1)));
  for (int i = 0; i < pairs_a_trial; ++i) b.push_back(static_cast<double>(time_of(truth)));
  return median(b) / median(a);
}

double paired(Random& random, int& covered) {
  std::vector<Pair> pairs;
  bool first = false;
  for (int i = 0; i < pairs_a_trial; ++i) {
    first = i % 2 ? !first : random.below(2);
    Pair p;
    if (first) p.candidate_ns = time_of(1);
    p.baseline_ns = time_of(truth);
    if (!first) p.candidate_ns = time_of(1);
    pairs.push_back(p);
  }
  Estimate e = speedup(pairs, 0.95);
  if (e.interval.low <= truth && truth <= e.interval.high) ++covered;
  return e.value;
}

}  // namespace

int main() {
  std::atomic<bool> stop{false};
  std::jthread neighbours[2];
  for (std::jthread& n : neighbours)
    n = std::jthread([&stop, seed = unpredictable_seed()] {
      Random random(seed);
      std::vector<float> own(8 << 20, 1.0f);
      while (!stop) {
        int64_t until = now_ns() + static_cast<int64_t>(random.below(80'000'000));
        while (!stop && now_ns() < until)
          for (float& f : own) f += 1;
        std::this_thread::sleep_for(std::chrono::milliseconds(random.below(160)));
      }
    });
  Random random(1);
  double paired_square = 0, unpaired_square = 0;
  int covered = 0;
  for (int t = 0; t < trials; ++t) {
    double p = std::log(paired(random, covered) / truth), u = std::log(unpaired() / truth);
    paired_square += p * p / trials;
    unpaired_square += u * u / trials;
  }
  stop = true;
  std::printf("error of the ratio, root mean square over %d trials of %d calls a side, with two neighbours:\n", trials,
              pairs_a_trial);
  std::printf("  one after the other  %5.2f %%\n", 100 * std::sqrt(unpaired_square));
  std::printf("  paired (Assay)       %5.2f %%   %.1f times less; its 95 %% interval held the truth %d times\n",
              100 * std::sqrt(paired_square), std::sqrt(unpaired_square / paired_square), covered);
}
