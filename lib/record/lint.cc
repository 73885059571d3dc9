#include "record/lint.h"

#include <nlohmann/json.hpp>

#include "record/candidate.h"

namespace assay {
namespace {

Json to_json(const LintReport& report) {
  Json findings = Json::array();
  for (const Finding& f : report.findings) {
    Json one = {{"rule", f.rule}, {"severity", name_of(f.severity)}, {"message", f.message},
                {"line", f.line}, {"column", f.column}, {"end_line", f.end_line}, {"end_column", f.end_column}};
    if (!f.function.empty()) one["function"] = f.function;
    findings.push_back(std::move(one));
  }
  return {{"findings", std::move(findings)},
          {"omitted", report.omitted},
          {"rules", report.rules},
          {"parse_errors", report.parse_errors}};
}

Json lint_result_schema() {
  Json place = {{"type", "integer"}, {"minimum", 1}};
  Json count = {{"type", "integer"}, {"minimum", 0}};
  Json finding = {{"type", "object"},
                  {"required", {"rule", "severity", "message", "line", "column", "end_line", "end_column"}},
                  {"properties",
                   {{"rule", {{"type", "string"}, {"pattern", "^[a-z][a-z0-9_]*$"}}},
                    {"severity", {{"enum", {"error", "warning", "note"}}}},
                    {"message", {{"type", "string"}}},
                    {"line", place},
                    {"column", place},
                    {"end_line", place},
                    {"end_column", place},
                    {"function", {{"type", "string"}}}}}};
  return {{"type", "object"},
          {"required", {"findings", "omitted", "rules", "parse_errors"}},
          {"properties",
           {{"findings", {{"type", "array"}, {"items", finding}}},
            {"omitted", count},
            {"rules", count},
            {"parse_errors", count}}}};
}

}  // namespace

const char* name_of(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

const Finding* first_error(const LintReport& report) {
  for (const Finding& f : report.findings)
    if (f.severity == Severity::error) return &f;
  return nullptr;
}

void judge(Json& record, const std::string& source, const LintReport& report) {
  const Finding* error = first_error(report);
  if (!error) return accept(record, "lint", "lint", to_json(report));
  std::string message =
      source + ":" + std::to_string(error->line) + ":" + std::to_string(error->column) + ": " + error->message;
  reject(record, "lint", "lint", to_json(report), error->rule, message);
}

std::string lint_schema() {
  Json candidate = parse_json(candidate_schema("a candidate, linted", "lint", lint_result_schema()), "schema");
  Json draft = candidate.at("$schema");
  candidate.erase("$schema");
  Json text = {{"type", "string"}};
  Json file = {{"title", "a file, linted"},
               {"type", "object"},
               {"required", {"kind", "v", "source", "status", "stage"}},
               {"properties",
                {{"kind", {{"const", "lint"}}},
                 {"v", {{"const", 1}}},
                 {"source", text},
                 {"sha256", {{"type", "string"}, {"pattern", "^[0-9a-f]{64}$"}}},
                 {"status", {{"enum", {"ok", "rejected", "error"}}}},
                 {"stage", {{"const", "lint"}}},
                 {"reason", text},
                 {"message", text},
                 {"lint", lint_result_schema()}}},
               {"if", {{"properties", {{"status", {{"const", "ok"}}}}}}},
               {"then", {{"required", {"sha256", "lint"}}}},
               {"else", {{"required", {"reason", "message"}}}}};
  Json schema = {{"$schema", draft}, {"title", "kernel-lint record"}, {"anyOf", {candidate, file}}};
  return schema.dump(2) + "\n";
}

Json rule_record(const std::string& id, Severity worst, const std::vector<std::string>& languages,
                 const std::string& summary) {
  return {{"kind", "rule"}, {"v", 1}, {"rule", id}, {"severity", name_of(worst)}, {"languages", languages},
          {"summary", summary}};
}

Json lint_file_record(const std::string& source, const std::string& sha256) {
  Json record = {{"kind", "lint"}, {"v", 1}, {"source", source}};
  if (!sha256.empty()) record["sha256"] = sha256;
  return record;
}

}  // namespace assay
