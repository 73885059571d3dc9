#include "record/run.h"

#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "record/fields.h"

namespace assay {
namespace {

constexpr std::array<const char*, 8> ended_by_names = {"exit",   "signal",    "wall",   "cpu",
                                                         "memory", "processes", "output", "sandbox"};
constexpr char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string to_base64(const std::string& bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    size_t n = std::min<size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (size_t j = 0; j < 3; ++j) group = group << 8 | (j < n ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (size_t j = 0; j < 4; ++j) text += j <= n ? base64_digits[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

std::string from_base64(const std::string& text, const std::string& where) {
  std::string bytes;
  unsigned group = 0;
  int bits = 0;
  for (char c : text) {
    if (c == '=') break;
    size_t digit = std::string_view(base64_digits).find(c);
    if (digit == std::string_view::npos) throw Error("read", where, "holds invalid base64");
    group = (group << 6 | static_cast<unsigned>(digit)) & 0xffffff;
    bits += 6;
    if (bits >= 8) bytes += static_cast<char>(group >> (bits -= 8) & 0xff);
  }
  return bytes;
}

bool valid_utf8(const std::string& bytes) {
  try {
    Json(bytes).dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

// The text as it is, or, when it is not UTF-8, a lossy text beside the exact bytes.
void add_captured(Json& record, const std::string& stream, const Captured& captured) {
  record[stream] = captured.bytes;  // to_line replaces what is invalid
  if (!valid_utf8(captured.bytes)) record[stream + "_base64"] = to_base64(captured.bytes);
  record[stream + "_truncated"] = captured.truncated;
}

std::optional<Captured> read_captured(Fields& fields, const std::string& stream) {
  const Json* exact = fields.find(stream + "_base64");
  bool truncated = fields.flag(stream + "_truncated", false);
  if (!fields.find(stream)) return std::nullopt;
  std::string bytes = fields.text(stream);
  if (exact) bytes = from_base64(fields.text(stream + "_base64"), fields.file());
  return Captured{bytes, truncated};
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::optional<int> read_or_null(Fields& fields, const std::string& key) {
  if (fields.at(key).is_null()) return std::nullopt;
  return static_cast<int>(fields.integer(key));
}

}  // namespace

const char* name(EndedBy ended_by) { return ended_by_names[static_cast<size_t>(ended_by)]; }

Json to_json(const Run& run) {
  Json record = {{"kind", "run"},
                 {"v", 1},
                 {"argv", run.argv},
                 {"policy", run.policy},
                 {"policy_sha256", run.policy_sha256},
                 {"ended_by", name(run.ended_by)},
                 {"exit_code", or_null(run.exit_code)},
                 {"signal", or_null(run.signal)},
                 {"wall_time_s", run.wall_time_s},
                 {"user_time_s", run.user_time_s},
                 {"system_time_s", run.system_time_s},
                 {"max_rss_bytes", run.max_rss_bytes},
                 {"peak_memory_bytes", run.peak_memory_bytes},
                 {"peak_memory_by", run.peak_memory_by},
                 {"protections", run.protections},
                 {"protections_missing", run.protections_missing}};
  if (!run.message.empty()) record["message"] = run.message;
  if (run.out) add_captured(record, "stdout", *run.out);
  if (run.err) add_captured(record, "stderr", *run.err);
  return record;
}

Run read_run(const Json& record, const std::string& where) {
  Fields fields(record, where, "");
  if (fields.text("kind") != "run" || fields.integer("v") != 1)
    throw Error("read", where, "is no run record of version 1");
  Run run;
  run.argv = fields.texts("argv");
  run.policy = fields.text("policy");
  run.policy_sha256 = fields.text("policy_sha256");
  std::string ended_by = fields.text("ended_by");
  size_t i = 0;
  while (i < ended_by_names.size() && ended_by != ended_by_names[i]) ++i;
  if (i == ended_by_names.size()) throw fields.error("ended_by", "is unknown: \"" + ended_by + "\"");
  run.ended_by = static_cast<EndedBy>(i);
  run.exit_code = read_or_null(fields, "exit_code");
  run.signal = read_or_null(fields, "signal");
  run.wall_time_s = fields.number("wall_time_s");
  run.user_time_s = fields.number("user_time_s");
  run.system_time_s = fields.number("system_time_s");
  run.max_rss_bytes = fields.integer("max_rss_bytes");
  run.peak_memory_bytes = fields.integer("peak_memory_bytes");
  run.peak_memory_by = fields.text("peak_memory_by");
  run.protections = fields.texts("protections");
  run.protections_missing = fields.texts("protections_missing");
  run.message = fields.text("message", "");
  run.out = read_captured(fields, "stdout");
  run.err = read_captured(fields, "stderr");
  return run;  // keys of a later minor addition are let pass
}

std::string run_schema() {
  Json text = {{"type", "string"}};
  Json texts = {{"type", "array"}, {"items", text}};
  Json flag = {{"type", "boolean"}};
  Json seconds = {{"type", "number"}, {"minimum", 0}};
  Json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "run: one confined run"},
      {"type", "object"},
      {"required",
       {"kind", "v", "argv", "policy", "policy_sha256", "ended_by", "exit_code", "signal", "wall_time_s", "user_time_s",
        "system_time_s", "max_rss_bytes", "peak_memory_bytes", "peak_memory_by", "protections", "protections_missing"}},
      {"properties",
       {{"kind", {{"const", "run"}}},
        {"v", {{"const", 1}}},
        {"argv", texts},
        {"policy", text},
        {"policy_sha256", {{"type", "string"}, {"pattern", "^([0-9a-f]{64})?$"}}},
        {"ended_by", {{"enum", ended_by_names}}},
        {"exit_code", {{"type", {"integer", "null"}}, {"minimum", 0}, {"maximum", 255}}},
        {"signal", {{"type", {"integer", "null"}}, {"minimum", 1}, {"maximum", 64}}},
        {"wall_time_s", seconds},
        {"user_time_s", seconds},
        {"system_time_s", seconds},
        {"max_rss_bytes", {{"type", "integer"}, {"minimum", 0}}},
        {"peak_memory_bytes", {{"type", "integer"}, {"minimum", 0}}},
        {"peak_memory_by", {{"enum", {"", "cgroup", "sampling"}}}},
        {"protections", texts},
        {"protections_missing", texts},
        {"message", text},
        {"stdout", text},
        {"stdout_base64", text},
        {"stdout_truncated", flag},
        {"stderr", text},
        {"stderr_base64", text},
        {"stderr_truncated", flag}}},
      {"if", {{"properties", {{"ended_by", {{"const", "sandbox"}}}}}}},
      {"then", {{"required", {"message"}}}},
  };
  return schema.dump(2) + "\n";
}

}  // namespace assay
