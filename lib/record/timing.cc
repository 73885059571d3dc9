#include "record/timing.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "record/candidate.h"
#include "record/fields.h"

namespace assay {
namespace {

// Four significant digits: more would be noise, and a record is read by people too.
Json number(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  int digits = 3 - static_cast<int>(std::floor(std::log10(std::fabs(value))));
  double scale = std::pow(10.0, std::abs(digits));  // exact, unlike its reciprocal
  return digits >= 0 ? std::round(value * scale) / scale : std::round(value / scale) * scale;
}

Json interval(const Interval& i) { return Json::array({number(i.low), number(i.high)}); }

Json workload(const WorkloadTiming& w) {
  Json json = {
      {"name", w.name},
      {"axes", Json::object()},
      {"dtypes", Json::object()},
      {"time_us", number(w.time_us)},
      {"time_ci_us", interval(w.time_ci_us)},
      {"time_min_us", number(w.time_min_us)},
      {"baseline_time_us", number(w.baseline_time_us)},
      {"baseline_time_ci_us", interval(w.baseline_time_ci_us)},
      {"speedup", number(w.speedup)},
      {"speedup_ci", interval(w.speedup_ci)},
      {"pairs", w.pairs},
      {"unstable", w.unstable},
      {"bandwidth_bytes_per_s", number(w.bandwidth_bytes_per_s)},
      {"bandwidth_share", number(w.bandwidth_share)},
      {"flops_per_s", number(w.flops_per_s)},
      {"flops_share", number(w.flops_share)},
      {"flops_per_byte", number(w.flops_per_byte)},
      {"floor_us", number(w.floor_us)},
      {"bound", w.bound},
      {"advice", w.advice},
  };
  for (const auto& [name, value] : w.axes) json["axes"][name] = value;
  for (const auto& [name, dtype] : w.dtypes) json["dtypes"][name] = dtype;
  return json;
}

Json typed(const char* type) { return {{"type", type}}; }

Json of_at_least_0(const char* what) { return {{"type", "number"}, {"minimum", 0}, {"description", what}}; }

Json pair_of_numbers() {
  return {{"type", "array"}, {"items", typed("number")}, {"minItems", 2}, {"maxItems", 2}};
}

Json strict_object(Json properties, std::vector<std::string> optional = {}) {
  Json required = Json::array();
  for (const auto& [key, value] : properties.items())
    if (std::find(optional.begin(), optional.end(), key) == optional.end()) required.push_back(key);
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

Json map_of(const char* type) { return {{"type", "object"}, {"additionalProperties", typed(type)}}; }

Json peaks_schema() {
  return strict_object({
      {"cpu", typed("string")},
      {"cores", typed("integer")},
      {"bandwidth_bytes_per_s", of_at_least_0("streaming reads past every cache, all cores")},
      {"one_core_bandwidth_bytes_per_s", of_at_least_0("the same, one core")},
      {"flops_per_s", of_at_least_0("float32 fused multiply-adds in vector registers, all cores")},
      {"one_core_flops_per_s", of_at_least_0("the same, one core")},
      {"unit", typed("string")},
      {"fastest_flops_per_s", of_at_least_0("the fastest arithmetic unit of any type, all cores")},
      {"fastest_unit", typed("string")},
  });
}

Json workload_schema() {
  return strict_object({
      {"name", typed("string")},
      {"axes", map_of("integer")},
      {"dtypes", map_of("string")},
      {"time_us", of_at_least_0("median of the candidate's calls, call overhead included")},
      {"time_ci_us", pair_of_numbers()},
      {"time_min_us", of_at_least_0("the shortest call")},
      {"baseline_time_us", of_at_least_0("median of the baseline's calls")},
      {"baseline_time_ci_us", pair_of_numbers()},
      {"speedup", of_at_least_0("exp of the median of ln(baseline time / candidate time) over the pairs")},
      {"speedup_ci", pair_of_numbers()},
      {"pairs", typed("integer")},
      {"unstable", typed("boolean")},
      {"bandwidth_bytes_per_s", of_at_least_0("the least that must move, over time_us")},
      {"bandwidth_share", of_at_least_0("of peaks.bandwidth_bytes_per_s")},
      {"flops_per_s", of_at_least_0("declared operations over time_us")},
      {"flops_share", of_at_least_0("of peaks.flops_per_s; matrix units can pass 1")},
      {"flops_per_byte", of_at_least_0("arithmetic intensity")},
      {"floor_us", of_at_least_0("no kernel on this machine can be faster")},
      {"bound", {{"enum", {"memory", "compute", "latency"}}}},
      {"advice", typed("string")},
  });
}

Json result_schema() {
  Json failed =
      strict_object({{"workload", typed("string")}, {"call", typed("integer")}, {"detail", typed("string")}});
  Json build = strict_object(
      {{"ok", typed("boolean")}, {"time_s", typed("number")}, {"diagnostics", typed("string")}}, {"diagnostics"});
  return strict_object(
      {
          {"speedup_geomean", of_at_least_0("over all workloads; absent if one failed")},
          {"speedup_ci", pair_of_numbers()},
          {"unstable", typed("boolean")},
          {"workloads", {{"type", "array"}, {"items", workload_schema()}}},
          {"failed", failed},
          {"build", build},
          {"pairs", typed("integer")},
          {"checked_calls", typed("integer")},
          {"call_overhead_us", of_at_least_0("of a kernel that does nothing; never subtracted")},
          {"device", typed("string")},
          {"peaks", peaks_schema()},
          {"time_s", of_at_least_0("what this verdict took")},
      },
      {"speedup_geomean", "speedup_ci", "failed", "build", "call_overhead_us", "peaks"});
}

}  // namespace

Json to_json(const Timing& t) {
  Json json = Json::object();
  if (t.speedup_geomean) {
    json["speedup_geomean"] = number(*t.speedup_geomean);
    json["speedup_ci"] = interval(t.speedup_ci);
  }
  json["unstable"] = t.unstable;
  json["workloads"] = Json::array();
  for (const WorkloadTiming& w : t.workloads) json["workloads"].push_back(workload(w));
  if (t.failed)
    json["failed"] = {{"workload", t.failed->workload}, {"call", t.failed->call}, {"detail", t.failed->detail}};
  if (t.build) {
    json["build"] = {{"ok", t.build->ok}, {"time_s", number(t.build->time_s)}};
    if (!t.build->diagnostics.empty()) json["build"]["diagnostics"] = t.build->diagnostics;
  }
  json["pairs"] = t.pairs;
  json["checked_calls"] = t.checked_calls;
  if (t.call_overhead_us > 0) json["call_overhead_us"] = number(t.call_overhead_us);
  json["device"] = t.device;
  if (t.peaks.cores > 0) json["peaks"] = peaks_to_json(t.peaks);
  json["time_s"] = number(t.time_s);
  return json;
}

std::string timing_schema() { return candidate_schema("A candidate after time-kernel", "timing", result_schema()); }

Json peaks_to_json(const Peaks& p) {
  return {
      {"cpu", p.cpu},
      {"cores", p.cores},
      {"bandwidth_bytes_per_s", number(p.bandwidth_bytes_per_s)},
      {"one_core_bandwidth_bytes_per_s", number(p.one_core_bandwidth_bytes_per_s)},
      {"flops_per_s", number(p.flops_per_s)},
      {"one_core_flops_per_s", number(p.one_core_flops_per_s)},
      {"unit", p.unit},
      {"fastest_flops_per_s", number(p.fastest_flops_per_s)},
      {"fastest_unit", p.fastest_unit},
  };
}

Peaks peaks_from_json(const Json& json, const std::string& file) {
  Fields fields(json, file, "");
  Peaks p;
  p.cpu = fields.text("cpu");
  p.cores = static_cast<int>(fields.integer("cores"));
  p.bandwidth_bytes_per_s = fields.number("bandwidth_bytes_per_s");
  p.one_core_bandwidth_bytes_per_s = fields.number("one_core_bandwidth_bytes_per_s");
  p.flops_per_s = fields.number("flops_per_s");
  p.one_core_flops_per_s = fields.number("one_core_flops_per_s");
  p.unit = fields.text("unit");
  p.fastest_flops_per_s = fields.number("fastest_flops_per_s");
  p.fastest_unit = fields.text("fastest_unit");
  fields.finish();
  return p;
}

Json peaks_record(const Peaks& peaks, const std::vector<DevicePeaks>& devices) {
  Json record = {{"kind", "peaks"}, {"v", 1}};
  record.update(peaks_to_json(peaks));
  record["devices"] = Json::array();
  for (const DevicePeaks& d : devices)
    record["devices"].push_back({{"name", d.name},
                                 {"driver", d.driver},
                                 {"bandwidth_bytes_per_s", number(d.bandwidth_bytes_per_s)},
                                 {"flops_per_s", number(d.flops_per_s)}});
  return record;
}

}  // namespace assay
