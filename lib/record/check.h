// What perturb-check says of a candidate, under "check":
//
//   {"build":{"ok":true,"time_s":1.9,"diagnostics":""},
//    "layers":[{"name":"public","calls":5,"ok":true},{"name":"hidden_axes","calls":2,"ok":false}],
//    "calls":7,"max_absolute_error":1.2e-6,"max_relative_l2":3e-7,
//    "failed":{"layer":"hidden_axes","workload":"hidden","axes":{"n":77},"dtypes":{},"output":"y","wrong_elements":12,
//              "elements":77,"unwritten_elements":0,"absolute_error":0.5,"relative_l2":0.3},
//    "time_s":3.1}
//
// Never in it: seeds, inputs, expected values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/json.h"

namespace assay {

struct CheckFailure {
  std::string reason;   // the record's: "wrong_output", "crashed", …
  std::string message;  // the record's: one line for people
  std::string layer;
  std::string workload;
  std::map<std::string, int64_t> axes;
  std::map<std::string, std::string> dtypes;
  std::string output;  // the tensor that is wrong; empty if none was compared
  int64_t wrong_elements = 0;
  int64_t elements = 0;
  int64_t unwritten_elements = 0;
  double absolute_error = 0;
  double relative_l2 = 0;
};

struct CheckResult {
  struct Build {
    bool ok = false;
    double time_s = 0;        // 0: the object was kept from an earlier build of the same source
    std::string diagnostics;  // the compiler's own words
  };
  struct Layer {
    std::string name;
    int64_t calls = 0;
    bool ok = true;
  };
  Build build;
  std::vector<Layer> layers;  // in the order they ran, up to the first that failed
  int64_t calls = 0;
  double max_absolute_error = 0;  // over outputs that were right
  double max_relative_l2 = 0;
  std::optional<CheckFailure> failed;
  double time_s = 0;
};

Json to_json(const CheckResult& result);
Json check_schema();  // of what to_json makes

}  // namespace assay
