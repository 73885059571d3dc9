#include "model/failure.h"

#include <cctype>
#include <nlohmann/json.hpp>

#include "record/json.h"

namespace assay {
namespace {

struct Sign {
  const char* text;  // in lower case, looked for in code and message
  Reason reason;
  bool retry;
};

// The first row that matches decides. A code says more than the status that carries it: servers send throttling as
// 400, context overflow as 400 or 413, and every one of them as 200 with an error inside the stream.
constexpr Sign signs[] = {
    {"data_inspection_failed", Reason::inspection, false},
    {"datainspectionfailed", Reason::inspection, false},
    {"content_filter", Reason::inspection, false},
    {"range of input length", Reason::context_exceeded, false},
    {"context_length_exceeded", Reason::context_exceeded, false},
    {"maximum context length", Reason::context_exceeded, false},
    {"exceed_context_size", Reason::context_exceeded, false},
    {"prompt is too long", Reason::context_exceeded, false},
    {"arrearage", Reason::quota, false},
    {"insufficient_quota", Reason::quota, true},
    {"allocationquota", Reason::quota, true},
    {"invalid_api_key", Reason::auth, false},
    {"invalidapikey", Reason::auth, false},
    {"accessdenied", Reason::auth, false},
    {"access_denied", Reason::auth, false},
    {"throttling", Reason::rate_limited, true},
    {"limit_requests", Reason::rate_limited, true},
    {"rate_limit", Reason::rate_limited, true},
    {"ratequota", Reason::rate_limited, true},
    {"overloaded", Reason::server, true},
    {"internalerror", Reason::server, true},
    {"internal_error", Reason::server, true},
};

Failure by_status(long status) {
  if (status == 401 || status == 403) return {Reason::auth, "", false};
  if (status == 402) return {Reason::quota, "", false};
  if (status == 408) return {Reason::timeout, "", true};
  if (status == 413) return {Reason::context_exceeded, "", false};
  if (status == 429) return {Reason::rate_limited, "", true};
  if (status >= 500) return {Reason::server, "", true};
  if (status >= 400) return {Reason::bad_request, "", false};
  if (status >= 300) return {Reason::protocol, "", false};  // redirects are not followed: the key stays with its host
  return {Reason::server, "", true};                         // an error of no known code inside a stream
}

std::string member(const Json& object, const char* key) {
  auto found = object.find(key);
  if (found == object.end() || found->is_null() || found->is_structured()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

void append(std::string& text, const std::string& more, const char* between) {
  if (!more.empty()) text += (text.empty() ? "" : between) + more;
}

// "code: message (request 1234)", or the text itself if it is not an error in JSON.
std::string describe(std::string_view body) {
  Json json = Json::parse(body, nullptr, false);
  if (!json.is_object()) return excerpt(body);
  auto error = json.find("error");
  if (error != json.end() && error->is_string()) return excerpt(error->get<std::string>());
  const Json& inner = error != json.end() && error->is_object() ? *error : json;
  std::string text = member(inner, "code");
  if (text.empty()) text = member(inner, "type");
  append(text, member(inner, "message"), ": ");
  if (text.empty()) return excerpt(body);
  std::string request = member(json, "request_id");
  return excerpt(text) + (request.empty() ? "" : " (request " + excerpt(request) + ")");
}

}  // namespace

const char* name_of(Reason reason) {
  switch (reason) {
    case Reason::auth: return "auth";
    case Reason::quota: return "quota";
    case Reason::rate_limited: return "rate_limited";
    case Reason::context_exceeded: return "context_exceeded";
    case Reason::inspection: return "inspection";
    case Reason::bad_request: return "bad_request";
    case Reason::server: return "server";
    case Reason::network: return "network";
    case Reason::timeout: return "timeout";
    case Reason::protocol: return "protocol";
  }
  return "protocol";
}

Failure classify(long status, std::string_view body) {
  std::string text = describe(body);
  std::string lower;
  for (unsigned char c : text) lower += static_cast<char>(std::tolower(c));
  Failure failure = by_status(status);
  if (status != 401 && status != 403 && status != 402)
    for (const Sign& sign : signs)
      if (lower.find(sign.text) != std::string::npos) {
        failure.reason = sign.reason;
        failure.retry = sign.retry;
        break;
      }
  if (status == 200)
    failure.message = "the server reported an error inside the reply";
  else
    failure.message = "HTTP " + std::to_string(status);
  append(failure.message, text, ": ");
  return failure;
}

std::string excerpt(std::string_view text) {
  size_t end = std::min<size_t>(text.size(), 512);
  if (end < text.size())
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  std::string line;
  for (char c : text.substr(0, end)) {
    bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (!control)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace assay
