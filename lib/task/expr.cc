#include "task/expr.h"

#include <cctype>
#include <charconv>
#include <cmath>

#include "base/error.h"

namespace assay {

// Recursive descent, one function a level of precedence, emitting postfix steps.
class ExprParser {
 public:
  explicit ExprParser(const std::string& text) : text_(text) { result_.text_ = text; }

  Expr run() {
    comparison();
    if (peek() != '\0') fail("unexpected \"" + text_.substr(at_) + "\"");
    return std::move(result_);
  }

 private:
  using Step = Expr::Step;

  [[noreturn]] void fail(const std::string& why) const { throw Error("parse expression", "\"" + text_ + "\"", why); }

  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(const std::string& token) {
    peek();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }
  void need(const std::string& token) {
    if (!take(token)) fail("\"" + token + "\" expected at \"" + text_.substr(at_) + "\"");
  }
  void emit(Step::Op op) { result_.steps_.push_back({op}); }

  void comparison() {
    static const struct { const char* token; Step::Op op; } table[] = {
        {"==", Step::equal}, {"!=", Step::unequal}, {"<=", Step::less_equal}, {">=", Step::greater_equal},
        {"<", Step::less}, {">", Step::greater}};
    sum();
    for (const auto& row : table)
      if (take(row.token)) {
        sum();
        emit(row.op);
        return;
      }
  }
  void sum() {
    product();
    for (;;) {
      if (take("+")) product(), emit(Step::add);
      else if (take("-")) product(), emit(Step::subtract);
      else return;
    }
  }
  void product() {
    unary();
    for (;;) {
      if (take("*")) unary(), emit(Step::multiply);
      else if (take("//")) unary(), emit(Step::floor_divide);
      else if (take("/")) unary(), emit(Step::divide);
      else if (take("%")) unary(), emit(Step::modulo);
      else return;
    }
  }
  void unary() {
    if (++depth_ > 100) fail("too deeply nested");
    if (take("-")) unary(), emit(Step::negate);
    else primary();
    --depth_;
  }
  std::string word() {
    peek();
    size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    return text_.substr(start, at_ - start);
  }
  void primary() {
    char c = peek();
    if (take("(")) {
      comparison();
      need(")");
    } else if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') {
      double value = 0;
      auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
      if (error != std::errc()) fail("bad number at \"" + text_.substr(at_) + "\"");
      at_ = end - text_.data();
      result_.steps_.push_back({Step::number, value});
    } else if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
      named(word());
    } else {
      fail(c ? "unexpected \"" + text_.substr(at_) + "\"" : "it ends too early");
    }
  }
  void named(const std::string& name) {
    if (take("[")) {
      std::string sign = take("-") ? "-" : "";
      std::string index = word();
      need("]");
      take(".item()");
      result_.steps_.push_back({Step::name, 0, name + "[" + sign + index + "]"});
    } else if (name == "sizeof") {
      need("(");
      result_.steps_.push_back({Step::name, 0, "sizeof(" + word() + ")"});
      need(")");
    } else if (name == "min" || name == "max") {
      need("(");
      comparison();
      while (take(",")) comparison(), emit(name == "min" ? Step::minimum : Step::maximum);
      need(")");
    } else if (name == "sqrt" || name == "floor" || name == "ceil") {
      need("(");
      comparison();
      need(")");
      emit(name == "sqrt" ? Step::square_root : name == "floor" ? Step::floor : Step::ceil);
    } else {
      result_.steps_.push_back({Step::name, 0, name});
    }
  }

  const std::string& text_;
  size_t at_ = 0;
  int depth_ = 0;
  Expr result_;
};

Expr Expr::parse(const std::string& text) { return ExprParser(text).run(); }

Expr::Expr(double number) : text_(std::to_string(number)), steps_{{Step::number, number}} {}

std::vector<std::string> Expr::names() const {
  std::vector<std::string> result;
  for (const Step& step : steps_)
    if (step.op == Step::name) result.push_back(step.text);
  return result;
}

double Expr::evaluate(const Names& names) const {
  std::vector<double> stack;
  for (const Step& step : steps_) {
    if (step.op == Step::number) {
      stack.push_back(step.value);
      continue;
    }
    if (step.op == Step::name) {
      Names::const_iterator it = names.find(step.text);
      if (it == names.end()) throw Error("evaluate", "\"" + text_ + "\"", "\"" + step.text + "\" has no value");
      stack.push_back(it->second);
      continue;
    }
    double b = stack.back();
    if (step.op == Step::negate || step.op >= Step::square_root) {
      stack.back() = step.op == Step::negate ? -b : step.op == Step::square_root ? std::sqrt(b)
                     : step.op == Step::floor ? std::floor(b) : std::ceil(b);
      continue;
    }
    stack.pop_back();
    double& a = stack.back();
    switch (step.op) {
      case Step::add: a += b; break;
      case Step::subtract: a -= b; break;
      case Step::multiply: a *= b; break;
      case Step::divide: a /= b; break;
      case Step::floor_divide: a = std::floor(a / b); break;
      case Step::modulo: a -= b * std::floor(a / b); break;
      case Step::equal: a = a == b; break;
      case Step::unequal: a = a != b; break;
      case Step::less: a = a < b; break;
      case Step::less_equal: a = a <= b; break;
      case Step::greater: a = a > b; break;
      case Step::greater_equal: a = a >= b; break;
      case Step::minimum: a = std::fmin(a, b); break;
      default: a = std::fmax(a, b); break;
    }
  }
  if (!std::isfinite(stack.back())) throw Error("evaluate", "\"" + text_ + "\"", "is not a finite number");
  return stack.back();
}

int64_t Expr::integer(const Names& names) const {
  double value = evaluate(names);
  if (value != std::floor(value) || std::fabs(value) > 0x1p53)
    throw Error("evaluate", "\"" + text_ + "\"", "is " + std::to_string(value) + ", not an integer");
  return static_cast<int64_t>(value);
}

}  // namespace assay
