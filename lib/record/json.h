// JSON as Assay writes it: keys in the order they came, one record a line.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace assay {

using Json = nlohmann::ordered_json;

// Strict JSON (no comments, no duplicate keys, no trailing text). `where` opens the Error: "parse task.json: …".
Json parse_json(std::string_view text, const std::string& where);
Json load_json(const std::string& path);

std::string to_line(const Json& record);           // UTF-8 (invalid bytes become U+FFFD) and a newline
void write_record(int fd, const Json& record);     // the whole line, at once

}  // namespace assay
