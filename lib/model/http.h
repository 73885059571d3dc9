// One HTTP POST whose reply is handed on as it comes. The only file that moves bytes over a network.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace assay {

struct Post {
  std::string url;
  std::string key;        // sent as a bearer token if not empty
  std::string body;       // JSON
  bool direct = false;    // ask no proxy
};

enum class End { whole, stopped, timed_out, broken };

struct HttpReply {
  long status = 0;             // 0: no reply line came
  double retry_after_s = -1;   // negative: the server asked nothing
  End end = End::whole;        // stopped: on_bytes had enough; timed_out: the deadline passed
  bool certificate = false;    // broken because the server's certificate is not trusted
  std::string cause;           // when broken: what the transport says
};

// Blocks until the reply ends. `on_bytes(status, bytes)` returns true when it wants no more. `deadline()` gives the
// moment (now_ns) at which to give up; it is asked again after every read, so that progress can move it. Redirects are
// not followed. Throws only what the callbacks throw, and Error if curl can't start.
HttpReply post(const Post& what, const std::function<bool(long, std::string_view)>& on_bytes,
               const std::function<int64_t()>& deadline);

}  // namespace assay
