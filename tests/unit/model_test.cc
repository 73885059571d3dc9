#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/fd.h"
#include "base/random.h"
#include "model/conversation.h"
#include "model/endpoint.h"
#include "model/exchange.h"
#include "model/failure.h"
#include "model/models.h"
#include "model/reply.h"
#include "model/request.h"
#include "model/retry.h"
#include "model/sse.h"

using namespace assay;

namespace {

// Events as text, so that rows compare: TYPE|DATA|COMMENT.
std::vector<std::string> shown(const std::vector<SseEvent>& events) {
  std::vector<std::string> lines;
  for (const SseEvent& e : events) lines.push_back(e.type + "|" + e.data + "|" + e.comment);
  return lines;
}

std::vector<std::string> events_of(std::initializer_list<std::string_view> pushes) {
  SseParser parser;
  std::vector<std::string> all;
  for (std::string_view bytes : pushes)
    for (const std::string& line : shown(parser.feed(bytes))) all.push_back(line);
  return all;
}

std::string chunk(const std::string& delta, const std::string& finish = "") {
  return R"(data: {"id":"r","choices":[{"index":0,"delta":)" + delta + R"(,"finish_reason":)" +
         (finish.empty() ? "null" : "\"" + finish + "\"") + "}]}\n\n";
}

std::variant<Turn, Failure> reply_to(const std::string& stream) {
  Reply reply({}, 30);
  reply.feed(stream);
  return reply.finish();
}

Conversation talk_of(const std::string& lines) {
  auto [in, out] = make_pipe();
  write_all(out.get(), lines, "pipe");
  out.reset();
  LineReader reader(in.get(), "t");
  return read_conversation(reader);
}

}  // namespace

TEST_CASE("server-sent events, by the standard") {
  struct Row {
    std::string stream;
    std::vector<std::string> events;
  };
  for (const Row& row : std::vector<Row>{
           {"data: a\n\n", {"|a|"}},
           {"data:a\n\ndata:  b\n\n", {"|a|", "| b|"}},                   // one space is the separator's
           {"data: a\r\n\r\ndata: b\r\rdata: c\n\n", {"|a|", "|b|", "|c|"}},
           {"data: a\ndata: b\ndata\n\n", {"|a\nb\n|"}},                  // a field without a colon is empty
           {"event: error\n:HTTP_STATUS/429\ndata: x\n\ndata: y\n\n", {"error|x|HTTP_STATUS/429\n", "|y|"}},
           {": keep-alive\n\n: keep-alive\n\n", {}},
           {"event: e\n\ndata: x\n\n", {"|x|"}},                          // no data: nothing, and its type is forgotten
           {"data\n\n", {"||"}},
           {"data: unfinished", {}},
           {"data: unfinished\n", {}},
           {"\xEF\xBB\xBF" "data: x\n\n", {"|x|"}},
           {"data: x\n\n\xEF\xBB\xBF" "data: y\n\n", {"|x|"}},             // only the stream's first bytes are a mark
           {"id: 1\nretry: 5\nother: z\ndatax: q\ndata: x\n\n", {"|x|"}},
           {"data: {\"a\":\"b: c\"}\n\n", {"|{\"a\":\"b: c\"}|"}},
       }) {
    CAPTURE(row.stream);
    CHECK(events_of({row.stream}) == row.events);
  }
}

TEST_CASE("server-sent events: wherever the stream is cut, once or twice, the same events come out") {
  const std::string stream =
      "\xEF\xBB\xBF:hi\r\n\r\nevent: error\r\ndata: na\xC3\xAFve\r\ndata: \xF0\x9F\x98\x80\r\n\r\n"
      "data: b\rdata: c\r\r\n\ndata: d\n\n";
  const std::vector<std::string> expected = events_of({stream});
  CHECK(expected == std::vector<std::string>{"error|na\xC3\xAFve\n\xF0\x9F\x98\x80|", "|b\nc|", "|d|"});
  std::string_view all = stream;
  for (size_t i = 0; i <= all.size(); ++i)
    for (size_t j = i; j <= all.size(); ++j)
      REQUIRE(events_of({all.substr(0, i), all.substr(i, j - i), all.substr(j)}) == expected);
}

TEST_CASE("server-sent events: random bytes, in random pieces, never differ from the whole") {
  const std::string alphabet = "\r\n\n:: dataevent\xEF\xBB\xBF";
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string stream;
    for (uint64_t n = random.below(60); n > 0; --n)
      stream += random.below(4) ? std::string(1, alphabet[random.below(alphabet.size())]) : "data:";
    std::vector<std::string> pieces;
    SseParser parser;
    for (size_t at = 0; at < stream.size();) {
      size_t size = 1 + random.below(8);
      std::vector<std::string> some = shown(parser.feed(std::string_view(stream).substr(at, size)));
      pieces.insert(pieces.end(), some.begin(), some.end());
      at += size;
    }
    REQUIRE(pieces == events_of({stream}));
  }
}

TEST_CASE("a reply's finish_reason, from what was said and how it ended") {
  const std::string call = R"({"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]})";
  struct Row {
    std::string delta, finish, expected;
  };
  for (const Row& row : std::vector<Row>{
           {R"({"content":"x"})", "stop", "stop"},
           {call, "tool_calls", "tool_calls"},
           {call, "stop", "tool_calls"},
           {call, "length", "truncated"},
           {R"({"content":"x"})", "length", "length"},
           {R"({"content":" \n"})", "stop", "empty"},
           {R"({"content":null,"reasoning_content":"x"})", "stop", "empty"},
           {"{}", "tool_calls", "empty"},
       }) {
    CAPTURE(row.delta);
    std::variant<Turn, Failure> result = reply_to(chunk(row.delta) + chunk("{}", row.finish));
    REQUIRE(std::holds_alternative<Turn>(result));
    CHECK(std::get<Turn>(result).finish_reason == row.expected);
    CHECK(std::get<Turn>(result).tool_calls.empty() == (row.expected != "tool_calls"));
  }
}

TEST_CASE("no cut of a stream before its finish_reason gives a turn, and no chunk of another shape does harm") {
  const std::string said = chunk(R"({"content":"x"})") +
                           chunk(R"({"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]})");
  const std::string whole = said + chunk("{}", "tool_calls");
  for (size_t n = 0; n < whole.size(); ++n) CHECK(std::holds_alternative<Failure>(reply_to(whole.substr(0, n))));
  CHECK(std::holds_alternative<Turn>(reply_to(whole)));
  for (const char* odd : {"7", "[]", "null", "\"x\"", R"({"choices":[{"delta":{"content":7}}]})",
                          R"({"choices":[{"delta":{"tool_calls":[{"index":"x"}]}}]})", R"({"choices":7})",
                          R"({"choices":[{"delta":{"tool_calls":[7]}}]})", R"({"choices":[{"delta":[]}]})",
                          R"({"choices":{"a":1}})", R"({"usage":7})", R"({"choices":[{"finish_reason":{}}]})"})
    CHECK_NOTHROW(reply_to(std::string("data: ") + odd + "\n\n" + whole));
}

TEST_CASE("errors are classified by what they say, then by their status") {
  struct Row {
    long status;
    std::string body;
    Reason reason;
    bool retry;
  };
  for (const Row& row : std::vector<Row>{
           {401, R"({"error":{"code":"throttling"}})", Reason::auth, false},
           {403, "", Reason::auth, false},
           {402, "", Reason::quota, false},
           {429, "", Reason::rate_limited, true},
           {429, R"({"error":{"code":"insufficient_quota","message":"m"}})", Reason::quota, true},
           {429, R"({"code":"Throttling.AllocationQuota","message":"m"})", Reason::quota, true},
           {400, R"({"code":"Throttling.RateQuota","message":"m"})", Reason::rate_limited, true},
           {400, R"({"code":"Arrearage","message":"m"})", Reason::quota, false},
           {400, R"({"error":{"message":"Range of input length should be [1, 9]"}})", Reason::context_exceeded, false},
           {400, R"({"error":{"code":"context_length_exceeded"}})", Reason::context_exceeded, false},
           {413, "", Reason::context_exceeded, false},
           {400, R"({"error":{"code":"data_inspection_failed"}})", Reason::inspection, false},
           {400, R"({"code":"DataInspectionFailed"})", Reason::inspection, false},
           {400, R"({"error":{"code":7,"message":null}})", Reason::bad_request, false},
           {404, "<html>", Reason::bad_request, false},
           {500, "", Reason::server, true},
           {529, R"({"error":"overloaded"})", Reason::server, true},
           {302, "", Reason::protocol, false},
           {200, R"({"error":{"code":"who knows"}})", Reason::server, true},
           {200, R"({"code":"InvalidApiKey"})", Reason::auth, false},
       }) {
    CAPTURE(row.body);
    Failure failure = classify(row.status, row.body);
    CHECK(std::string(name_of(failure.reason)) == name_of(row.reason));
    CHECK(failure.retry == row.retry);
    CHECK_FALSE(failure.message.empty());
  }
  CHECK(classify(400, R"({"error":{"code":"c","message":"m"},"request_id":"r"})").message ==
        "HTTP 400: c: m (request r)");
}

TEST_CASE("an excerpt is one line of whole characters") {
  CHECK(excerpt("a\r\n\tb\x1b[31m\n") == "a b [31m");
  CHECK(excerpt(std::string(511, 'x') + "\xC3\xA4").size() == 511);
  CHECK(excerpt(std::string(510, 'x') + "\xC3\xA4").size() == 512);
}

TEST_CASE("how long to wait") {
  struct Row {
    Failure failure;
    int attempt;
    double left_s, low, high;  // low negative: give up
  };
  for (const Row& row : std::vector<Row>{
           {{Reason::server, "", true}, 1, 100, 0.5, 1},
           {{Reason::server, "", true}, 4, 100, 4, 8},
           {{Reason::server, "", true}, 30, 100, 30, 60},
           {{Reason::server, "", true}, 31, 100, -1, 0},     // no retry left
           {{Reason::server, "", false}, 1, 100, -1, 0},
           {{Reason::rate_limited, "", true}, 1, 100, 60, 90},
           {{Reason::rate_limited, "", true}, 1, 59, -1, 0}, // it would outlast the deadline
           {{Reason::rate_limited, "", true, 7}, 1, 100, 7, 7},
           {{Reason::server, "", true, 200}, 1, 100, -1, 0},
       }) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      Random random(seed);
      std::optional<double> wait_s = wait_before_retry(row.failure, row.attempt, 30, row.left_s, random);
      CHECK(wait_s.has_value() == (row.low >= 0));
      if (wait_s) CHECK((*wait_s >= row.low && *wait_s <= row.high));
    }
  }
}

TEST_CASE("which key goes where") {
  struct Row {
    const char* url;
    std::optional<std::string> named;
    const char* key_env;  // nullptr: refused
  };
  for (const Row& row : std::vector<Row>{
           {default_base_url, {}, "DASHSCOPE_API_KEY"},
           {"https://dashscope-intl.aliyuncs.com/compatible-mode/v1/", {}, "DASHSCOPE_API_KEY"},
           {"https://w.cn-beijing.maas.aliyuncs.com/v1", {}, "DASHSCOPE_API_KEY"},
           {"https://evil-aliyuncs.com/v1", {}, nullptr},
           {"https://aliyuncs.com.evil.example/v1", {}, nullptr},
           {"http://dashscope.aliyuncs.com/v1", {}, nullptr},
           {"http://127.0.0.1:80/v1", {}, ""},
           {"http://127.1.2.3/v1", {}, ""},
           {"http://[::1]:80/v1", {}, ""},
           {"http://localhost/v1", "MINE", "MINE"},
           {"http://127.0.0.1.example.com/v1", {}, nullptr},
           {"https://example.com/v1", "MINE", "MINE"},
           {"https://127.0.0.1@example.com/v1", "MINE", nullptr},
           {"https://example.com/v1?key=1", "MINE", nullptr},
           {"ftp://example.com/", "MINE", nullptr},
           {"", {}, nullptr},
       }) {
    CAPTURE(row.url);
    if (!row.key_env) {
      CHECK_THROWS_AS(make_endpoint(row.url, row.named), Error);
    } else {
      Endpoint endpoint = make_endpoint(row.url, row.named);
      CHECK(endpoint.key_env == row.key_env);
      CHECK(endpoint.url.ends_with("v1/chat/completions"));
    }
  }
  CHECK(redact("a KEY, KEYKEY", "KEY") == "a [key], [key][key]");
}

TEST_CASE("a longer conversation's request begins with the shorter one's bytes") {
  const std::string first = R"({"role":"user","content":"é","zeta":1,"alpha":{"b":1,"a":2}})" "\n";
  const std::string turn =
      R"({"kind":"turn","v":1,"message":{"role":"assistant","content":"x","reasoning_content":"r"}})" "\n";
  RequestOptions options{.model = "m"};
  std::string shorter = request_body(options, talk_of(first));
  std::string longer = request_body(options, talk_of(first + "{\"kind\":\"note\"}\n" + turn));
  CHECK(longer.starts_with(shorter.substr(0, shorter.size() - 2)));
  CHECK(longer.ends_with(R"(,{"role":"assistant","content":"x"}]})"));
  options.preserve_thinking = true;
  CHECK(request_body(options, talk_of(first + turn)).ends_with(R"("content":"x","reasoning_content":"r"}]})"));
}

TEST_CASE("the price of a turn") {
  Usage usage{.prompt_tokens = 1'000'000, .completion_tokens = 100'000, .cached_tokens = 500'000};
  std::optional<TurnCost> cost = price("qwen3.7-max-2026-05-20", "dashscope.aliyuncs.com", usage);
  REQUIRE(cost);
  CHECK(cost->amount == doctest::Approx(6 + 1.2 + 3.6));
  CHECK(cost->currency == "CNY");
  CHECK_FALSE(price("qwen3.7-max", "127.0.0.1", usage));
  CHECK_FALSE(price("qwen3.7-maximal", "dashscope.aliyuncs.com", usage));
}

TEST_CASE("an exchange comes back as it went into the file, bytes that are no UTF-8 included") {
  TempDir dir("assay-test");
  std::string path = dir.path() + "/wire.jsonl";
  replace_file(path, "{\"torn");
  Exchange a{.request_sha256 = "1", .outcome = "server", .response = "no"};
  Exchange b{.request_sha256 = "1", .attempt = 2, .outcome = "turn", .time_s = 1.5,
             .response = std::string("data: \xff\0\n\n", 10)};
  b.reply = {.status = 200, .end = End::stopped};
  Recorder recorder(path);
  recorder.append(a);
  recorder.append(b);
  recorder.append(a);
  std::optional<Exchange> found = find_exchange(path, "1");
  REQUIRE(found);
  CHECK(found->response == b.response);
  CHECK(found->attempt == 2);
  CHECK(found->time_s == 1.5);
  CHECK(found->reply.end == End::stopped);
  CHECK_FALSE(find_exchange(path, "2"));
  replace_file(path, "{}\n");
  CHECK_THROWS_AS(find_exchange(path, "1"), Error);
}
