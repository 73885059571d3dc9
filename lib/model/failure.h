// Why a turn could not be had, in words that programs compare, and whether asking again may help.
//
//   reason            | retried        | what it is
//   auth              | no             | 401, 403: the key, its region or its plan
//   quota             | as rate limits | 402, arrears, exhausted allocation (some of it refills every minute)
//   rate_limited      | yes, slowly    | 429 and throttling
//   context_exceeded  | no             | the conversation is longer than the model reads
//   inspection        | no             | the provider's content filter; the conversation stays poisoned
//   bad_request       | no             | any other refusal of the request
//   server            | yes            | 5xx, overload
//   network           | yes            | no connection, a reset, TLS
//   timeout           | yes            | nothing came for too long
//   protocol          | yes, mostly    | what came is no chat completion, or only part of one
#pragma once

#include <string>
#include <string_view>

namespace assay {

enum class Reason {
  auth, quota, rate_limited, context_exceeded, inspection, bad_request, server, network, timeout, protocol
};

const char* name_of(Reason reason);

struct Failure {
  Reason reason = Reason::protocol;
  std::string message;        // one line
  bool retry = false;
  double asked_wait_s = -1;   // the server's Retry-After; negative: it asked nothing
};

// Reads an error as servers send it: `status` is HTTP's (200 for an error inside a stream), `body` the JSON or text
// that came with it. Knows {"error":{"code","message",…}}, {"error":"…"} and {"code","message"}.
Failure classify(long status, std::string_view body);

// At most 512 bytes of a text for a message: one line, UTF-8 not cut in two, control characters as spaces.
std::string excerpt(std::string_view text);

}  // namespace assay
