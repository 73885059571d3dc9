#include "model/reply.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace assay {
namespace {

constexpr size_t head_bytes = 64 << 10;

// A string member; empty if absent or null. Another type is a protocol failure, thrown as Json::type_error.
std::string text_of(const Json& object, const char* key) {
  auto found = object.find(key);
  return found == object.end() || found->is_null() ? "" : found->get_ref<const std::string&>();
}

const Json* object_of(const Json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

int64_t count_of(const Json* object, const char* key) {
  if (!object) return 0;
  auto found = object->find(key);
  return found != object->end() && found->is_number_integer() ? std::max<int64_t>(0, found->get<int64_t>()) : 0;
}

// Some servers send an error's HTTP status as a comment of its event: ":HTTP_STATUS/429".
long status_of(const SseEvent& event) {
  size_t at = event.comment.find("HTTP_STATUS/");
  long status = at == std::string::npos ? 200 : std::strtol(event.comment.c_str() + at + 12, nullptr, 10);
  return status >= 400 && status < 600 ? status : 200;
}

}  // namespace

int64_t estimate_tokens(size_t bytes) { return static_cast<int64_t>((bytes + 2) / 3); }

bool Reply::feed(std::string_view bytes) {
  if (events_ == 0 && head_.size() < head_bytes) head_ += bytes.substr(0, head_bytes - head_.size());
  for (const SseEvent& event : parser_.feed(bytes)) {
    if (done_ || failure_) break;
    ++events_;
    take_event(event);
  }
  return done_ || failure_.has_value();
}

void Reply::take_event(const SseEvent& event) {
  if (event.type == "error") {
    failure_ = classify(status_of(event), event.data);
  } else if (event.data == "[DONE]") {
    done_ = true;
  } else {
    try {
      take_chunk(Json::parse(event.data));
    } catch (const Json::exception&) {
      fail("a chunk of the reply is not a chat completion: " + excerpt(event.data));
    }
  }
}

void Reply::take_chunk(const Json& chunk) {
  if (!chunk.is_object()) return fail("a chunk of the reply is not an object: " + excerpt(chunk.dump()));
  auto choices = chunk.find("choices");
  auto error = chunk.find("error");
  if ((error != chunk.end() && !error->is_null()) || (choices == chunk.end() && chunk.contains("code"))) {
    failure_ = classify(200, chunk.dump());
    return;
  }
  if (turn_.id.empty()) turn_.id = text_of(chunk, "id");
  if (turn_.model.empty()) turn_.model = text_of(chunk, "model");
  if (const Json* usage = object_of(chunk, "usage")) take_usage(*usage);
  if (choices == chunk.end() || choices->is_null()) return;
  for (const Json& choice : *choices) {
    if (count_of(&choice, "index") != 0) continue;
    if (const Json* delta = object_of(choice, "delta")) take_delta(*delta);
    if (std::string reason = text_of(choice, "finish_reason"); !reason.empty()) finish_ = reason;
  }
}

void Reply::take_delta(const Json& delta) {
  turn_.content += text_of(delta, "content");
  std::string thought = text_of(delta, "reasoning_content");
  turn_.reasoning += thought.empty() ? text_of(delta, "reasoning") : thought;
  auto calls = delta.find("tool_calls");
  if (calls == delta.end() || calls->is_null()) return;
  for (const Json& call : *calls) {
    ToolCallPiece piece{.id = text_of(call, "id")};
    if (call.contains("index") && !call["index"].is_null()) piece.index = call["index"].get<int64_t>();
    if (const Json* function = object_of(call, "function")) {
      piece.name = text_of(*function, "name");
      piece.arguments = text_of(*function, "arguments");
    }
    calls_.add(piece);
  }
}

void Reply::take_usage(const Json& usage) {
  has_usage_ = true;
  turn_.usage = {.prompt_tokens = count_of(&usage, "prompt_tokens"),
                 .completion_tokens = count_of(&usage, "completion_tokens"),
                 .reasoning_tokens = count_of(object_of(usage, "completion_tokens_details"), "reasoning_tokens"),
                 .cached_tokens = count_of(object_of(usage, "prompt_tokens_details"), "cached_tokens")};
}

// Every token is charged, so a server that counts none must not look free.
void Reply::estimate_usage() {
  size_t said = turn_.content.size();
  for (const ToolCall& call : turn_.tool_calls) said += call.name.size() + call.arguments.size();
  for (const ToolError& error : turn_.tool_errors) said += error.arguments_raw.size();
  turn_.usage.prompt_tokens = estimate_tokens(request_bytes_);
  turn_.usage.reasoning_tokens = estimate_tokens(turn_.reasoning.size());
  turn_.usage.completion_tokens = estimate_tokens(said) + turn_.usage.reasoning_tokens;
  turn_.usage.estimated = true;
}

// A server without a reasoning parser leaves the thinking in the content, between tags.
void Reply::unwrap_thinking() {
  const std::string open = "<think>", close_tag = "</think>";
  size_t end = turn_.content.find(close_tag);
  if (!turn_.reasoning.empty() || !turn_.content.starts_with(open) || end == std::string::npos) return;
  turn_.reasoning = turn_.content.substr(open.size(), end - open.size());
  turn_.content.erase(0, end + close_tag.size());
  turn_.content.erase(0, turn_.content.find_first_not_of(" \r\n"));
  turn_.repairs.push_back("thinking stood in the content, between <think> tags; moved to the reasoning");
}

std::variant<Turn, Failure> Reply::finish() {
  if (failure_) return *failure_;
  if (events_ == 0) {
    Json error = Json::parse(head_, nullptr, false);
    if (error.is_object() && (error.contains("error") || error.contains("code"))) return classify(200, head_);
    bool said_nothing = head_.find_first_not_of(" \r\n") == std::string::npos || head_.starts_with(":");
    if (said_nothing) return Failure{Reason::protocol, "the reply ended before its first event", true};
    return Failure{Reason::protocol,
                   "the reply is no event stream; is the base URL right? It begins: " + excerpt(head_), false};
  }
  if (finish_.empty()) return Failure{Reason::protocol, "the reply ended without a finish_reason", true};
  if (finish_ == "error_finish") return classify(200, turn_.content);  // the error's text came as content
  if (finish_ == "content_filter") return Failure{Reason::inspection, "the provider's filter stopped the reply", false};
  bool cut = finish_ == "length";
  if (!cut && finish_ != "stop" && finish_ != "tool_calls" && finish_ != "function_call")
    return Failure{Reason::server, "the server ended the reply with finish_reason " + excerpt(finish_), true};

  unwrap_thinking();
  calls_.settle(turn_, used_ids_, cut);
  bool said_nothing = turn_.content.find_first_not_of(" \t\r\n") == std::string::npos;
  if (cut)
    turn_.finish_reason = calls_.empty() ? "length" : "truncated";
  else if (!calls_.empty())
    turn_.finish_reason = "tool_calls";
  else
    turn_.finish_reason = said_nothing ? "empty" : "stop";
  if (!has_usage_) estimate_usage();
  return turn_;
}

}  // namespace assay
