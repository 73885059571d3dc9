#include "record/candidate.h"

#include <nlohmann/json.hpp>

#include "base/digest.h"
#include "base/fd.h"
#include "record/fields.h"

namespace assay {
namespace {

constexpr size_t max_source_bytes = size_t{16} << 20;

void set_status(Json& record, const char* status, const std::string& stage) {
  record["status"] = status;
  record["stage"] = stage;
}

}  // namespace

bool is_candidate(const Json& record) {
  auto kind = record.find("kind");
  return kind != record.end() && *kind == "candidate";
}

bool is_ok(const Json& record) {
  auto status = record.find("status");
  return status == record.end() || *status == "ok";
}

Candidate read_candidate(Json& record) {
  Fields fields(record, "candidate", "");
  if (fields.integer("v") != 1) throw fields.error("v", "must be 1: this Assay reads version 1 of the record");
  Candidate c;
  c.id = fields.text("id");
  c.task = fields.text("task");
  c.source = fields.text("source");
  c.text = read_file(c.source, max_source_bytes);
  c.sha256 = sha256(c.text);
  std::string claimed = fields.text("sha256", c.sha256);
  if (claimed != c.sha256)
    throw Error("read", c.source, "its sha256 is " + c.sha256 + ", the record says " + claimed +
                                      "; the file changed after the record was made");
  record["sha256"] = c.sha256;
  return c;
}

void accept(Json& record, const std::string& stage, const std::string& key, Json result) {
  set_status(record, "ok", stage);
  record[key] = std::move(result);
}

void reject(Json& record, const std::string& stage, const std::string& key, Json result, const std::string& reason,
            const std::string& message) {
  set_status(record, "rejected", stage);
  record["reason"] = reason;
  record["message"] = message;
  record[key] = std::move(result);
}

void fail(Json& record, const std::string& stage, const std::string& message) {
  set_status(record, "error", stage);
  record["reason"] = "verifier_error";
  record["message"] = message;
}

Json error_record(const std::string& stage, const std::string& message) {
  Json record = {{"kind", "error"}, {"v", 1}};
  fail(record, stage, message);
  return record;
}

std::string candidate_schema(const std::string& title, const std::string& key, const Json& result_schema) {
  Json text = {{"type", "string"}};
  Json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", title},
      {"type", "object"},
      {"required", {"kind", "v", "status", "stage"}},
      {"properties",
       {{"kind", {{"enum", {"candidate", "error"}}}},
        {"v", {{"const", 1}}},
        {"id", text},
        {"task", text},
        {"source", text},
        {"sha256", {{"type", "string"}, {"pattern", "^[0-9a-f]{64}$"}}},
        {"status", {{"enum", {"ok", "rejected", "error"}}}},
        {"stage", {{"enum", {"lint", "check", "time"}}}},
        {"reason", text},
        {"message", text},
        {key, result_schema}}},
      {"if", {{"properties", {{"status", {{"const", "ok"}}}}}}},
      {"then", {{"required", {"id", "task", "source", "sha256"}}}},
      {"else", {{"required", {"reason", "message"}}}},
  };
  return schema.dump(2) + "\n";
}

}  // namespace assay
