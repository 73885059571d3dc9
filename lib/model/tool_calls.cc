#include "model/tool_calls.h"

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace assay {
namespace {

// Why the text is no JSON object; empty: it is one.
std::string defect(const std::string& arguments) {
  try {
    return parse_json(arguments, "arguments").is_object() ? "" : "they are JSON, but not an object";
  } catch (const Error& e) {
    return e.what();
  }
}

// `wanted` if it is free, else the first free of wanted-2, wanted-3, …
std::string free_id(const std::string& wanted, const std::set<std::string>& used) {
  std::string id = wanted;
  for (int n = 2; used.count(id); ++n) id = wanted + "-" + std::to_string(n);
  return id;
}

}  // namespace

ToolCalls::Call& ToolCalls::place(const ToolCallPiece& piece) {
  Call* last = nullptr;  // the latest call this piece may belong to
  for (Call& c : calls_)
    if (piece.index < 0 || c.index == piece.index) last = &c;
  bool other = last && !piece.id.empty() && !last->call.id.empty() && piece.id != last->call.id;
  if (last && !(other && !piece.name.empty() && defect(last->call.arguments).empty())) return *last;
  calls_.push_back({piece.index, {}});
  return calls_.back();
}

void ToolCalls::add(const ToolCallPiece& piece) {
  ToolCall& call = place(piece).call;
  if (call.id.empty()) call.id = piece.id;
  if (call.name.empty()) call.name = piece.name;
  call.arguments += piece.arguments;
}

void ToolCalls::settle(Turn& turn, std::set<std::string> used, bool cut) const {
  int number = 0;
  for (const Call& c : calls_) {
    ToolCall call = c.call;
    std::string label = "tool call " + std::to_string(++number);
    if (cut) {
      turn.tool_errors.push_back({call.id, call.name, "truncated",
                                  "the reply reached its length limit inside this turn's tool calls; none was executed",
                                  call.arguments});
      continue;
    }
    std::string wanted = call.id.empty() ? "call_" + std::to_string(number) : call.id;
    std::string id = free_id(wanted, used);
    if (call.id.empty())
      turn.repairs.push_back(label + ": it had no id; named " + id);
    else if (id != call.id)
      turn.repairs.push_back(label + ": id " + call.id + " was used before; renamed " + id);
    call.id = id;
    used.insert(id);
    if (call.arguments.find_first_not_of(" \t\r\n") == std::string::npos) {
      turn.repairs.push_back(label + ": it had no arguments; taken as {}");
      call.arguments = "{}";
    }
    std::string error, message;
    if (call.name.empty()) {
      error = "missing_name";
      message = "the call names no tool; it was not executed";
    } else if (std::string why = defect(call.arguments); !why.empty()) {
      error = "invalid_arguments";
      message = "the arguments are not a JSON object; the call was not executed: " + why;
    }
    if (!error.empty()) {
      turn.tool_errors.push_back({call.id, call.name, error, message, call.arguments});
      call.arguments = "{}";  // a server refuses the whole conversation if it holds broken arguments
      if (call.name.empty()) call.name = "unnamed";
    }
    turn.tool_calls.push_back(std::move(call));
  }
}

}  // namespace assay
