#include "lint/report.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/digest.h"
#include "base/fd.h"
#include "base/printable.h"
#include "lint/rule.h"

namespace assay {
namespace {

constexpr size_t most_bytes = size_t{16} << 20;  // as for a candidate
constexpr size_t most_header_bytes = size_t{1} << 20;
constexpr size_t widest = 160;                   // of a source line shown to a person

std::string unknown_language(const std::string& source) {
  return "lint " + source + ": unknown language: its name must end in .cc, .cpp, .cu, .h or .py";
}

// The task folder's headers that the candidate includes by their plain names, as the compiler would find them.
std::string trusted_headers(const std::string& text, const std::string& task) {
  std::string headers;
  const std::string opening = "#include \"";
  for (size_t at = text.find(opening); at != std::string::npos && headers.size() < most_header_bytes; at = text.find(opening, at)) {
    at += opening.size();
    std::string name = text.substr(at, std::min(text.find_first_of("\"\n", at), at + 128) - at);
    bool plain = name.ends_with(".h") && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") == std::string::npos;
    std::error_code missing;
    if (plain && std::filesystem::is_regular_file(task + "/" + name, missing))
      headers += read_file(task + "/" + name, most_header_bytes) + "\n";
  }
  return headers;
}

std::vector<size_t> line_starts(const std::string& text) {
  std::vector<size_t> starts = {0};
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts.push_back(i + 1);
  return starts;
}

}  // namespace

std::optional<LintReport> lint_candidate(Json& record, const Candidate& candidate) {
  std::optional<Language> language = language_of(candidate.source);
  if (!language) {
    fail(record, "lint", unknown_language(candidate.source));
    return {};
  }
  LintReport report = lint(candidate.text, *language, *language == Language::cpp ? trusted_headers(candidate.text, candidate.task) : "");
  judge(record, candidate.source, report);
  return report;
}

LintedFile lint_file(const std::string& path) {
  LintedFile file{path};
  Json record = lint_file_record(path, "");
  try {
    file.text = read_file(path, most_bytes);
    record = lint_file_record(path, sha256(file.text));
    if (std::optional<Language> language = language_of(path)) {
      file.report = lint(file.text, *language);
      judge(record, path, *file.report);
    } else {
      file.problem = unknown_language(path);
    }
  } catch (const std::exception& e) {
    file.problem = e.what();
  }
  if (!file.report) fail(record, "lint", file.problem);
  file.line = to_line(record);
  return file;
}

std::string human_text(const std::string& path, const std::string& text, const LintReport& report) {
  std::vector<size_t> starts = line_starts(text);
  std::string shown;
  for (const Finding& f : report.findings) {
    size_t start = starts[std::min<size_t>(f.line, starts.size()) - 1];
    std::string line = printable(text.substr(start, std::min(text.find('\n', start), start + widest) - start));
    shown += path + ":" + std::to_string(f.line) + ":" + std::to_string(f.column) + ": " + name_of(f.severity) + ": " +
             f.message + " [" + f.rule + "]\n";
    if (f.column > line.size() + 1) continue;
    size_t rest = line.size() + 1 - f.column;
    size_t length = f.end_line == f.line && f.end_column > f.column ? f.end_column - f.column : rest;
    length = std::max<size_t>(1, std::min(length, rest));
    shown += "  " + line + "\n  " + std::string(f.column - 1, ' ') + "^" + std::string(length - 1, '~') + "\n";
  }
  return shown;
}

std::string rules_text() {
  std::string lines;
  for (const Rule& rule : all_rules()) {
    std::vector<std::string> languages;
    if (rule.cpp) languages.push_back("cpp");
    if (rule.python) languages.push_back("python");
    lines += to_line(rule_record(rule.id, rule.worst, languages, rule.summary));
  }
  return lines;
}

}  // namespace assay
