#include "record/turn.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"

namespace assay {
namespace {

double milliseconds_kept(double seconds) { return std::round(seconds * 1e3) / 1e3; }

Json message_json(const Turn& turn) {
  Json message = {{"role", "assistant"}, {"content", turn.content}};
  if (!turn.reasoning.empty()) message["reasoning_content"] = turn.reasoning;
  for (const ToolCall& call : turn.tool_calls)
    message["tool_calls"].push_back({{"id", call.id},
                                     {"type", "function"},
                                     {"function", {{"name", call.name}, {"arguments", call.arguments}}}});
  return message;
}

Json object_schema(Json required, Json properties) {
  return {{"type", "object"}, {"required", std::move(required)}, {"properties", std::move(properties)}};
}

}  // namespace

Json to_json(const Turn& turn) {
  Json record = {{"kind", "turn"},
                 {"v", 1},
                 {"id", turn.id},
                 {"model", turn.model},
                 {"message", message_json(turn)},
                 {"finish_reason", turn.finish_reason},
                 {"usage",
                  {{"prompt_tokens", turn.usage.prompt_tokens},
                   {"completion_tokens", turn.usage.completion_tokens},
                   {"reasoning_tokens", turn.usage.reasoning_tokens},
                   {"cached_tokens", turn.usage.cached_tokens},
                   {"estimated", turn.usage.estimated}}}};
  if (turn.cost) record["cost"] = {{"amount", turn.cost->amount}, {"currency", turn.cost->currency}};
  record["attempts"] = turn.attempts;
  record["time_s"] = milliseconds_kept(turn.time_s);
  record["first_byte_s"] = milliseconds_kept(turn.first_byte_s);
  for (const ToolError& e : turn.tool_errors)
    record["tool_errors"].push_back({{"id", e.id},
                                     {"name", e.name},
                                     {"error", e.error},
                                     {"message", e.message},
                                     {"arguments_raw", e.arguments_raw}});
  if (!turn.repairs.empty()) record["repairs"] = turn.repairs;
  return record;
}

Json turn_error(const std::string& reason, const std::string& message, int attempts, double time_s) {
  return {{"kind", "error"},     {"v", 1},           {"status", "error"},      {"stage", "turn"},
          {"reason", reason},    {"message", message}, {"attempts", attempts}, {"time_s", milliseconds_kept(time_s)}};
}

const Json* chat_message(const Json& line, const std::string& where) {
  if (!line.is_object()) throw Error("read", where, "a message must be a JSON object");
  const Json* message = &line;
  auto kind = line.find("kind");
  if (kind != line.end()) {
    if (*kind != "turn") return nullptr;
    auto found = line.find("message");
    if (found == line.end() || !found->is_object()) throw Error("read", where, "this turn has no \"message\" object");
    message = &*found;
  }
  static const std::set<std::string> roles = {"system", "developer", "user", "assistant", "tool"};
  auto role = message->find("role");
  if (role == message->end() || !role->is_string())
    throw Error("read", where, "needs a \"role\" (a chat message) or a \"kind\" (a record)");
  if (!roles.count(role->get<std::string>()))
    throw Error("read", where, "unknown role \"" + role->get<std::string>() +
                                   "\" (known: system, developer, user, assistant, tool)");
  return message;
}

std::string turn_schema() {
  Json text = {{"type", "string"}};
  Json count = {{"type", "integer"}, {"minimum", 0}};
  Json seconds = {{"type", "number"}, {"minimum", 0}};
  Json one = {{"const", 1}};
  Json call = object_schema({"id", "type", "function"},
                            {{"id", text},
                             {"type", {{"const", "function"}}},
                             {"function", object_schema({"name", "arguments"},
                                                        {{"name", text}, {"arguments", text}})}});
  Json message = object_schema({"role", "content"}, {{"role", {{"const", "assistant"}}},
                                                     {"content", text},
                                                     {"reasoning_content", text},
                                                     {"tool_calls", {{"type", "array"}, {"items", call}}}});
  Json usage = object_schema(
      {"prompt_tokens", "completion_tokens", "reasoning_tokens", "cached_tokens", "estimated"},
      {{"prompt_tokens", count},
       {"completion_tokens", count},
       {"reasoning_tokens", count},
       {"cached_tokens", count},
       {"estimated", {{"type", "boolean"}}}});
  Json tool_error = object_schema({"id", "name", "error", "message", "arguments_raw"},
                                  {{"id", text},
                                   {"name", text},
                                   {"error", {{"enum", {"invalid_arguments", "missing_name", "truncated"}}}},
                                   {"message", text},
                                   {"arguments_raw", text}});
  Json turn = object_schema(
      {"kind", "v", "id", "model", "message", "finish_reason", "usage", "attempts", "time_s", "first_byte_s"},
      {{"kind", {{"const", "turn"}}},
       {"v", one},
       {"id", text},
       {"model", text},
       {"message", message},
       {"finish_reason", {{"enum", {"stop", "tool_calls", "length", "truncated", "empty"}}}},
       {"usage", usage},
       {"cost", object_schema({"amount", "currency"}, {{"amount", seconds}, {"currency", text}})},
       {"attempts", count},
       {"time_s", seconds},
       {"first_byte_s", seconds},
       {"tool_errors", {{"type", "array"}, {"items", tool_error}}},
       {"repairs", {{"type", "array"}, {"items", text}}}});
  Json error = object_schema({"kind", "v", "status", "stage", "reason", "message", "attempts", "time_s"},
                             {{"kind", {{"const", "error"}}},
                              {"v", one},
                              {"status", {{"const", "error"}}},
                              {"stage", {{"const", "turn"}}},
                              {"reason", text},
                              {"message", text},
                              {"attempts", count},
                              {"time_s", seconds}});
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "qwen-step"},
                 {"oneOf", {turn, error}}};
  return schema.dump(2) + "\n";
}

}  // namespace assay
