// A reply, put together from the chunks of a streamed chat completion.
//
//   Reply reply(conversation_ids);
//   while (… bytes …) if (reply.feed(bytes)) break;       // true: nothing more is wanted
//   std::variant<Turn, Failure> result = reply.finish();
//
// A reply is whole when a chunk gave a finish_reason; whatever ended the stream after that does not matter. A reply
// that lacks one is a failure, however good it looks.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "model/failure.h"
#include "model/sse.h"
#include "model/tool_calls.h"
#include "record/turn.h"

namespace assay {

class Reply {
 public:
  // `used_ids`: the tool call ids of the conversation so far. `request_bytes`: its size, for a usage estimate.
  Reply(std::set<std::string> used_ids, size_t request_bytes)
      : used_ids_(std::move(used_ids)), request_bytes_(request_bytes) {}

  bool feed(std::string_view bytes);
  int64_t events() const { return events_; }  // with data; comments do not count
  bool whole() const { return !finish_.empty(); }
  const std::optional<Failure>& failure() const { return failure_; }

  std::variant<Turn, Failure> finish();

 private:
  void take_event(const SseEvent& event);
  void take_chunk(const Json& chunk);
  void take_delta(const Json& delta);
  void take_usage(const Json& usage);
  void fail(const std::string& message) { failure_ = {Reason::protocol, message, true}; }
  void estimate_usage();
  void unwrap_thinking();

  std::set<std::string> used_ids_;
  size_t request_bytes_;
  SseParser parser_;
  std::string head_;  // the first bytes, for a message when no event comes
  Turn turn_;
  ToolCalls calls_;
  std::string finish_;
  bool has_usage_ = false;
  bool done_ = false;
  int64_t events_ = 0;
  std::optional<Failure> failure_;
};

// Tokens in so many bytes of text, rather too many than too few: three bytes a token.
int64_t estimate_tokens(size_t bytes);

}  // namespace assay
