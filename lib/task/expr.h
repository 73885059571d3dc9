// Arithmetic in task.json: over axes and, where allowed, scalar inputs and elements of index tensors.
//
//   Expr e = Expr::parse("total_prefix // batch + max(head_dim, 64)");
//   e.integer({{"total_prefix", 100}, {"batch", 3}, {"head_dim", 32}});   // 97
//
// Operators as in Python: + - * / // % and one comparison (== != < <= > >=, giving 1 or 0); functions min, max, sqrt,
// floor, ceil. A name may also be sizeof(NAME), the bytes of a dtype or dtype variable, or NAME[I], an element.
// Values are doubles; integers are exact up to 2^53.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace assay {

using Names = std::map<std::string, double>;

class Expr {
 public:
  static Expr parse(const std::string& text);  // throws Error
  explicit Expr(double number);

  double evaluate(const Names& names) const;    // throws Error for an unknown name or a result that is not finite
  int64_t integer(const Names& names) const;    // throws Error unless the value is an integer
  std::vector<std::string> names() const;       // what it mentions
  const std::string& text() const { return text_; }

 private:
  friend class ExprParser;
  struct Step {
    enum Op { number, name, negate, add, subtract, multiply, divide, floor_divide, modulo, equal, unequal, less,
              less_equal, greater, greater_equal, minimum, maximum, square_root, floor, ceil } op;
    double value = 0;
    std::string text = {};
  };
  Expr() = default;
  std::string text_;
  std::vector<Step> steps_;  // in postfix order
};

}  // namespace assay
