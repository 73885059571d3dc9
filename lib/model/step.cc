#include "model/step.h"

#include <time.h>
#include <unistd.h>

#include <cmath>

#include "base/clock.h"
#include "base/digest.h"
#include "base/error.h"
#include "model/exchange.h"
#include "model/models.h"
#include "model/reply.h"
#include "model/retry.h"

namespace assay {
namespace {

constexpr size_t max_response_bytes = size_t{64} << 20;
constexpr size_t max_refusal_bytes = size_t{64} << 10;

int64_t nanoseconds(double seconds) { return static_cast<int64_t>(seconds * 1e9); }
double seconds_since(int64_t start) { return std::round(static_cast<double>(now_ns() - start) / 1e6) / 1e3; }

std::string in_seconds(double seconds) {
  std::string text = std::to_string(seconds);
  return text.substr(0, text.find('.') + 2) + " s";
}

void sleep_for(double seconds) {
  timespec left = {static_cast<time_t>(seconds), static_cast<long>(std::fmod(seconds, 1) * 1e9)};
  while (::nanosleep(&left, &left) < 0) {
  }
}

// What an ended exchange amounts to. The same for one that was recorded.
std::variant<Turn, Failure> judge(const Exchange& x, Reply& reply) {
  const HttpReply& http = x.reply;
  if (http.status != 0 && http.status != 200) {
    Failure failure = classify(http.status, x.response);
    failure.asked_wait_s = http.retry_after_s;
    return failure;
  }
  if (!reply.whole() && !reply.failure()) {
    if (http.end == End::timed_out) return Failure{Reason::timeout, http.cause, true};
    if (http.end == End::broken) return Failure{Reason::network, http.cause, !http.certificate};
  }
  return reply.finish();
}

// One request and its reply. Fills `x`, and `reply` with the events.
void exchange(const StepOptions& o, const Post& what, int64_t stop_ns, Exchange& x, Reply& reply) {
  int64_t start = now_ns();
  int64_t last_event = start;
  int64_t seen = 0;
  auto on_bytes = [&](long status, std::string_view bytes) {
    x.response += bytes;
    if (status != 200) return x.response.size() >= max_refusal_bytes;
    bool enough = reply.feed(bytes) || x.response.size() >= max_response_bytes;
    if (seen == 0 && reply.events() > 0) x.first_byte_s = seconds_since(start);
    if (reply.events() > seen) last_event = now_ns();
    seen = reply.events();
    return enough;
  };
  auto deadline = [&] {
    return std::min(stop_ns, seen ? last_event + nanoseconds(o.idle_s) : start + nanoseconds(o.first_event_s));
  };
  x.reply = post(what, on_bytes, deadline);
  if (x.reply.end != End::timed_out) return;
  if (now_ns() >= stop_ns)
    x.reply.cause = "the deadline of " + in_seconds(o.deadline_s) + " passed";
  else if (seen)
    x.reply.cause = "no event came for " + in_seconds(o.idle_s);
  else
    x.reply.cause = "no event came within " + in_seconds(o.first_event_s);
}

Turn& complete(Turn& turn, const StepOptions& o, const Exchange& x) {
  if (turn.model.empty()) turn.model = o.model;
  turn.cost = price(o.model, o.endpoint.host, turn.usage);
  turn.attempts = x.attempt;
  turn.time_s = x.time_s;
  turn.first_byte_s = x.first_byte_s;
  return turn;
}

Step replayed(const StepOptions& o, const Exchange& x, size_t body_bytes, const Conversation& talk) {
  Reply reply(talk.tool_call_ids, body_bytes);
  if (x.reply.status == 200) reply.feed(x.response);
  Step step{judge(x, reply), x.attempt, x.time_s};
  if (Turn* turn = std::get_if<Turn>(&step.result)) complete(*turn, o, x);
  return step;
}

}  // namespace

Step take_step(const StepOptions& o, const std::string& body, const Conversation& talk, Random& random) {
  std::string digest = sha256(body);
  if (!o.replay_file.empty()) {
    bool absent = !o.record_file.empty() && ::access(o.replay_file.c_str(), F_OK) != 0;
    std::optional<Exchange> found = absent ? std::nullopt : find_exchange(o.replay_file, digest);
    if (found && (o.record_file.empty() || found->outcome == "turn")) return replayed(o, *found, body.size(), talk);
    if (o.record_file.empty())
      throw Error("replay", o.replay_file, "holds no reply to this request (sha256 " + digest + ")");
  }
  std::string key = read_key(o.endpoint);
  std::optional<Recorder> recorder;
  if (!o.record_file.empty()) recorder.emplace(o.record_file);
  Post what{.url = o.endpoint.url, .key = key, .body = body, .direct = o.endpoint.loopback};
  int64_t start = now_ns();
  int64_t stop = start + nanoseconds(o.deadline_s);
  for (int attempt = 1;; ++attempt) {
    Exchange x{.request_sha256 = digest, .attempt = attempt};
    Reply reply(talk.tool_call_ids, body.size());
    exchange(o, what, stop, x, reply);
    x.time_s = seconds_since(start);
    Step step{judge(x, reply), attempt, x.time_s};
    Failure* failure = std::get_if<Failure>(&step.result);
    if (failure) failure->message = redact(failure->message, key);
    if (recorder) {
      x.outcome = failure ? name_of(failure->reason) : "turn";
      x.response = redact(std::move(x.response), key);
      recorder->append(x);
    }
    if (!failure) {
      complete(std::get<Turn>(step.result), o, x);
      return step;
    }
    double left_s = static_cast<double>(stop - now_ns()) / 1e9;
    std::optional<double> wait_s = wait_before_retry(*failure, attempt, o.retries, left_s, random);
    if (!wait_s) return step;
    if (o.notice)
      o.notice(std::string(name_of(failure->reason)) + ": " + failure->message + "; attempt " +
               std::to_string(attempt + 1) + " in " + in_seconds(*wait_s));
    sleep_for(*wait_s);
  }
}

}  // namespace assay
