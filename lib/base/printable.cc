#include "base/printable.h"

namespace assay {

std::string printable(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    auto byte = static_cast<unsigned char>(text[i]);
    auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    bool c1 = byte == 0xc2 && next >= 0x80 && next < 0xa0;  // in UTF-8
    bool control = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
    if (c1) ++i;
    result += c1 || control ? ' ' : text[i];
  }
  return result;
}

}  // namespace assay
