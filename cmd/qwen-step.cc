#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/lines.h"
#include "model/request.h"
#include "model/signals.h"
#include "model/step.h"
#include "tool/tool.h"

using namespace assay;

namespace {

const char* usage =
    R"(qwen-step: take one turn of a language model.

  qwen-step --model qwen3.7-max [options] <transcript.jsonl >turn.json

Reads a conversation, a chat message or a turn record a line; asks an OpenAI-compatible server for the next turn,
streamed; writes it as one record. Appended to the transcript, it is part of the next request.

  --model NAME               the model
  --base-url URL             where /chat/completions is; default: Alibaba Cloud Model Studio
  --key-env NAME             the variable that holds the key; default DASHSCOPE_API_KEY for *.aliyuncs.com, none for
                             a server on this machine; any other host needs this option
  --tools FILE               a JSON array of tools
  --enable-thinking, --no-thinking
  --preserve-thinking        send earlier turns' reasoning back (it is charged as input)
  --thinking-budget N        at most N tokens of thinking
  --max-completion-tokens N  at most N tokens of thinking and answer
  --retries N                ask again at most N times (6)
  --deadline SECONDS         for everything, waits included (3600)
  --first-event-timeout SECONDS   for the first event of a reply (600)
  --idle-timeout SECONDS     between two events of a reply (240)
  --record FILE              append what the server sent, for --replay
  --replay FILE              answer from FILE, without a network; with --record, ask for what FILE does not hold
  --dry-run                  write the request and how the options became its fields; ask nobody

Exit: 0 a whole turn; 2 none, with the reason on stderr and as an error record on stdout.
Example, a question to a server on this machine:
  echo '{"role":"user","content":"Hello"}' | qwen-step --model local --base-url http://127.0.0.1:8080/v1 |
    jq -r .message.content
)";

struct Options {
  RequestOptions request;
  StepOptions step;
  std::string base_url = default_base_url;
  std::optional<std::string> key_env;
  bool dry_run = false;
};

int run(Options& o) {
  if (o.request.model.empty()) throw Error("read", "--model", "is missing; name the model");
  o.step.model = o.request.model;
  o.step.endpoint = make_endpoint(o.base_url, o.key_env);
  LineReader lines(STDIN_FILENO, "standard input");
  Conversation talk = read_conversation(lines);
  std::string body = request_body(o.request, talk);
  if (o.dry_run) {
    write_record(STDOUT_FILENO, describe_request(o.step.endpoint, body));
    return exit_accepted;
  }
  if (::isatty(STDERR_FILENO))
    o.step.notice = [](const std::string& line) { std::fprintf(stderr, "qwen-step: %s\n", line.c_str()); };
  Random random(unpredictable_seed());
  Step step = take_step(o.step, body, talk, random);
  hold_signals();  // a record is written whole or not at all
  if (const Turn* turn = std::get_if<Turn>(&step.result)) {
    write_record(STDOUT_FILENO, to_json(*turn));
    return exit_accepted;
  }
  const Failure& failure = std::get<Failure>(step.result);
  std::fprintf(stderr, "qwen-step: %s: %s\n", name_of(failure.reason), failure.message.c_str());
  write_record(STDOUT_FILENO, turn_error(name_of(failure.reason), failure.message, step.attempts, step.time_s));
  return exit_failed;
}

std::function<void(const std::string&)> text(std::string& target) {
  return [&target](const std::string& v) { target = v; };
}
std::function<void(const std::string&)> tokens(const char* option, std::optional<int64_t>& target) {
  return [&target, option](const std::string& v) { target = parse_integer(option, v, 1, INT32_MAX); };
}
std::function<void(const std::string&)> seconds(const char* option, double& target) {
  return [&target, option](const std::string& v) { target = parse_number(option, v, 0.01, 30 * 86400); };
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  RequestOptions& r = o.request;
  StepOptions& s = o.step;
  Tool tool{.name = "qwen-step", .usage = usage, .schema = turn_schema, .options = {
    {"model", 0, "NAME", text(r.model)},
    {"base-url", 0, "URL", text(o.base_url)},
    {"key-env", 0, "NAME", [&](const std::string& v) { o.key_env = v; }},
    {"tools", 0, "FILE", text(r.tools_file)},
    {"enable-thinking", 0, nullptr, [&](const std::string&) { r.enable_thinking = true; }},
    {"no-thinking", 0, nullptr, [&](const std::string&) { r.enable_thinking = false; }},
    {"preserve-thinking", 0, nullptr, [&](const std::string&) { r.preserve_thinking = true; }},
    {"thinking-budget", 0, "N", tokens("--thinking-budget", r.thinking_budget)},
    {"max-completion-tokens", 0, "N", tokens("--max-completion-tokens", r.max_completion_tokens)},
    {"retries", 0, "N", [&](const std::string& v) { s.retries = parse_integer("--retries", v, 0, 1000); }},
    {"deadline", 0, "SECONDS", seconds("--deadline", s.deadline_s)},
    {"first-event-timeout", 0, "SECONDS", seconds("--first-event-timeout", s.first_event_s)},
    {"idle-timeout", 0, "SECONDS", seconds("--idle-timeout", s.idle_s)},
    {"record", 0, "FILE", text(s.record_file)},
    {"replay", 0, "FILE", text(s.replay_file)},
    {"dry-run", 0, nullptr, [&](const std::string&) { o.dry_run = true; }},
  }};
  return run_tool(tool, argc, argv, [&](const std::vector<std::string>& operands) {
    if (!operands.empty()) throw Error("read", operands[0], "the conversation is read from standard input; use <FILE");
    return run(o);
  });
}
