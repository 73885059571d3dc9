// From a source to a verdict, and to what a person reads.
#pragma once

#include <optional>
#include <string>

#include "record/candidate.h"
#include "record/lint.h"

namespace assay {

// Judges the candidate's text: ok, rejected (reason: the first error's rule), or an error for an unknown language, and
// then there is no report.
std::optional<LintReport> lint_candidate(Json& record, const Candidate& candidate);

struct LintedFile {
  std::string path;
  std::string text;
  std::string line;                  // its record (kind "lint") as a line of JSON
  std::optional<LintReport> report;  // none: the file could not be judged, `problem` says why
  std::string problem;
  int exit_code() const { return !report ? 2 : first_error(*report) ? 1 : 0; }
};

// Reads and judges a file named as an argument. A file that can't be judged is a record, not an Error.
LintedFile lint_file(const std::string& path);

// Each finding with its source line and a caret under the place.
std::string human_text(const std::string& path, const std::string& text, const LintReport& report);

std::string rules_text();   // one JSON object a line

}  // namespace assay
