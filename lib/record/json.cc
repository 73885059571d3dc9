#include "record/json.h"

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/fd.h"

namespace assay {
namespace {

constexpr int max_depth = 200;  // what jq 1.6 still reads, which stands in the same pipes

}  // namespace

Json parse_json(std::string_view text, const std::string& where) {
  std::vector<std::set<std::string>> keys;
  auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > max_depth) throw Error("parse", where, "is nested deeper than " + std::to_string(max_depth) + " levels");
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
      throw Error("parse", where, "key \"" + value.get<std::string>() + "\" occurs twice in one object");
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const Json::exception& e) {
    std::string cause = e.what();  // "[json.exception.parse_error.101] parse error at line 1, column 4: …"
    size_t start = cause.find("] ");
    throw Error("parse", where, start == std::string::npos ? cause : cause.substr(start + 2));
  }
}

Json load_json(const std::string& path) { return parse_json(read_file(path, size_t{64} << 20), path); }

std::string to_line(const Json& record) {
  return record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_record(int fd, const Json& record) { write_all(fd, to_line(record), "standard output"); }

}  // namespace assay
