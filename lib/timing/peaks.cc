#include "timing/peaks.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/fd.h"
#include "timing/flush.h"

namespace assay {
namespace {

// Many short tries of which the best counts: neighbours on the machine only slow, and leave a millisecond alone now
// and then. One core's rates are over the thread's own processor time, which a neighbour's turn is not part of; the
// rates of all cores together need all of them at once, on the clock of the wall.
constexpr size_t buffer_bytes = size_t{32} << 20;  // its lines are flushed, so it need not outgrow the caches
constexpr size_t huge_page = size_t{2} << 20;
constexpr int repeats = 20;
constexpr double probe_s = 0.002;

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

// Four streams at once: the prefetchers follow each one by itself, and one alone leaves a third of a core's rate.
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

double thread_seconds() {
  timespec t;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

// The best of many rates of `amount` a call, on one core.
double one_core_rate(double amount, const std::function<void()>& prepare, const std::function<void()>& work) {
  double best = 0;
  for (int r = 0; r < repeats; ++r) {
    prepare();
    double start = thread_seconds();
    work();
    best = std::max(best, amount / (thread_seconds() - start));
  }
  return best;
}

// Likewise of `amount` a thread, on many.
double all_cores_rate(double amount, int threads, const std::function<void()>& prepare,
                      const std::function<void(int)>& work) {
  double best = 0;
  for (int r = 0; r < repeats; ++r) {
    prepare();
    best = std::max(best, amount * threads / parallel_seconds(threads, work));
  }
  return best;
}

void measure_bandwidth(Peaks& peaks) {
  std::unique_ptr<std::byte, decltype(&std::free)> memory(
      static_cast<std::byte*>(std::aligned_alloc(huge_page, buffer_bytes)), std::free);
  if (!memory) throw errno_error("allocate", "the bandwidth probe's buffer");
  ::madvise(memory.get(), buffer_bytes, MADV_HUGEPAGE);  // a wish: without it the walk of page tables is measured too
  std::memset(memory.get(), 1, buffer_bytes);
  std::span<std::byte> buffer(memory.get(), buffer_bytes);
  size_t slice = buffer_bytes / static_cast<size_t>(peaks.cores) / 4096 * 4096;
  std::atomic<uint64_t> sink{0};
  auto flush = [&] { flush_caches(buffer); };
  auto read = [&](int i) { sink ^= read_through(buffer.data() + static_cast<size_t>(i) * slice, slice); };
  peaks.one_core_bandwidth_bytes_per_s = one_core_rate(static_cast<double>(slice), flush, [&] { read(0); });
  peaks.bandwidth_bytes_per_s = std::max(all_cores_rate(static_cast<double>(slice), peaks.cores, flush, read),
                                         peaks.one_core_bandwidth_bytes_per_s);
}

struct Rate {
  const Probe* probe = nullptr;
  int64_t rounds = 0;
  double one_core = 0;
};

void run_probe(const Probe& probe, int64_t rounds) {
  volatile float sink = probe.run(rounds);
  (void)sink;
}

Rate one_core_arithmetic(const Probe& probe) {
  Rate rate{&probe, 1000, 0};
  for (double start = thread_seconds(); run_probe(probe, rate.rounds), thread_seconds() - start < probe_s;
       start = thread_seconds())
    rate.rounds *= 2;
  rate.one_core = one_core_rate(probe.flops_per_round * static_cast<double>(rate.rounds), [] {},
                                [&] { run_probe(probe, rate.rounds); });
  return rate;
}

double all_cores_arithmetic(const Rate& rate, int cores) {
  double amount = rate.probe->flops_per_round * static_cast<double>(rate.rounds);
  return std::max(rate.one_core,
                  all_cores_rate(amount, cores, [] {}, [&](int) { run_probe(*rate.probe, rate.rounds); }));
}

void measure_arithmetic(Peaks& peaks) {
  Rate vector, fastest;
  for (const Probe& probe : probes()) {
    if (!probe.supported()) continue;
    Rate rate = one_core_arithmetic(probe);
    if (probe.vector_float32 && rate.one_core > vector.one_core) vector = rate;
    if (rate.one_core > fastest.one_core) fastest = rate;
  }
  peaks.unit = vector.probe->unit;
  peaks.one_core_flops_per_s = vector.one_core;
  peaks.flops_per_s = all_cores_arithmetic(vector, peaks.cores);
  peaks.fastest_unit = fastest.probe->unit;
  peaks.fastest_flops_per_s = std::max(all_cores_arithmetic(fastest, peaks.cores), peaks.flops_per_s);
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
  std::string key = sha256(cpu_identity() + "cores " + std::to_string(usable_cores()) + "\nprobes 2\n");
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
         p.flops_per_s >= p.one_core_flops_per_s;
}

// All cores together do at least what half of them could alone: two threads may share one core's unit, not more. Less
// means that neighbours had the cores.
bool disturbed(const Peaks& p) {
  return p.flops_per_s < 0.45 * p.cores * p.one_core_flops_per_s ||
         p.fastest_flops_per_s < 0.9 * p.flops_per_s;
}

std::optional<Peaks> read_cache() {
  std::string path = cache_path();
  if (path.empty() || ::access(path.c_str(), R_OK) != 0) return std::nullopt;
  try {
    Peaks peaks = peaks_from_json(load_json(path), path);
    if (plausible(peaks)) return peaks;
  } catch (const Error&) {
    // Not ours, or of another version: measured and written anew.
  }
  return std::nullopt;
}

}  // namespace

Peaks measure_peaks() {
  Peaks peaks;
  peaks.cpu = cpu_name();
  peaks.cores = usable_cores();
  measure_bandwidth(peaks);
  measure_arithmetic(peaks);
  return peaks;
}

Peaks cached_peaks() {
  std::optional<Peaks> cached = read_cache();
  if (cached && !disturbed(*cached)) return *cached;
  if (cached) return improve_peaks(*cached);
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
