// The one record that travels: kernel-lint | perturb-check | time-kernel.
//
//   {"kind":"candidate","v":1,"id":"k1","task":"kernels/extend_attention","source":"k1.cc"}
//
// Each stage adds a key of its own (`lint`, `check`, `timing`) and sets `status`, `stage` and `reason`. A record that
// is no longer `ok` passes later stages untouched; unknown kinds and unknown keys pass through.
#pragma once

#include <string>

#include "record/json.h"

namespace assay {

struct Candidate {
  std::string id;
  std::string task;    // the task's folder, as the record gave it
  std::string source;  // the source file, as the record gave it
  std::string sha256;  // of the text
  std::string text;    // the source's bytes, read once; every later step uses these
};

bool is_candidate(const Json& record);
bool is_ok(const Json& record);  // status is absent or "ok"

// Reads the fields and the source file, sets `sha256`. Throws Error if a field is missing or ill-typed, if the file
// can't be read, or if the record's sha256 is not the file's.
Candidate read_candidate(Json& record);

// What a stage says. `key` is "lint", "check" or "timing"; `stage` is "lint", "check" or "time".
void accept(Json& record, const std::string& stage, const std::string& key, Json result);
// `reason` is a short identifier in snake_case that programs compare; `message` is one line for people.
void reject(Json& record, const std::string& stage, const std::string& key, Json result, const std::string& reason,
            const std::string& message);
// The verifier failed: no verdict.
void fail(Json& record, const std::string& stage, const std::string& message);

// A record for an input line that can't be judged at all (bad JSON, say).
Json error_record(const std::string& stage, const std::string& message);

// JSON Schema (draft 2020-12) of a candidate after the stage whose result stands under `key`.
std::string candidate_schema(const std::string& title, const std::string& key, const Json& result_schema);

}  // namespace assay
