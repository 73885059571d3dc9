#include "record/check.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace assay {
namespace {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const CheckFailure& failed) {
  Json json = {{"layer", failed.layer}, {"workload", failed.workload}, {"axes", failed.axes}, {"dtypes", failed.dtypes}};
  if (failed.output.empty()) return json;
  json["output"] = failed.output;
  json["wrong_elements"] = failed.wrong_elements;
  json["elements"] = failed.elements;
  json["unwritten_elements"] = failed.unwritten_elements;
  json["absolute_error"] = number(failed.absolute_error);
  json["relative_l2"] = number(failed.relative_l2);
  return json;
}

Json object_schema(Json properties, Json required) {
  return {{"type", "object"},
          {"additionalProperties", false},
          {"required", std::move(required)},
          {"properties", std::move(properties)}};
}

}  // namespace

Json to_json(const CheckResult& result) {
  Json layers = Json::array();
  for (const CheckResult::Layer& layer : result.layers)
    layers.push_back({{"name", layer.name}, {"calls", layer.calls}, {"ok", layer.ok}});
  Json json = {{"build",
                {{"ok", result.build.ok}, {"time_s", result.build.time_s}, {"diagnostics", result.build.diagnostics}}},
               {"layers", layers},
               {"calls", result.calls},
               {"max_absolute_error", number(result.max_absolute_error)},
               {"max_relative_l2", number(result.max_relative_l2)}};
  if (result.failed && !result.failed->layer.empty()) json["failed"] = to_json(*result.failed);
  json["time_s"] = result.time_s;
  return json;
}

Json check_schema() {
  Json text = {{"type", "string"}};
  Json flag = {{"type", "boolean"}};
  Json count = {{"type", "integer"}, {"minimum", 0}};
  Json amount = {{"type", "number"}, {"minimum", 0}};
  Json amount_or_null = {{"type", {"number", "null"}}, {"minimum", 0}};
  Json build = object_schema({{"ok", flag}, {"time_s", amount}, {"diagnostics", text}}, {"ok", "time_s", "diagnostics"});
  Json layer = object_schema({{"name", text}, {"calls", count}, {"ok", flag}}, {"name", "calls", "ok"});
  Json failed = object_schema({{"layer", text},
                               {"workload", text},
                               {"axes", {{"type", "object"}, {"additionalProperties", {{"type", "integer"}}}}},
                               {"dtypes", {{"type", "object"}, {"additionalProperties", text}}},
                               {"output", text},
                               {"wrong_elements", count},
                               {"elements", count},
                               {"unwritten_elements", count},
                               {"absolute_error", amount_or_null},
                               {"relative_l2", amount_or_null}},
                              {"layer", "workload", "axes", "dtypes"});
  return object_schema({{"build", build},
                        {"layers", {{"type", "array"}, {"items", layer}}},
                        {"calls", count},
                        {"max_absolute_error", amount_or_null},
                        {"max_relative_l2", amount_or_null},
                        {"failed", failed},
                        {"time_s", amount}},
                       {"build", "layers", "calls", "max_absolute_error", "max_relative_l2", "time_s"});
}

}  // namespace assay
