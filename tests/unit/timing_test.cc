#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/random.h"
#include "record/timing.h"
#include "timing/flush.h"
#include "timing/peaks.h"
#include "timing/roofline.h"
#include "timing/statistics.h"
#include "timing/stopping.h"

using namespace assay;

namespace {

// A candidate `ratio` times faster, both sides slowed together now and then, each with noise of its own.
std::vector<Pair> noisy_pairs(double ratio, int count, Random& random) {
  std::vector<Pair> pairs;
  for (int i = 0; i < count; ++i) {
    double together = random.below(4) == 0 ? 1.5 : 1.0;
    auto time = [&](double ns) { return static_cast<int64_t>(ns * together * std::exp(0.05 * random.normal())); };
    pairs.push_back({.candidate_ns = time(1e7 / ratio), .baseline_ns = time(1e7)});
  }
  return pairs;
}

Peaks round_peaks() {
  Peaks p;
  p.cpu = "test";
  p.cores = 4;
  p.bandwidth_bytes_per_s = 40e9;
  p.one_core_bandwidth_bytes_per_s = 20e9;
  p.flops_per_s = 400e9;
  p.one_core_flops_per_s = 100e9;
  p.unit = "float32 test";
  p.fastest_flops_per_s = 800e9;
  p.fastest_unit = "bfloat16 test";
  return p;
}

}  // namespace

TEST_CASE("medians") {
  struct { std::vector<double> values; double expected; } rows[] = {
      {{3}, 3}, {{3, 1}, 2}, {{9, 1, 5}, 5}, {{4, 1, 3, 2}, 2.5}, {{1, 1, 1, 100}, 1},
  };
  for (const auto& row : rows) CHECK(median(row.values) == row.expected);
}

TEST_CASE("a median's interval between order statistics") {
  // Ranks from tables of the sign test: n, confidence, least rank (from 1).
  struct { int n; double confidence; double low; } rows[] = {
      {3, 0.95, 1}, {5, 0.95, 1}, {6, 0.95, 1}, {8, 0.95, 1}, {9, 0.95, 2}, {15, 0.95, 4}, {20, 0.95, 6}, {20, 0.99, 4},
  };
  for (const auto& row : rows) {
    std::vector<double> values;
    for (int i = row.n; i >= 1; --i) values.push_back(i);
    Interval i = median_interval(values, row.confidence);
    CAPTURE(row.n);
    CHECK(i.low == row.low);
    CHECK(i.high == row.n + 1 - row.low);
  }
}

TEST_CASE("the speedup's interval covers the truth as often as it says") {
  Random random(1);
  for (int count : {4, 7, 15}) {
    int covered = 0;
    for (int i = 0; i < 200; ++i) {
      Estimate e = speedup(noisy_pairs(3, count, random), 0.95);
      CHECK(e.interval.low <= e.value);
      CHECK(e.value <= e.interval.high);
      if (e.interval.low <= 3 && 3 <= e.interval.high) ++covered;
    }
    CAPTURE(count);
    CHECK(covered >= 180);  // 190 expected
  }
}

TEST_CASE("pairing removes what slows both sides") {
  Random random(2);
  Estimate e = speedup(noisy_pairs(3, 20, random), 0.95);
  CHECK(e.value == doctest::Approx(3).epsilon(0.06));
  CHECK(e.half_width() < 0.08);
}

TEST_CASE("one pair is a value without width") {
  std::vector<Pair> one = {{.candidate_ns = 100, .baseline_ns = 200}};
  Estimate e = speedup(one, 0.95);
  CHECK(e.value == doctest::Approx(2));
  CHECK(e.half_width() == doctest::Approx(0));
}

TEST_CASE("the geometric mean over workloads covers the truth") {
  Random random(5);
  int covered = 0;
  for (int i = 0; i < 100; ++i) {
    std::vector<std::vector<Pair>> workloads;
    for (double ratio : {1.0, 2.0, 4.0, 8.0, 16.0}) workloads.push_back(noisy_pairs(ratio, 7, random));
    Estimate e = geometric_mean(workloads, 0.95, random.next());
    if (e.interval.low <= 4 && 4 <= e.interval.high) ++covered;
  }
  CHECK(covered >= 90);
}

TEST_CASE("a seed repeats an estimate") {
  Random random(4);
  std::vector<std::vector<Pair>> workloads = {noisy_pairs(2, 11, random), noisy_pairs(8, 11, random)};
  Estimate a = geometric_mean(workloads, 0.95, 7), b = geometric_mean(workloads, 0.95, 7);
  CHECK(a.value == doctest::Approx(4).epsilon(0.06));
  CHECK(a.interval.low == b.interval.low);
  CHECK(a.interval.high == b.interval.high);
}

TEST_CASE("looks are few and pay for each other") {
  Stopping s;
  std::vector<int64_t> looks;
  for (int64_t n = 1; n <= s.max_pairs; ++n)
    if (s.look_at(n)) looks.push_back(n);
  CHECK(looks == std::vector<int64_t>{7, 11, 15, 20});
  CHECK(s.confidence() == doctest::Approx(0.9875));
  s.max_pairs = 5;
  CHECK(s.confidence() == doctest::Approx(0.95));
  CHECK(s.look_at(5));
}

TEST_CASE("what bounds a kernel") {
  struct { double flops, bytes, time_s; const char* bound; const char* advice; } rows[] = {
      {1e6, 40e6, 1.1e-3, "memory", "only moving fewer bytes"},
      {1e6, 40e6, 2e-3, "memory", "read every byte once"},
      {400e6, 1e3, 1.1e-3, "compute", "only fewer operations"},
      {400e6, 1e3, 2e-3, "compute", "independent multiply-adds"},
      {400e6, 1e3, 5e-3, "latency", "what one core can do"},
      {400e6, 1e3, 50e-3, "latency", "not even one core is busy"},
      {1e3, 1e3, 30e-6, "latency", "the call itself"},
  };
  for (const auto& row : rows) {
    Roofline r = roofline(row.flops, row.bytes, row.time_s, 20e-6, round_peaks());
    CAPTURE(r.advice);
    CHECK(r.bound == row.bound);
    CHECK(r.advice.find(row.advice) != std::string::npos);
  }
}

TEST_CASE("no kernel beats the floor twofold") {
  Peaks p = round_peaks();
  CHECK(roofline(1e6, 40e6, 1e-3, 0, p).floor_s == doctest::Approx(1e-3));
  CHECK(roofline(800e6, 1e3, 1e-3, 0, p).floor_s == doctest::Approx(1e-3));  // the fastest unit counts
  CHECK_FALSE(faster_than_physics(800e6, 1e3, 0.6e-3, p));
  CHECK(faster_than_physics(800e6, 1e3, 0.4e-3, p));
  CHECK(faster_than_physics(0, 40e6, 0.4e-3, p));
}

TEST_CASE("peaks survive the way through their file") {
  Peaks p = round_peaks();
  CHECK(peaks_to_json(peaks_from_json(peaks_to_json(p), "peaks.json")) == peaks_to_json(p));
  Json unknown = peaks_to_json(p);
  unknown["extra"] = 1;
  CHECK_THROWS_AS(peaks_from_json(unknown, "peaks.json"), Error);
}

TEST_CASE("a result without all workloads has no mean") {
  Timing t;
  t.failed = TimingFailure{.workload = "w", .call = 3, .detail = "wrong"};
  CHECK_FALSE(to_json(t).contains("speedup_geomean"));
  CHECK_FALSE(to_json(t).contains("speedup_ci"));
  CHECK(to_json(t)["failed"]["call"] == 3);
  CHECK(parse_json(timing_schema(), "schema")["properties"].contains("timing"));
}

TEST_CASE("flushing leaves the bytes as they are") {
  std::vector<std::byte> bytes(100'003, std::byte{7});
  flush_caches(std::span<std::byte>(bytes).subspan(5));
  flush_caches({});
  for (std::byte b : bytes) REQUIRE(b == std::byte{7});
}

TEST_CASE("every probe that the processor supports computes something finite") {
  int supported = 0;
  for (const Probe& p : probes())
    if (p.supported()) {
      CAPTURE(p.unit);
      CHECK(std::isfinite(p.run(1000)));
      ++supported;
    }
  CHECK(supported >= 1);
}

TEST_CASE("a gain on related inputs shows, noise does not") {
  // Per workload: pairs, of which every third is on new inputs; `gain` multiplies the speedup of the others.
  struct Row {
    double gain, noise;
    bool found;
  };
  for (const Row& row : {Row{1, 0.3, false}, Row{1, 0.05, false}, Row{10, 0.3, true}, Row{2, 0.1, true}}) {
    Random random(42);
    std::vector<std::vector<Pair>> workloads(5);
    for (std::vector<Pair>& pairs : workloads)
      for (int i = 0; i < 9; ++i) {
        bool is_new = i % 3 == 1;
        double ratio = 5 * (is_new ? 1 : row.gain) * std::exp(row.noise * random.normal());
        pairs.push_back({.candidate_ns = static_cast<int64_t>(1e7 / ratio), .baseline_ns = 10'000'000, .is_new = is_new});
      }
    ReplayGain gain = replay_gain(workloads, 7);
    CAPTURE(row.gain);
    CHECK((gain.factor > 1.25 && gain.probability < 0.01) == row.found);
  }
}
