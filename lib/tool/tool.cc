#include "tool/tool.h"

#include <getopt.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/fd.h"
#include "base/lines.h"

namespace assay {
namespace {

constexpr int long_only = 1000;  // above every letter

std::string short_options(const std::vector<Option>& options) {
  std::string text = "+";  // options end at the first operand: what follows may be another command
  for (const Option& o : options)
    if (o.letter) text += std::string(1, o.letter) + (o.argument ? ":" : "");
  return text;
}

std::string plain(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

void check_status(const Json& record) {
  auto status = record.find("status");
  if (status != record.end() && *status != "ok" && *status != "rejected" && *status != "error")
    throw Error("read", "record", "/status must be \"ok\", \"rejected\" or \"error\", is " + status->dump(-1, ' ', false, Json::error_handler_t::replace));
}

// Opens /dev/null where 0, 1 or 2 is closed: else the first file opened takes its number and is written to as stderr.
void occupy_standard_descriptors() {
  for (;;) {
    Fd fd = open_file("/dev/null", 2);
    if (fd.get() > 2) return;
    fd.release();
  }
}

}  // namespace

int run_tool(const Tool& tool, int argc, char** argv,
             const std::function<int(const std::vector<std::string>& operands)>& body) {
  try {
    occupy_standard_descriptors();
    std::vector<Option> options = tool.options;
    std::string print;
    options.push_back({"help", 'h', nullptr, [&](const std::string&) { print = tool.usage; }});
    options.push_back({"version", 0, nullptr, [&](const std::string&) {
                         print = std::string(tool.name) + " (Assay) " ASSAY_VERSION "\n";
                         for (const std::string& feature : tool.features) print += feature + "\n";
                       }});
    options.push_back({"schema", 0, nullptr, [&](const std::string&) { print = tool.schema(); }});
    std::vector<::option> table;
    for (size_t i = 0; i < options.size(); ++i)
      table.push_back({options[i].name, options[i].argument ? required_argument : no_argument, nullptr,
                       long_only + static_cast<int>(i)});
    table.push_back({nullptr, 0, nullptr, 0});
    std::string letters = short_options(options);
    std::string name = tool.name;
    argv[0] = name.data();  // getopt names the program in its messages
    for (int found; (found = ::getopt_long(argc, argv, letters.c_str(), table.data(), nullptr)) != -1;) {
      if (found == '?') {
        std::fprintf(stderr, "%s: try '%s --help'\n", tool.name, tool.name);
        return exit_failed;
      }
      for (size_t i = 0; i < options.size(); ++i)
        if (found == options[i].letter || found == long_only + static_cast<int>(i))
          options[i].set(::optarg && options[i].argument ? ::optarg : "");
      if (!print.empty()) {
        write_all(1, print, "standard output");
        return exit_accepted;
      }
    }
    return body({argv + ::optind, argv + argc});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", tool.name, e.what());
    return exit_failed;
  }
}

int64_t parse_integer(const std::string& option, const std::string& value, int64_t low, int64_t high) {
  int64_t number = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < low || number > high)
    throw Error("read", option,
                "needs an integer from " + std::to_string(low) + " to " + std::to_string(high) + ", got '" + value + "'");
  return number;
}

double parse_number(const std::string& option, const std::string& value, double low, double high) {
  double number = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || !(number >= low && number <= high))
    throw Error("read", option, "needs a number from " + plain(low) + " to " + plain(high) + ", got '" + value + "'");
  return number;
}

int filter_records(const std::string& stage, const std::function<void(Json& record, const Candidate&)>& judge) {
  LineReader lines(0, "standard input");
  int code = exit_accepted;
  while (std::optional<std::string> line = lines.next()) {
    if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
    Json record;
    try {
      record = parse_json(*line, "record");
      if (!record.is_object())
        throw Error("read", "record", "must be a JSON object");
      if (is_candidate(record)) check_status(record);
      if (is_candidate(record) && is_ok(record)) judge(record, read_candidate(record));
    } catch (const std::exception& e) {
      if (record.is_object())
        fail(record, stage, e.what());
      else
        record = error_record(stage, e.what());
      std::fprintf(stderr, "%s: standard input:%zu: %s\n", program_invocation_short_name, lines.line(), e.what());
    }
    write_record(1, record);
    auto status = record.find("status");
    if (status != record.end() && *status == "error") code = exit_failed;
    if (status != record.end() && *status == "rejected" && code == exit_accepted) code = exit_rejected;
  }
  return code;
}

}  // namespace assay
