#include "model/endpoint.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <sys/prctl.h>

#include <cstdlib>
#include <memory>

#include "base/error.h"

namespace assay {
namespace {

class Url {
 public:
  explicit Url(const std::string& text) : text_(text), url_(curl_url(), curl_url_cleanup) {
    CURLUcode code = curl_url_set(url_.get(), CURLUPART_URL, text.c_str(), 0);
    if (code != CURLUE_OK) throw Error("read", "--base-url", "'" + text + "' is no URL: " + curl_url_strerror(code));
  }
  std::string part(CURLUPart which) const {  // empty if absent
    char* text = nullptr;
    if (curl_url_get(url_.get(), which, &text, 0) != CURLUE_OK) return "";
    std::unique_ptr<char, decltype(&curl_free)> owner(text, curl_free);
    return text;
  }

 private:
  std::string text_;
  std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url_;
};

bool is_loopback(const std::string& host) {
  in_addr v4;
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  return host == "localhost" || host == "[::1]";
}

}  // namespace

Endpoint make_endpoint(const std::string& base_url, const std::optional<std::string>& key_env) {
  Url url(base_url);
  std::string scheme = url.part(CURLUPART_SCHEME);
  if (scheme != "https" && scheme != "http")
    throw Error("read", "--base-url", "'" + base_url + "' must begin with https:// or http://");
  if (!url.part(CURLUPART_USER).empty() || !url.part(CURLUPART_PASSWORD).empty())
    throw Error("read", "--base-url", "must hold no user or password; put the key into a variable (--key-env)");
  if (!url.part(CURLUPART_QUERY).empty() || !url.part(CURLUPART_FRAGMENT).empty())
    throw Error("read", "--base-url", "must end with its path; " + base_url + " has more");

  Endpoint endpoint;
  endpoint.host = url.part(CURLUPART_HOST);
  endpoint.loopback = is_loopback(endpoint.host);
  endpoint.url = base_url;
  while (endpoint.url.ends_with('/')) endpoint.url.pop_back();
  endpoint.url += "/chat/completions";
  if (key_env) {
    endpoint.key_env = *key_env;
  } else if (endpoint.host.ends_with(".aliyuncs.com")) {
    endpoint.key_env = default_key_env;
  } else if (!endpoint.loopback) {
    throw Error("use", endpoint.host, std::string("name the variable that holds its key with --key-env (") +
                                          default_key_env + " is sent to *.aliyuncs.com only)");
  }
  if (!endpoint.key_env.empty() && !endpoint.loopback && scheme != "https")
    throw Error("use", base_url, "a key is not sent unencrypted to another machine; use https://");
  return endpoint;
}

std::string read_key(const Endpoint& endpoint) {
  if (endpoint.key_env.empty()) return "";
  const char* value = std::getenv(endpoint.key_env.c_str());
  if (!value || !*value)
    throw Error("read", endpoint.key_env, "is not set; export it with the key of " + endpoint.host);
  for (const char* c = value; *c; ++c)
    if (*c <= ' ' || *c > '~') throw Error("read", endpoint.key_env, "holds a blank, newline or control character");
  ::prctl(PR_SET_DUMPABLE, 0);  // no core file, and no other process of this user reads our environment
  return value;
}

std::string redact(std::string text, const std::string& key) {
  if (key.empty()) return text;
  for (size_t at = 0; (at = text.find(key, at)) != std::string::npos;) text.replace(at, key.size(), "[key]");
  return text;
}

}  // namespace assay
