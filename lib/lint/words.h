// Small questions about names.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace assay {

inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// int, int32_t, std::size_t …: an array of these holds lengths or indices, not data.
bool is_index_type(std::string_view type);

}  // namespace assay
