// Where a chat completion is asked for, and with which key.
//
// The key is read from an environment variable and goes nowhere but into the Authorization header of a request to this
// endpoint: not into arguments, records, messages or core files.
#pragma once

#include <optional>
#include <string>

namespace assay {

constexpr const char* default_base_url = "https://dashscope.aliyuncs.com/compatible-mode/v1";
constexpr const char* default_key_env = "DASHSCOPE_API_KEY";

struct Endpoint {
  std::string url;       // BASE/chat/completions
  std::string host;
  bool loopback = false; // 127.0.0.0/8, ::1 or localhost: needs no key, and no proxy is asked
  std::string key_env;   // where the key is looked for; empty: no key is sent
};

// `key_env` is what the user named, if anything. The default key is for its own provider's hosts only: another host
// needs its key named, so that a mistyped URL never receives the default one. Throws Error if the URL is not plain
// http(s), carries credentials or a query, or would send a key unencrypted to another machine.
Endpoint make_endpoint(const std::string& base_url, const std::optional<std::string>& key_env);

// The key, or empty where the endpoint needs none. Throws Error if the variable is unset or holds what no key holds.
std::string read_key(const Endpoint& endpoint);

// Replaces every occurrence of the key: servers quote it in their complaints.
std::string redact(std::string text, const std::string& key);

}  // namespace assay
