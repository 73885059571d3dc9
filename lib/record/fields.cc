#include "record/fields.h"

#include <nlohmann/json.hpp>

namespace assay {

Fields::Fields(const Json& object, std::string file, std::string place)
    : object_(object), file_(std::move(file)), place_(std::move(place)) {
  if (!object_.is_object())
    throw Error("read", file_, (place_.empty() ? std::string("/") : place_) + " must be a JSON object, is " +
                                   object_.type_name());
}

Error Fields::error(const std::string& key, const std::string& cause) const {
  return Error("read", file_, place(key) + " " + cause);
}

const Json* Fields::find(const std::string& key) {
  asked_.insert(key);
  auto it = object_.find(key);
  return it == object_.end() ? nullptr : &*it;
}

const Json& Fields::at(const std::string& key) {
  const Json* value = find(key);
  if (!value) throw error(key, "is missing");
  return *value;
}

Fields Fields::object(const std::string& key) { return Fields(at(key), file_, place(key)); }

std::string Fields::text(const std::string& key) {
  const Json& value = at(key);
  if (!value.is_string()) throw error(key, std::string("must be a string, is ") + value.type_name());
  return value.get<std::string>();
}

std::string Fields::text(const std::string& key, const std::string& fallback) {
  return find(key) ? text(key) : fallback;
}

double Fields::number(const std::string& key) {
  const Json& value = at(key);
  if (!value.is_number()) throw error(key, std::string("must be a number, is ") + value.type_name());
  return value.get<double>();
}

double Fields::number(const std::string& key, double fallback) { return find(key) ? number(key) : fallback; }

int64_t Fields::integer(const std::string& key) {
  const Json& value = at(key);
  bool fits = value.is_number_integer() && !(value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX);
  if (!fits) throw error(key, "must be an integer, is " + value.dump(-1, ' ', false, Json::error_handler_t::replace));
  return value.get<int64_t>();
}

int64_t Fields::integer(const std::string& key, int64_t fallback) { return find(key) ? integer(key) : fallback; }

bool Fields::flag(const std::string& key, bool fallback) {
  const Json* value = find(key);
  if (!value) return fallback;
  if (!value->is_boolean()) throw error(key, std::string("must be true or false, is ") + value->type_name());
  return value->get<bool>();
}

std::vector<std::string> Fields::texts(const std::string& key) {
  std::vector<std::string> result;
  const Json* value = find(key);
  if (!value) return result;
  if (!value->is_array()) throw error(key, std::string("must be an array of strings, is ") + value->type_name());
  for (const Json& item : *value) {
    if (!item.is_string()) throw error(key, std::string("must hold strings only, holds ") + item.type_name());
    result.push_back(item.get<std::string>());
  }
  return result;
}

void Fields::finish() const {
  for (const auto& [key, value] : object_.items()) {
    if (asked_.count(key)) continue;
    std::string known;
    for (const std::string& name : asked_) known += (known.empty() ? "" : ", ") + name;
    throw Error("read", file_, (place_.empty() ? std::string("/") : place_) + ": unknown key \"" + key +
                                   "\" (known here: " + known + ")");
  }
}

}  // namespace assay
