// One turn of a model: ask, put the reply together, and ask again where that may help.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "base/random.h"
#include "model/conversation.h"
#include "model/endpoint.h"
#include "model/failure.h"
#include "record/turn.h"

namespace assay {

struct StepOptions {
  Endpoint endpoint;
  std::string model;           // for the price, and for a reply that names none
  int retries = 6;
  double deadline_s = 3600;    // for everything: attempts, waits, a reply that never ends
  double first_event_s = 600;  // from a request to the first event of its reply; a buffering proxy needs all of it
  double idle_s = 240;         // between two events; comments do not count
  std::string record_file;     // empty: none
  std::string replay_file;     // empty: none
  std::function<void(const std::string&)> notice;  // told, in a line, of each wait
};

struct Step {
  std::variant<Turn, Failure> result;
  int attempts = 0;
  double time_s = 0;
};

// With a replay file alone nothing goes over the network: a recorded request has its recorded result, times included,
// and any other throws Error. With a replay file and a record file, a turn that was recorded is used and everything
// else is asked for and recorded: a reply that was paid for is not asked for twice.
Step take_step(const StepOptions& options, const std::string& body, const Conversation& talk, Random& random);

}  // namespace assay
