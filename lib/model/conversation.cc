#include "model/conversation.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "record/turn.h"

namespace assay {
namespace {

std::string text_of(const Json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// Calls that wait for their results, and the line they stand in.
struct Open {
  std::set<std::string> ids;
  std::string where;

  void refuse_if_any(const std::string& before) const {
    if (!ids.empty())
      throw Error("read", where, "tool call " + *ids.begin() + " has no result before " + before +
                                     "; append {\"role\":\"tool\",\"tool_call_id\":…,\"content\":…}");
  }
};

}  // namespace

Conversation read_conversation(LineReader& lines) {
  Conversation talk;
  Open open;
  while (std::optional<std::string> line = lines.next()) {
    if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
    std::string where = lines.name() + ":" + std::to_string(lines.line());
    Json record = parse_json(*line, where);
    const Json* message = chat_message(record, where);
    if (!message) continue;
    if (text_of(*message, "role") == "tool") {
      std::string id = text_of(*message, "tool_call_id");
      if (open.ids.erase(id) == 0)
        throw Error("read", where, "this result's tool_call_id \"" + id + "\" is no open tool call");
    } else {
      open.refuse_if_any(where);
      auto calls = message->find("tool_calls");
      if (calls != message->end() && calls->is_array()) {
        open.where = where;
        for (const Json& call : *calls) {
          open.ids.insert(text_of(call, "id"));
          talk.tool_call_ids.insert(text_of(call, "id"));
        }
      }
    }
    talk.messages.push_back(*message);
  }
  open.refuse_if_any("the end");
  if (talk.messages.empty()) throw Error("read", lines.name(), "holds no message; a turn needs at least one");
  return talk;
}

}  // namespace assay
