// What is known of models: limits and prices. Data, not behaviour: a model that is not here works as well, without
// limits checked before the call and without a cost in its turns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "record/turn.h"

namespace assay {

struct Model {
  const char* name;            // a snapshot's name begins with it: NAME-2026-05-20
  int64_t max_input_tokens;
  int64_t max_thinking_tokens;
};

const Model* find_model(const std::string& name);  // nullptr: unknown

// The price of a turn at the host that sold it; nothing if no row of the price table says.
std::optional<TurnCost> price(const std::string& model, const std::string& host, const Usage& usage);

}  // namespace assay
