#include "timing/peaks.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/clock.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/fd.h"
#include "timing/flush.h"

namespace assay {
namespace {

constexpr size_t buffer_bytes = size_t{128} << 20;  // its lines are flushed, so it need not outgrow the caches
constexpr size_t huge_page = size_t{2} << 20;
constexpr int repeats = 4;                          // the best counts: noise only slows
constexpr double probe_s = 0.008;

int usable_cores() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

// Runs work(i) on `threads` threads that start together; seconds from the start to the last one's end.
double parallel_seconds(int threads, const std::function<void(int)>& work) {
  std::atomic<int> ready{0};
  std::atomic<bool> go{false};
  std::vector<std::jthread> pool;
  for (int i = 1; i < threads; ++i)
    pool.emplace_back([&, i] {
      ++ready;
      while (!go) std::this_thread::yield();
      work(i);
    });
  while (ready < threads - 1) std::this_thread::yield();
  int64_t start = now_ns();
  go = true;
  work(0);
  pool.clear();
  return static_cast<double>(now_ns() - start) / 1e9;
}

// Four streams at once: the prefetchers follow each one by itself, and one alone leaves a third of a core's rate unused.
uint64_t read_through(const std::byte* from, size_t bytes) {
  using Words = uint64_t __attribute__((vector_size(16)));
  constexpr size_t streams = 4, line_bytes = 64;
  size_t stride = bytes / streams / line_bytes * line_bytes;
  Words sums[streams] = {};
  for (size_t i = 0; i < stride; i += line_bytes)
    for (size_t s = 0; s < streams; ++s) {
      const Words* line = reinterpret_cast<const Words*>(from + s * stride + i);
      sums[s] ^= line[0] ^ line[1] ^ line[2] ^ line[3];
    }
  Words all = sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
  return all[0] ^ all[1];
}

double read_bandwidth(std::span<std::byte> buffer, int threads) {
  size_t slice = buffer.size() / static_cast<size_t>(threads) / huge_page * huge_page;
  std::atomic<uint64_t> sink{0};
  double best = 0;
  for (int r = 0; r < repeats; ++r) {
    flush_caches(buffer);
    double seconds = parallel_seconds(
        threads, [&](int i) { sink ^= read_through(buffer.data() + static_cast<size_t>(i) * slice, slice); });
    best = std::max(best, static_cast<double>(slice) * threads / seconds);
  }
  return best;
}

double arithmetic_rate(const Probe& probe, int threads) {
  int64_t rounds = 1000;
  auto seconds = [&](int count) {
    return parallel_seconds(count, [&](int) {
      volatile float sink = probe.run(rounds);
      (void)sink;
    });
  };
  while (seconds(1) < probe_s) rounds *= 2;
  double best = 0;
  for (int r = 0; r < repeats; ++r)
    best = std::max(best, probe.flops_per_round * static_cast<double>(rounds) * threads / seconds(threads));
  return best;
}

void measure_bandwidth(Peaks& peaks) {
  int most = std::min(peaks.cores, static_cast<int>(buffer_bytes / huge_page));
  std::unique_ptr<std::byte, decltype(&std::free)> memory(
      static_cast<std::byte*>(std::aligned_alloc(huge_page, buffer_bytes)), std::free);
  if (!memory) throw errno_error("allocate", "the bandwidth probe's buffer");
  ::madvise(memory.get(), buffer_bytes, MADV_HUGEPAGE);  // a wish: without it the walk of page tables is measured too
  std::memset(memory.get(), 1, buffer_bytes);
  std::span<std::byte> buffer(memory.get(), buffer_bytes);
  peaks.one_core_bandwidth_bytes_per_s = read_bandwidth(buffer, 1);
  peaks.bandwidth_bytes_per_s = std::max(read_bandwidth(buffer, most), peaks.one_core_bandwidth_bytes_per_s);
}

void measure_arithmetic(Peaks& peaks) {
  for (const Probe& probe : probes()) {
    if (!probe.supported()) continue;
    double all = arithmetic_rate(probe, peaks.cores);
    if (probe.vector_float32 && all > peaks.flops_per_s) {
      peaks.flops_per_s = all;
      peaks.unit = probe.unit;
      peaks.one_core_flops_per_s = arithmetic_rate(probe, 1);
    }
    if (all > peaks.fastest_flops_per_s) {
      peaks.fastest_flops_per_s = all;
      peaks.fastest_unit = probe.unit;
    }
  }
}

// Of the first processor in /proc/cpuinfo, the lines that say which kind it is.
std::string cpu_identity() {
  static const char* const keys[] = {"vendor_id", "cpu family", "model", "model name", "stepping", "CPU implementer",
                                     "CPU architecture", "CPU variant", "CPU part", "flags", "Features"};
  std::string info = read_file("/proc/cpuinfo"), identity;
  info.resize(std::min(info.find("\n\n"), info.size()));
  for (size_t at = 0; at < info.size();) {
    size_t end = std::min(info.find('\n', at), info.size());
    std::string line = info.substr(at, end - at);
    std::string key = line.substr(0, line.find_first_of("\t:"));
    if (std::find(std::begin(keys), std::end(keys), key) != std::end(keys)) identity += line + "\n";
    at = end + 1;
  }
  return identity;
}

std::string cpu_name() {
  std::string identity = cpu_identity(), name = "unknown processor";
  for (std::string key : {"CPU part", "model name"})
    if (size_t at = identity.find(key + "\t"); at != std::string::npos) {
      size_t colon = identity.find(": ", at) + 2;
      name = identity.substr(colon, identity.find('\n', colon) - colon);
      if (key == "CPU part") name = "Arm processor, part " + name;
    }
  return name;
}

std::string cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/') return std::string(cache) + "/assay";
  if (const char* home = std::getenv("HOME"); home && *home == '/') return std::string(home) + "/.cache/assay";
  return "";
}

std::string cache_path() {
  std::string folder = cache_folder();
  if (folder.empty()) return "";
  std::string key = sha256(cpu_identity() + "cores " + std::to_string(usable_cores()) + "\nprobes 1\n");
  return folder + "/peaks-" + key.substr(0, 16) + ".json";
}

void keep(const Peaks& peaks) {
  std::string path = cache_path();
  if (path.empty()) return;
  for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    ::mkdir(path.substr(0, slash).c_str(), 0755);
  try {
    replace_file(path, to_line(peaks_to_json(peaks)));
  } catch (const Error&) {
    // Measured again next time: slower, and as right.
  }
}

bool plausible(const Peaks& p) {
  return p.cores == usable_cores() && p.bandwidth_bytes_per_s >= p.one_core_bandwidth_bytes_per_s &&
         p.one_core_bandwidth_bytes_per_s > 0 && p.fastest_flops_per_s >= p.flops_per_s && p.one_core_flops_per_s > 0 &&
         p.flops_per_s > 0;
}

}  // namespace

Peaks measure_peaks() {
  Peaks peaks;
  peaks.cpu = cpu_name();
  peaks.cores = usable_cores();
  measure_bandwidth(peaks);
  measure_arithmetic(peaks);
  peaks.flops_per_s = std::max(peaks.flops_per_s, peaks.one_core_flops_per_s);
  peaks.fastest_flops_per_s = std::max(peaks.fastest_flops_per_s, peaks.flops_per_s);
  return peaks;
}

Peaks cached_peaks() {
  std::string path = cache_path();
  if (!path.empty()) {
    try {
      Peaks peaks = peaks_from_json(load_json(path), path);
      if (plausible(peaks)) return peaks;
    } catch (const Error&) {
      // Absent, or not ours: measured below and written anew.
    }
  }
  Peaks peaks = measure_peaks();
  keep(peaks);
  return peaks;
}

Peaks improve_peaks(const Peaks& old) {
  Peaks peaks = measure_peaks();
  auto better = [](double& now, double before) { now = std::max(now, before); };
  better(peaks.bandwidth_bytes_per_s, old.bandwidth_bytes_per_s);
  better(peaks.one_core_bandwidth_bytes_per_s, old.one_core_bandwidth_bytes_per_s);
  better(peaks.flops_per_s, old.flops_per_s);
  better(peaks.one_core_flops_per_s, old.one_core_flops_per_s);
  better(peaks.fastest_flops_per_s, old.fastest_flops_per_s);
  keep(peaks);
  return peaks;
}

}  // namespace assay
