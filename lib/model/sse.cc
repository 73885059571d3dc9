#include "model/sse.h"

#include <utility>

namespace assay {

std::vector<SseEvent> SseParser::feed(std::string_view bytes) {
  std::vector<SseEvent> events;
  for (char c : bytes) {
    bool second_half = c == '\n' && after_cr_;
    after_cr_ = c == '\r';
    if (second_half) continue;
    if (c == '\n' || c == '\r')
      end_line(events);
    else
      line_ += c;
  }
  return events;
}

void SseParser::end_line(std::vector<SseEvent>& events) {
  std::string line = std::exchange(line_, {});
  if (std::exchange(first_line_, false) && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
  if (line.empty()) {
    // Without data the standard dispatches nothing and forgets the type.
    if (has_data_) {
      event_.data.pop_back();
      events.push_back(std::move(event_));
    }
    event_ = {};
    has_data_ = false;
    return;
  }
  size_t colon = line.find(':');
  std::string field = line.substr(0, colon);
  std::string value = colon == std::string::npos ? "" : line.substr(colon + 1);
  if (value.starts_with(' ')) value.erase(0, 1);
  if (field == "data") {
    event_.data += value + "\n";
    has_data_ = true;
  } else if (field == "event") {
    event_.type = value;
  } else if (colon == 0) {
    event_.comment += value + "\n";
  }
}

}  // namespace assay
