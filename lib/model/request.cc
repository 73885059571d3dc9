#include "model/request.h"

#include <nlohmann/json.hpp>

#include "base/digest.h"
#include "base/error.h"
#include "model/models.h"
#include "model/reply.h"

namespace assay {
namespace {

// Each option that becomes a field of the body, in the body's order.
struct Field {
  const char* option;
  const char* field;
};
constexpr Field fields[] = {
    {"--model", "model"},
    {"--enable-thinking / --no-thinking", "enable_thinking"},
    {"--preserve-thinking", "preserve_thinking"},
    {"--thinking-budget", "thinking_budget"},
    {"--max-completion-tokens", "max_completion_tokens"},
    {"--tools", "tools"},
};

Json load_tools(const std::string& path) {
  Json tools = load_json(path);
  if (!tools.is_array()) throw Error("read", path, "must be a JSON array of tools");
  for (const Json& tool : tools)
    if (!tool.is_object() || !tool.contains("function"))
      throw Error("read", path, R"(each tool must be {"type":"function","function":{"name":…,"parameters":…}})");
  return tools;
}

void check(const RequestOptions& o) {
  if (o.thinking_budget && o.enable_thinking == false)
    throw Error("use", "--thinking-budget", "contradicts --no-thinking");
  if (o.thinking_budget && o.max_completion_tokens && *o.thinking_budget >= *o.max_completion_tokens)
    throw Error("use", "--thinking-budget",
                "must be below --max-completion-tokens, which counts thinking too, or nothing is left for the answer");
  const Model* model = find_model(o.model);
  if (model && o.thinking_budget && *o.thinking_budget > model->max_thinking_tokens)
    throw Error("use", "--thinking-budget", std::string(model->name) + " thinks in at most " +
                                                std::to_string(model->max_thinking_tokens) + " tokens");
}

}  // namespace

std::string request_body(const RequestOptions& o, const Conversation& talk) {
  check(o);
  Json body = {{"model", o.model}, {"stream", true}, {"stream_options", {{"include_usage", true}}}};
  if (o.enable_thinking) body["enable_thinking"] = *o.enable_thinking;
  if (o.preserve_thinking) body["preserve_thinking"] = true;
  if (o.thinking_budget) body["thinking_budget"] = *o.thinking_budget;
  if (o.max_completion_tokens) body["max_completion_tokens"] = *o.max_completion_tokens;
  if (!o.tools_file.empty()) {
    Json tools = load_tools(o.tools_file);
    if (!tools.empty()) body["tools"] = std::move(tools);  // an empty array is refused by some servers
  }
  body["messages"] = Json::array();
  for (Json message : talk.messages) {
    if (!o.preserve_thinking) message.erase("reasoning_content");
    body["messages"].push_back(std::move(message));
  }
  return body.dump();
}

Json describe_request(const Endpoint& endpoint, const std::string& text) {
  Json body = parse_json(text, "request");
  Json mapping = Json::array();
  for (const Field& f : fields)
    if (body.contains(f.field))
      mapping.push_back({{"option", f.option}, {"field", f.field}, {"value", body[f.field]}});
  Json record = {{"kind", "request"}, {"v", 1}, {"url", endpoint.url}};
  if (!endpoint.key_env.empty()) record["key_env"] = endpoint.key_env;
  record["mapping"] = std::move(mapping);
  record["estimated_prompt_tokens"] = estimate_tokens(text.size());
  record["request_sha256"] = sha256(text);
  record["body"] = std::move(body);
  return record;
}

}  // namespace assay
