#include "model/http.h"

#include <curl/curl.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "base/clock.h"
#include "base/error.h"

namespace assay {
namespace {

constexpr long connect_timeout_ms = 30'000;

using Easy = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using Multi = std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)>;

class Headers {
 public:
  ~Headers() { curl_slist_free_all(list_); }
  void add(const std::string& line) {
    curl_slist* longer = curl_slist_append(list_, line.c_str());
    if (!longer) throw Error("start", "curl", "out of memory");
    list_ = longer;
  }
  curl_slist* get() const { return list_; }

 private:
  curl_slist* list_ = nullptr;
};

// What the write callback shares with the loop around it.
struct Sink {
  CURL* easy;
  const std::function<bool(long, std::string_view)>& on_bytes;
  bool stopped = false;
  std::exception_ptr thrown;  // an exception must not pass through curl
};

size_t on_write(char* bytes, size_t size, size_t count, void* context) {
  Sink& sink = *static_cast<Sink*>(context);
  long status = 0;
  curl_easy_getinfo(sink.easy, CURLINFO_RESPONSE_CODE, &status);
  try {
    sink.stopped = sink.on_bytes(status, {bytes, size * count});
  } catch (...) {
    sink.thrown = std::current_exception();
  }
  return sink.stopped || sink.thrown ? 0 : size * count;  // a short count ends the transfer
}

}  // namespace

HttpReply post(const Post& what, const std::function<bool(long, std::string_view)>& on_bytes,
               const std::function<int64_t()>& deadline) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  Headers headers;  // outlives the handles
  Easy easy(curl_easy_init(), curl_easy_cleanup);
  Multi multi(curl_multi_init(), curl_multi_cleanup);
  if (started != CURLE_OK || !easy || !multi) throw Error("start", "curl", "it could not be initialised");
  headers.add("Content-Type: application/json");
  headers.add("Accept: text/event-stream");
  headers.add("Expect:");  // no pause before a long body
  if (!what.key.empty()) headers.add("Authorization: Bearer " + what.key);
  Sink sink{easy.get(), on_bytes};
  char cause[CURL_ERROR_SIZE] = "";
  CURL* e = easy.get();
  curl_easy_setopt(e, CURLOPT_URL, what.url.c_str());
  curl_easy_setopt(e, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(what.body.size()));
  curl_easy_setopt(e, CURLOPT_POSTFIELDS, what.body.c_str());
  curl_easy_setopt(e, CURLOPT_USERAGENT, "assay/" ASSAY_VERSION);
  curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, connect_timeout_ms);
  curl_easy_setopt(e, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(e, CURLOPT_ERRORBUFFER, cause);
  curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_write);
  curl_easy_setopt(e, CURLOPT_WRITEDATA, &sink);
  if (what.direct) curl_easy_setopt(e, CURLOPT_PROXY, "");

  HttpReply reply;
  CURLcode result = CURLE_OK;
  curl_multi_add_handle(multi.get(), e);
  for (int running = 1;;) {
    curl_multi_perform(multi.get(), &running);
    if (running == 0) break;
    int64_t left_ns = deadline() - now_ns();
    if (left_ns <= 0) {
      reply.end = End::timed_out;
      break;
    }
    int wait_ms = static_cast<int>(std::min<int64_t>(left_ns / 1'000'000 + 1, 1000));
    curl_multi_poll(multi.get(), nullptr, 0, wait_ms, nullptr);
  }
  int left = 0;
  while (CURLMsg* message = curl_multi_info_read(multi.get(), &left))
    if (message->msg == CURLMSG_DONE) result = message->data.result;
  curl_easy_getinfo(e, CURLINFO_RESPONSE_CODE, &reply.status);
  curl_off_t retry_after = 0;
  if (curl_easy_getinfo(e, CURLINFO_RETRY_AFTER, &retry_after) == CURLE_OK && retry_after > 0)
    reply.retry_after_s = static_cast<double>(retry_after);
  curl_multi_remove_handle(multi.get(), e);
  if (sink.thrown) std::rethrow_exception(sink.thrown);
  if (sink.stopped) {
    reply.end = End::stopped;
  } else if (reply.end != End::timed_out && result != CURLE_OK) {
    reply.end = End::broken;
    reply.certificate = result == CURLE_PEER_FAILED_VERIFICATION || result == CURLE_SSL_CACERT_BADFILE;
    reply.cause = *cause ? cause : curl_easy_strerror(result);
  }
  return reply;
}

}  // namespace assay
