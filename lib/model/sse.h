// Server-sent events (WHATWG HTML, section 9.2.6), pushed: bytes go in as they come, whole events come out.
//
//   SseParser parser;
//   for (const SseEvent& event : parser.feed("data: {\"a\":1}\r\n\r\nda")) …   // one event; "da" waits for its rest
//
// Where the bytes are cut makes no difference: a CRLF, a UTF-8 sequence or a field name may lie in two reads. An event
// that the stream's end leaves unfinished is dropped, as the standard says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct SseEvent {
  std::string type;     // the `event` field; empty: a plain message
  std::string data;     // the `data` lines, joined by newlines
  std::string comment;  // the comment lines among them: some servers say an HTTP status there
};

class SseParser {
 public:
  std::vector<SseEvent> feed(std::string_view bytes);  // in order; comments alone make no event

 private:
  void end_line(std::vector<SseEvent>& events);

  std::string line_;
  SseEvent event_;
  bool has_data_ = false;
  bool first_line_ = true;  // a byte order mark may open it
  bool after_cr_ = false;   // a line feed now belongs to the line end before it
};

}  // namespace assay
