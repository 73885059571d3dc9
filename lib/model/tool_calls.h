// Puts tool calls together from the pieces a stream brings, and settles what may be executed.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "record/turn.h"

namespace assay {

// One delta of a stream: the call's place and whichever parts came.
struct ToolCallPiece {
  int64_t index = -1;  // negative: the server gave none
  std::string id;
  std::string name;
  std::string arguments;
};

class ToolCalls {
 public:
  // Arguments are appended by index. Id and name are taken once: servers repeat them in later pieces, or send them
  // empty. A piece with another id and a name, at an index whose arguments are already whole, is a new call: some
  // servers number every call 0.
  void add(const ToolCallPiece& piece);
  bool empty() const { return calls_.empty(); }

  // Moves the calls into the turn, in the order they began. Ids that are missing, or that the conversation has used
  // before (`used`), are replaced by new ones, the same for the same input. Arguments that are no JSON object are
  // replaced by {} and reported in tool_errors. With `cut` (the reply ended at its length limit) no call goes into the
  // message; each becomes a "truncated" error.
  void settle(Turn& turn, std::set<std::string> used, bool cut) const;

 private:
  struct Call {
    int64_t index;
    ToolCall call;
  };
  Call& place(const ToolCallPiece& piece);

  std::vector<Call> calls_;
};

}  // namespace assay
