// What went over the wire, kept: one line for each attempt, for --record and --replay.
//
//   {"kind":"exchange","v":1,"request_sha256":"…","attempt":1,"outcome":"turn","status":200,"end":"whole",
//    "time_s":1.2,"first_byte_s":0.4,"response":"data: {…}\n\n…"}
//
// A request is known by the digest of its body; neither its text nor its key is kept. The response is verbatim; one
// that is no UTF-8 stands under response_base64 instead.
#pragma once

#include <optional>
#include <string>

#include "base/fd.h"
#include "model/http.h"

namespace assay {

struct Exchange {
  std::string request_sha256;
  int attempt = 1;
  std::string outcome;      // "turn", or the failure's reason
  HttpReply reply;
  double time_s = 0;        // since the first attempt began
  double first_byte_s = 0;  // since this attempt began, up to its first event
  std::string response;
};

// The file of --record, opened (or created, mode 600) before the first request: what can't be kept is not asked for.
class Recorder {
 public:
  explicit Recorder(const std::string& path);

  // Appends one line and syncs it. A line that a crash left torn is cut off first. Other writers wait.
  void append(const Exchange& exchange);

 private:
  std::string path_;
  Fd fd_;
};

// The recorded answer to a request: the first that gave a turn, else the last failure, else nothing. A torn last line
// is passed over; any other malformed line throws Error.
std::optional<Exchange> find_exchange(const std::string& path, const std::string& request_sha256);

}  // namespace assay
