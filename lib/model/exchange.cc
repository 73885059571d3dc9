#include "model/exchange.h"

#include <fcntl.h>
#include <nettle/base64.h>
#include <sys/file.h>
#include <unistd.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/fd.h"
#include "base/lines.h"
#include "record/fields.h"
#include "record/json.h"

namespace assay {
namespace {

const std::map<std::string, End> ends = {
    {"whole", End::whole}, {"stopped", End::stopped}, {"timed_out", End::timed_out}, {"broken", End::broken}};

std::string name_of(End end) {
  for (const auto& [name, value] : ends)
    if (value == end) return name;
  return "broken";
}

bool is_utf8(const std::string& text) {
  try {
    Json(text).dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

std::string to_base64(const std::string& bytes) {
  std::string text(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
  base64_encode_raw(text.data(), bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data()));
  return text;
}

std::string from_base64(const std::string& text, const Fields& fields) {
  base64_decode_ctx context;
  base64_decode_init(&context);
  std::string bytes(BASE64_DECODE_LENGTH(text.size()), '\0');
  size_t size = bytes.size();
  if (!base64_decode_update(&context, &size, reinterpret_cast<uint8_t*>(bytes.data()), text.size(), text.data()) ||
      !base64_decode_final(&context))
    throw fields.error("response_base64", "is no base64");
  bytes.resize(size);
  return bytes;
}

Json to_json(const Exchange& x) {
  Json record = {{"kind", "exchange"},
                 {"v", 1},
                 {"request_sha256", x.request_sha256},
                 {"attempt", x.attempt},
                 {"outcome", x.outcome},
                 {"status", x.reply.status},
                 {"end", name_of(x.reply.end)}};
  if (!x.reply.cause.empty()) record["cause"] = x.reply.cause;
  if (x.reply.certificate) record["certificate"] = true;
  if (x.reply.retry_after_s >= 0) record["retry_after_s"] = x.reply.retry_after_s;
  record["time_s"] = x.time_s;
  record["first_byte_s"] = x.first_byte_s;
  if (is_utf8(x.response))
    record["response"] = x.response;
  else
    record["response_base64"] = to_base64(x.response);
  return record;
}

Exchange from_json(const Json& record, const std::string& where) {
  Fields fields(record, where, "");
  Exchange x;
  if (fields.text("kind") != "exchange") throw fields.error("kind", "must be \"exchange\"");
  if (fields.integer("v") != 1) throw fields.error("v", "must be 1");
  x.request_sha256 = fields.text("request_sha256");
  x.attempt = static_cast<int>(fields.integer("attempt"));
  x.outcome = fields.text("outcome");
  x.reply.status = fields.integer("status");
  auto end = ends.find(fields.text("end"));
  if (end == ends.end()) throw fields.error("end", "must be whole, stopped, timed_out or broken");
  x.reply.end = end->second;
  x.reply.cause = fields.text("cause", "");
  x.reply.certificate = fields.flag("certificate", false);
  x.reply.retry_after_s = fields.number("retry_after_s", -1);
  x.time_s = fields.number("time_s");
  x.first_byte_s = fields.number("first_byte_s");
  x.response = fields.find("response_base64") ? from_base64(fields.text("response_base64"), fields)
                                              : fields.text("response");
  return x;
}

// How many bytes of the file end in a newline.
off_t whole_bytes(int fd, const std::string& path) {
  off_t size = ::lseek(fd, 0, SEEK_END);
  if (size < 0) throw errno_error("seek", path);
  char c = 0;
  while (size > 0) {
    if (::pread(fd, &c, 1, size - 1) != 1) throw errno_error("read", path);
    if (c == '\n') break;
    --size;
  }
  return size;
}

}  // namespace

Recorder::Recorder(const std::string& path)
    : path_(path), fd_(open_file(path, O_RDWR | O_CREAT | O_APPEND, 0600)) {}

void Recorder::append(const Exchange& exchange) {
  if (::flock(fd_.get(), LOCK_EX) < 0) throw errno_error("lock", path_);
  if (::ftruncate(fd_.get(), whole_bytes(fd_.get(), path_)) < 0) throw errno_error("truncate", path_);
  write_all(fd_.get(), to_line(to_json(exchange)), path_);
  if (::fsync(fd_.get()) < 0) throw errno_error("sync", path_);
  if (::flock(fd_.get(), LOCK_UN) < 0) throw errno_error("unlock", path_);
}

std::optional<Exchange> find_exchange(const std::string& path, const std::string& request_sha256) {
  Fd fd = open_file(path, O_RDONLY);
  LineReader lines(fd.get(), path);
  std::optional<Exchange> found;
  while (std::optional<std::string> line = lines.next()) {
    if (!lines.terminated()) break;
    std::string where = path + ":" + std::to_string(lines.line());
    Exchange x = from_json(parse_json(*line, where), where);
    if (x.request_sha256 != request_sha256) continue;
    found = std::move(x);
    if (found->outcome == "turn") break;
  }
  return found;
}

}  // namespace assay
