// One turn of a model, as qwen-step writes it and as a transcript keeps it.
//
//   {"kind":"turn","v":1,"id":"…","model":"qwen3.7-max","message":{"role":"assistant","content":"…","tool_calls":[…]},
//    "finish_reason":"tool_calls","usage":{…},"attempts":1,"time_s":12.5,"first_byte_s":0.8}
//
// The line may be appended to the transcript as it is: the next turn's request takes the message out of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/json.h"

namespace assay {

struct Usage {
  int64_t prompt_tokens = 0;
  int64_t completion_tokens = 0;  // thinking included
  int64_t reasoning_tokens = 0;   // the part that was thinking
  int64_t cached_tokens = 0;      // the part of prompt_tokens that came from a cache
  bool estimated = false;         // the server reported none: computed from the sizes of the texts
};

struct TurnCost {
  double amount = 0;
  std::string currency;  // ISO 4217
};

struct ToolCall {
  std::string id;         // unique in the conversation
  std::string name;
  std::string arguments;  // a JSON object, byte for byte as the model wrote it
};

// A call that must not be executed. Where `id` names a call of the message, that call's arguments were replaced by
// {}; a truncated call is not in the message at all.
struct ToolError {
  std::string id;
  std::string name;
  std::string error;          // invalid_arguments, missing_name or truncated
  std::string message;        // one line, fit to be the tool's answer
  std::string arguments_raw;  // what the model wrote
};

struct Turn {
  std::string id;  // the server's name for the reply
  std::string model;
  std::string content;
  std::string reasoning;
  std::vector<ToolCall> tool_calls;
  std::string finish_reason;  // stop, tool_calls, length, truncated (length inside a call), empty (nothing said)
  Usage usage;
  std::optional<TurnCost> cost;   // absent: the price is not known
  int attempts = 1;
  double time_s = 0;          // all attempts and waits
  double first_byte_s = 0;    // of the attempt that worked, up to its first event
  std::vector<ToolError> tool_errors;
  std::vector<std::string> repairs;  // what the server got wrong and was put right, a line each
};

Json to_json(const Turn& turn);

// The turn that could not be had. `reason` is one of those of model/failure.h.
Json turn_error(const std::string& reason, const std::string& message, int attempts, double time_s);

std::string turn_schema();  // JSON Schema (draft 2020-12) of both

// The chat message in one line of a transcript: the line itself if it has a role, a turn's message, nullptr for other
// kinds of record. Throws Error if it is none of these; `where` opens its text.
const Json* chat_message(const Json& line, const std::string& where);

}  // namespace assay
