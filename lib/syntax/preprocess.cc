// Theory of operation. The source is cut into tokens (white space and comments are tokens too, so that the output is the
// concatenation of what is left). Between two directives the tokens form a run. A run is expanded as Prosser describes:
// tokens wait on a stack; a macro's name is replaced by its body, whose tokens carry the names they may not become again
// (a chain of hidden names), and the body goes back on the stack.
#include "syntax/preprocess.h"

#include <algorithm>
#include <deque>
#include <string_view>
#include <unordered_map>

namespace assay {
namespace {

constexpr uint32_t nothing_hidden = UINT32_MAX;
constexpr size_t deepest_hiding = 200;        // nested replacements; deeper ones stay unexpanded
constexpr size_t tokens_at_least = 200'000;   // that expansion may add
constexpr size_t tokens_a_byte = 2;
constexpr size_t bytes_at_least = size_t{1} << 20;
constexpr size_t growth = 4;                  // of the text

enum class Kind : uint8_t { space, word, text, other };

struct Token {
  std::string_view text;
  uint32_t source;
  uint32_t hidden = nothing_hidden;
  Kind kind = Kind::other;
  bool written = false;  // stands in the source just so
};

struct Macro {
  bool takes_arguments = false;
  bool variadic = false;
  std::vector<std::string_view> parameters;
  std::vector<Token> body;
};

bool starts_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (c & 0x80); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_word(char c) { return starts_word(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

class Expander {
 public:
  explicit Expander(const std::string& source) : source_(source) {
    budget_ = tokens_at_least + tokens_a_byte * source.size();
    limit_ = bytes_at_least + growth * source.size();
  }

  Expanded run() {
    size_t i = 0, run_start = 0;
    bool line_start = true;
    while (i < source_.size()) {
      char c = source_[i];
      if (line_start && (c == '#' || source_.compare(i, 2, "%:") == 0)) {
        expand_run(run_start, i);
        i = directive(i);
        run_start = i;
        continue;
      }
      if (c == '\n') line_start = true;
      if (is_space(c)) {
        ++i;
        continue;
      }
      size_t end = token_end(i);
      if (source_.compare(i, 2, "/*") != 0) line_start = false;
      if (source_.compare(i, 2, "//") == 0) line_start = true;
      i = end;
    }
    expand_run(run_start, source_.size());
    return std::move(out_);
  }

 private:
  // --- tokens

  size_t splice(size_t i) const {  // past backslash-newlines
    while (i + 1 < source_.size() && source_[i] == '\\') {
      if (source_[i + 1] == '\n') i += 2;
      else if (source_[i + 1] == '\r' && i + 2 < source_.size() && source_[i + 2] == '\n') i += 3;
      else break;
    }
    return i;
  }

  size_t quoted_end(size_t i) const {
    char quote = source_[i];
    for (++i; i < source_.size() && source_[i] != quote && source_[i] != '\n'; ++i)
      if (source_[i] == '\\') ++i;
    return std::min(i + 1, source_.size());
  }

  size_t raw_end(size_t quote) const {
    size_t open = source_.find('(', quote);
    if (open == std::string::npos || open - quote > 17) return quoted_end(quote);
    std::string close = ")" + source_.substr(quote + 1, open - quote - 1) + "\"";
    size_t end = source_.find(close, open);
    return end == std::string::npos ? source_.size() : end + close.size();
  }

  size_t token_end(size_t i) const {
    char c = source_[i];
    if (source_.compare(i, 2, "//") == 0) {
      while (i < source_.size() && source_[i] != '\n') i = source_[i] == '\\' && splice(i) != i ? splice(i) : i + 1;
      return i;
    }
    if (source_.compare(i, 2, "/*") == 0) {
      size_t end = source_.find("*/", i + 2);
      return end == std::string::npos ? source_.size() : end + 2;
    }
    if (c == '"' || c == '\'') return quoted_end(i);
    if (starts_word(c)) {
      size_t end = i;
      while (end < source_.size()) {
        size_t next = splice(end);
        if (next >= source_.size() || !in_word(source_[next])) break;
        end = next + 1;
      }
      std::string_view word(source_.data() + i, end - i);
      bool prefix = word == "R" || word == "u8R" || word == "LR" || word == "uR" || word == "UR";
      if (prefix && end < source_.size() && source_[end] == '"') return raw_end(end);
      return end;
    }
    if (is_digit(c)) {
      while (i < source_.size() && (in_word(source_[i]) || source_[i] == '.' || (source_[i] == '\'' && i + 1 < source_.size() && in_word(source_[i + 1])))) ++i;
      return i;
    }
    if (source_.compare(i, 2, "##") == 0) return i + 2;
    return i + 1;
  }

  std::vector<Token> tokens(size_t from, size_t to) {
    std::vector<Token> result;
    for (size_t i = from; i < to;) {
      size_t end = i;
      Token t{{}, static_cast<uint32_t>(i)};
      size_t spliced = splice(i);
      if (is_space(source_[i]) || spliced != i) {
        while (end < to && (is_space(source_[end]) || splice(end) != end)) end = splice(end) != end ? splice(end) : end + 1;
        t.kind = Kind::space;
      } else {
        end = std::min(std::max(token_end(i), i + 1), to);
        bool comment = source_.compare(i, 2, "//") == 0 || source_.compare(i, 2, "/*") == 0;
        t.kind = comment ? Kind::space : starts_word(source_[i]) && source_[end - 1] != '"' ? Kind::word
                 : source_[i] == '"' || source_[i] == '\'' ? Kind::text : Kind::other;
      }
      t.text = std::string_view(source_).substr(i, end - i);
      t.written = true;
      if (t.kind == Kind::word && t.text.find('\\') != std::string_view::npos) {  // split over lines
        std::string joined;
        for (char c : t.text)
          if (in_word(c)) joined += c;
        t.text = keep(std::move(joined));
        t.written = false;
      }
      result.push_back(t);
      i = end;
    }
    return result;
  }

  std::string_view keep(std::string text) {
    arena_.push_back(std::move(text));
    return arena_.back();
  }

  // --- directives

  size_t directive(size_t i) {
    size_t end = i;
    while (end < source_.size() && source_[end] != '\n') {
      if (source_.compare(end, 2, "/*") == 0 || source_[end] == '"') end = std::max(token_end(end), end + 1);
      else end = splice(end) != end ? splice(end) : end + 1;
    }
    end = std::min(end, source_.size());
    std::vector<Token> line = tokens(i, end);
    size_t at = 0;
    while (at < line.size() && line[at].kind != Kind::word) ++at;
    std::string_view name = at < line.size() ? line[at].text : std::string_view();
    if (name == "define") define(line, at + 1);
    bool tunes = false;
    if (name == "pragma") {
      ++at;
      while (at < line.size() && line[at].kind != Kind::word) ++at;
      std::string_view which = at < line.size() ? line[at].text : std::string_view();
      tunes = which == "omp" || which == "unroll" || which == "GCC" || which == "ivdep" || which == "clang" || which == "nv_diag_suppress";
    }
    std::string_view text = std::string_view(source_).substr(i, end - i);
    if (tunes && text.find("optimize") == std::string_view::npos) emit({keep(std::string(text.size(), ' ')), static_cast<uint32_t>(i)});
    else emit({text, static_cast<uint32_t>(i), nothing_hidden, Kind::other, true});
    return end;
  }

  void define(const std::vector<Token>& line, size_t at) {
    while (at < line.size() && line[at].kind == Kind::space) ++at;
    if (at >= line.size() || line[at].kind != Kind::word) return;
    std::string_view name = line[at++].text;
    Macro macro;
    if (at < line.size() && line[at].text == "(") {
      macro.takes_arguments = true;
      for (++at; at < line.size() && line[at].text != ")"; ++at) {
        if (line[at].kind == Kind::word) macro.parameters.push_back(line[at].text);
        if (line[at].text == "." && !macro.variadic) {
          macro.variadic = true;
          bool named = at && line[at - 1].kind == Kind::word;
          if (!named) macro.parameters.push_back("__VA_ARGS__");
        }
      }
      ++at;
    }
    macro.body.assign(line.begin() + static_cast<std::ptrdiff_t>(std::min(at, line.size())), line.end());
    while (!macro.body.empty() && macro.body.front().kind == Kind::space) macro.body.erase(macro.body.begin());
    while (!macro.body.empty() && macro.body.back().kind == Kind::space) macro.body.pop_back();
    auto known = macros_.find(name);
    if (known == macros_.end() || known->second.body.size() < macro.body.size()) macros_[name] = std::move(macro);
  }

  // --- expansion

  bool is_hidden(uint32_t chain, std::string_view name) const {
    size_t steps = 0;
    for (; chain != nothing_hidden; chain = hidden_[chain].second) {
      if (hidden_[chain].first == name || ++steps > deepest_hiding) return true;
    }
    return false;
  }

  void expand_run(size_t from, size_t to) {
    std::vector<Token> run = tokens(from, to);
    std::vector<Token> todo(run.rbegin(), run.rend());
    while (!todo.empty()) {
      Token t = todo.back();
      todo.pop_back();
      if (t.kind == Kind::word && t.text == "_Pragma" && !out_.gave_up) {
        std::vector<std::vector<Token>> arguments;
        if (take_arguments(todo, arguments)) continue;
      }
      auto found = t.kind == Kind::word && !out_.gave_up ? macros_.find(t.text) : macros_.end();
      if (found == macros_.end() || is_hidden(t.hidden, t.text)) {
        emit(t);
        continue;
      }
      std::vector<std::vector<Token>> arguments;
      if (found->second.takes_arguments && !take_arguments(todo, arguments)) {
        emit(t);
        continue;
      }
      replace(found->first, found->second, arguments, t, todo);
    }
  }

  // Takes "( … )" off the stack; leaves it alone if it is not there.
  bool take_arguments(std::vector<Token>& todo, std::vector<std::vector<Token>>& arguments) {
    size_t i = todo.size();
    while (i > 0 && todo[i - 1].kind == Kind::space) --i;
    if (i == 0 || todo[i - 1].text != "(") return false;
    int depth = 0;
    arguments.emplace_back();
    for (; i > 0; --i) {
      const Token& t = todo[i - 1];
      if (budget_ == 0) return false;
      --budget_;
      if (t.text == "(" && depth++ == 0) continue;
      if (t.text == ")" && --depth == 0) break;
      if (t.text == "," && depth == 1) arguments.emplace_back();
      else arguments.back().push_back(t);
    }
    if (i == 0) return false;
    todo.resize(i - 1);
    return true;
  }

  void replace(std::string_view name, const Macro& macro, std::vector<std::vector<Token>>& arguments, const Token& use,
               std::vector<Token>& todo) {
    if (macro.variadic && arguments.size() > macro.parameters.size() && !macro.parameters.empty()) {
      std::vector<Token>& last = arguments[macro.parameters.size() - 1];
      for (size_t i = macro.parameters.size(); i < arguments.size(); ++i) {
        last.push_back({",", use.source});
        last.insert(last.end(), arguments[i].begin(), arguments[i].end());
      }
    }
    uint32_t chain = static_cast<uint32_t>(hidden_.size());
    hidden_.push_back({name, use.hidden});
    std::vector<Token> result;
    auto parameter = [&](const Token& t) -> const std::vector<Token>* {
      for (size_t p = 0; t.kind == Kind::word && p < macro.parameters.size(); ++p)
        if (macro.parameters[p] == t.text) return p < arguments.size() ? &arguments[p] : &empty_;
      return nullptr;
    };
    for (size_t i = 0; i < macro.body.size(); ++i) {
      Token t = macro.body[i];
      t.written = false;
      t.source = use.source;
      t.hidden = chain;
      if (t.text == "#" && macro.takes_arguments) {
        size_t next = i + 1;
        while (next < macro.body.size() && macro.body[next].kind == Kind::space) ++next;
        if (const std::vector<Token>* argument = next < macro.body.size() ? parameter(macro.body[next]) : nullptr) {
          t.text = stringify(*argument);
          t.kind = Kind::text;
          result.push_back(t);
          i = next;
          continue;
        }
      }
      if (const std::vector<Token>* argument = parameter(t))
        for (Token a : *argument) {
          if (!spend()) return;
          a.written = false;
          result.push_back(a);
        }
      else
        result.push_back(t);
      if (!spend()) return;
    }
    paste(result);
    result.push_back({" ", use.source, chain, Kind::space});
    todo.insert(todo.end(), result.rbegin(), result.rend());
  }

  bool spend() {
    if (budget_ == 0) out_.gave_up = true;
    else --budget_;
    return !out_.gave_up;
  }

  std::string_view stringify(const std::vector<Token>& argument) {
    std::string text = "\"";
    for (const Token& t : argument)
      for (char c : t.text) {
        if (c == '"' || c == '\\') text += '\\';
        text += c == '\n' ? ' ' : c;
      }
    budget_ -= std::min(budget_, text.size() / 8);
    return keep(text + "\"");
  }

  // a ## b
  void paste(std::vector<Token>& list) {
    if (std::none_of(list.begin(), list.end(), [](const Token& t) { return t.text == "##"; })) return;
    std::vector<Token> result;
    bool glue = false;
    for (Token& t : list) {
      if (t.text == "##") {
        while (!result.empty() && result.back().kind == Kind::space) result.pop_back();
        glue = !result.empty();
      } else if (glue && t.kind == Kind::space) {
        continue;
      } else if (glue) {
        std::string joined(result.back().text);
        joined += t.text;
        budget_ -= std::min(budget_, joined.size() / 8);
        result.back().text = keep(std::move(joined));
        result.back().kind = starts_word(result.back().text[0]) ? Kind::word : result.back().kind;
        glue = false;
      } else {
        result.push_back(t);
      }
    }
    list = std::move(result);
  }

  void emit(const Token& t) {
    if (out_.text.size() + t.text.size() > limit_) {
      out_.gave_up = true;
      if (!t.written) return;
    }
    uint32_t at = static_cast<uint32_t>(out_.text.size());
    bool goes_on = false;
    if (!out_.pieces.empty()) {
      const Expanded::Piece& last = out_.pieces.back();
      goes_on = t.written ? last.verbatim && last.source + (at - last.start) == t.source : !last.verbatim && last.source == t.source;
    }
    if (!goes_on) out_.pieces.push_back({at, t.source, t.written});
    out_.text += t.text;
  }

  const std::string& source_;
  Expanded out_;
  std::deque<std::string> arena_;
  std::unordered_map<std::string_view, Macro> macros_;
  std::vector<std::pair<std::string_view, uint32_t>> hidden_;  // name, rest of the chain
  std::vector<Token> empty_;
  size_t budget_ = 0, limit_ = 0;
};

}  // namespace

uint32_t Expanded::source_offset(uint32_t offset) const {
  auto after = std::upper_bound(pieces.begin(), pieces.end(), offset, [](uint32_t o, const Piece& p) { return o < p.start; });
  if (after == pieces.begin()) return offset;
  const Piece& piece = *(after - 1);
  return piece.verbatim ? piece.source + (offset - piece.start) : piece.source;
}

Expanded expand_macros(const std::string& source) { return Expander(source).run(); }

}  // namespace assay
