#include "model/models.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr Model models[] = {
    {"qwen3.7-max", 991'808, 262'144},
};

struct Price {
  const char* model;
  const char* host;  // the same model costs differently elsewhere
  const char* currency;
  double input, cached_input, output;  // per million tokens
};

constexpr Price prices[] = {
    {"qwen3.7-max", "dashscope.aliyuncs.com", "CNY", 12, 2.4, 36},
};

bool names(const char* row, const std::string& model) {
  std::string name = row;
  return model == name || model.starts_with(name + "-20");  // a dated snapshot
}

}  // namespace

const Model* find_model(const std::string& name) {
  for (const Model& row : models)
    if (names(row.name, name)) return &row;
  return nullptr;
}

std::optional<TurnCost> price(const std::string& model, const std::string& host, const Usage& usage) {
  for (const Price& row : prices) {
    if (!names(row.model, model) || host != row.host) continue;
    int64_t cached = std::min(usage.cached_tokens, usage.prompt_tokens);
    double millionths = static_cast<double>(usage.prompt_tokens - cached) * row.input +
                        static_cast<double>(cached) * row.cached_input +
                        static_cast<double>(usage.completion_tokens) * row.output;
    return TurnCost{std::round(millionths) / 1e6, row.currency};
  }
  return std::nullopt;
}

}  // namespace assay
