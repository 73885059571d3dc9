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
  // As text: nested initialisers of this depth cost the compiler ten seconds.
  return R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "qwen-step",
  "oneOf": [{"$ref": "#/$defs/turn"}, {"$ref": "#/$defs/error"}],
  "$defs": {
    "count": {"type": "integer", "minimum": 0},
    "seconds": {"type": "number", "minimum": 0},
    "turn": {
      "type": "object",
      "required": ["kind", "v", "id", "model", "message", "finish_reason", "usage", "attempts", "time_s",
                   "first_byte_s"],
      "properties": {
        "kind": {"const": "turn"},
        "v": {"const": 1},
        "id": {"type": "string"},
        "model": {"type": "string"},
        "message": {
          "type": "object",
          "required": ["role", "content"],
          "properties": {
            "role": {"const": "assistant"},
            "content": {"type": "string"},
            "reasoning_content": {"type": "string"},
            "tool_calls": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/call"}}
          }
        },
        "finish_reason": {"enum": ["stop", "tool_calls", "length", "truncated", "empty"]},
        "usage": {
          "type": "object",
          "required": ["prompt_tokens", "completion_tokens", "reasoning_tokens", "cached_tokens", "estimated"],
          "properties": {
            "prompt_tokens": {"$ref": "#/$defs/count"},
            "completion_tokens": {"$ref": "#/$defs/count"},
            "reasoning_tokens": {"$ref": "#/$defs/count"},
            "cached_tokens": {"$ref": "#/$defs/count"},
            "estimated": {"type": "boolean"}
          }
        },
        "cost": {
          "type": "object",
          "required": ["amount", "currency"],
          "properties": {"amount": {"type": "number", "minimum": 0}, "currency": {"type": "string"}}
        },
        "attempts": {"$ref": "#/$defs/count"},
        "time_s": {"$ref": "#/$defs/seconds"},
        "first_byte_s": {"$ref": "#/$defs/seconds"},
        "tool_errors": {"type": "array", "items": {"$ref": "#/$defs/tool_error"}},
        "repairs": {"type": "array", "items": {"type": "string"}}
      }
    },
    "call": {
      "type": "object",
      "required": ["id", "type", "function"],
      "properties": {
        "id": {"type": "string", "minLength": 1},
        "type": {"const": "function"},
        "function": {
          "type": "object",
          "required": ["name", "arguments"],
          "properties": {"name": {"type": "string"}, "arguments": {"type": "string"}}
        }
      }
    },
    "tool_error": {
      "type": "object",
      "required": ["id", "name", "error", "message", "arguments_raw"],
      "properties": {
        "id": {"type": "string"},
        "name": {"type": "string"},
        "error": {"enum": ["invalid_arguments", "missing_name", "truncated"]},
        "message": {"type": "string"},
        "arguments_raw": {"type": "string"}
      }
    },
    "error": {
      "type": "object",
      "required": ["kind", "v", "status", "stage", "reason", "message", "attempts", "time_s"],
      "properties": {
        "kind": {"const": "error"},
        "v": {"const": 1},
        "status": {"const": "error"},
        "stage": {"const": "turn"},
        "reason": {"enum": ["auth", "quota", "rate_limited", "context_exceeded", "inspection", "bad_request", "server",
                            "network", "timeout", "protocol"]},
        "message": {"type": "string"},
        "attempts": {"$ref": "#/$defs/count"},
        "time_s": {"$ref": "#/$defs/seconds"}
      }
    }
  }
}
)";
}

}  // namespace assay
