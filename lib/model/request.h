// The body of a chat completion request, and a description of it for people (--dry-run).
//
// The same conversation and options give the same bytes, and a longer conversation begins with the bytes of the
// shorter one's messages, so that a provider's prefix cache hits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/conversation.h"
#include "model/endpoint.h"
#include "record/json.h"

namespace assay {

// What is absent is left to the server.
struct RequestOptions {
  std::string model;
  std::string tools_file;                        // a JSON array of tools; empty: none
  std::optional<bool> enable_thinking;
  bool preserve_thinking = false;                // send earlier turns' reasoning back
  std::optional<int64_t> thinking_budget;        // tokens of thinking
  std::optional<int64_t> max_completion_tokens;  // tokens of thinking and answer
};

// Throws Error if the options contradict each other or the model's limits, or if the tools file is no array of tools.
std::string request_body(const RequestOptions& options, const Conversation& talk);

// A "request" record: URL, where the key would come from, each option beside the field it became, the body.
Json describe_request(const Endpoint& endpoint, const std::string& body);

}  // namespace assay
