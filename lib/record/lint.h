// What kernel-lint says of one source file: the `lint` key of a candidate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/json.h"

namespace assay {

enum class Severity { note, warning, error };  // an error rejects, a warning is for perturb-check to settle

const char* name_of(Severity severity);

struct Finding {
  std::string rule;       // its id, in snake_case
  Severity severity = Severity::note;
  std::string message;    // one line
  uint32_t line = 1;      // from 1
  uint32_t column = 1;    // from 1, in bytes
  uint32_t end_line = 1;
  uint32_t end_column = 1;  // one past the last byte
  std::string function;   // around it; empty at file scope
};

struct LintReport {
  std::vector<Finding> findings;  // in the order of the text
  size_t omitted = 0;             // findings past the limit
  size_t rules = 0;               // that were run
  size_t parse_errors = 0;        // places that the parser could not read
};

const Finding* first_error(const LintReport& report);  // the one that rejects; nullptr: none

// Sets the record's verdict: ok, or rejected for the first error's rule. `source` opens the message.
void judge(Json& record, const std::string& source, const LintReport& report);

std::string lint_schema();  // JSON Schema of every record that kernel-lint writes

// One line of `kernel-lint --rules`.
Json rule_record(const std::string& id, Severity worst, const std::vector<std::string>& languages, const std::string& summary);

// A record for a file that was named as an argument: no task, so no candidate. No sha256: it could not be read.
Json lint_file_record(const std::string& source, const std::string& sha256);

}  // namespace assay
