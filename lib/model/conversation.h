// The conversation so far, out of a transcript in JSON Lines.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/lines.h"
#include "record/json.h"

namespace assay {

struct Conversation {
  std::vector<Json> messages;          // as they stood, key for key
  std::set<std::string> tool_call_ids; // every id in use
};

// Reads to the end. Throws Error naming the line if one is malformed, if nothing is there, or if a tool call and its
// results do not stand together: servers refuse such a conversation for ever after.
Conversation read_conversation(LineReader& lines);

}  // namespace assay
