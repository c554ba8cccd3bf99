// SPDX-License-Identifier: MIT
//
// Reads expressions by recursive descent.
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "manynode/expression.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::manynode {

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Expression::Scope& scope) : text_(text), scope_(scope) {}

  Result<Expression> parse() {
    expression_.text_ = text_;
    expression_.steps_.clear();
    either();
    skip();
    if (fault_.empty() && at_ < text_.size()) fail("an operator");
    if (!fault_.empty()) return Error{fault_};
    expression_.fold();
    return std::move(expression_);
  }

 private:
  using Code = Expression::Code;
  static constexpr std::size_t depth_max = 60;
  static constexpr int nesting_max = 200;

  void fail(const std::string& accepted) {
    if (!fault_.empty()) return;
    const std::string found = at_ < text_.size() ? fmt::format("'{}'", text_.substr(at_, 12)) : std::string("the end");
    fault_ = fmt::format("expression '{}': {} at character {}; accepted: {}", text_, found, at_ + 1, accepted);
  }
  bool is_bad() const { return !fault_.empty(); }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  static bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

  bool take(std::string_view token) {
    skip();
    if (text_.substr(at_, token.size()) != token) return false;
    if (is_letter(token.back()) && at_ + token.size() < text_.size() && is_letter(text_[at_ + token.size()]))
      return false;
    at_ += token.size();
    return true;
  }

  void push(Expression::Step step) {
    expression_.steps_.push_back(step);
    if (step.code <= Code::loop && ++depth_ > depth_max) fail("fewer operands");
    else if (step.code > Code::loop) depth_ -= Expression::operands(step.code) - 1;
  }

  void either() {
    if (++nesting_ > nesting_max) fail("fewer parentheses");
    if (!is_bad()) both();
    while (!is_bad() && take("or")) both(), push({Code::either});
    --nesting_;
  }
  void both() {
    inversion();
    while (!is_bad() && take("and")) inversion(), push({Code::both});
  }
  void inversion() {
    if (!take("not")) return comparison();
    if (++nesting_ > nesting_max) return fail("fewer operators");
    inversion();
    --nesting_;
    push({Code::invert});
  }
  void comparison() {
    sum();
    constexpr std::pair<const char*, Code> operators[] = {{"==", Code::equal},   {"!=", Code::unequal},
                                                          {"<=", Code::at_most}, {">=", Code::at_least},
                                                          {"<", Code::less},     {">", Code::greater}};
    for (const auto& [token, code] : operators)
      if (!is_bad() && take(token)) {
        sum();
        return push({code});
      }
  }
  void sum() {
    product();
    while (!is_bad()) {
      if (take("+")) product(), push({Code::add});
      else if (take("-")) product(), push({Code::subtract});
      else return;
    }
  }
  void product() {
    sign();
    while (!is_bad()) {
      if (take("*")) sign(), push({Code::multiply});
      else if (take("/")) sign(), push({Code::divide});
      else if (take("%")) sign(), push({Code::modulo});
      else return;
    }
  }
  void sign() {
    if (!take("-")) return power();
    if (++nesting_ > nesting_max) return fail("fewer operators");
    sign();
    --nesting_;
    push({Code::negate});
  }
  void power() {
    operand();
    if (is_bad() || !take("^")) return;
    if (++nesting_ > nesting_max) return fail("fewer operators");
    sign();
    --nesting_;
    push({Code::power});
  }

  void operand() {
    constexpr const char* accepted =
        "a number, r, P, a loop counter (i0 in the outermost loop), '(', -, not, log2, cbrt, sqrt, floor, ceil, abs, "
        "min, max, xor, div, dims, part";
    skip();
    if (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.'))
      return number();
    if (take("(")) {
      either();
      if (!is_bad() && !take(")")) fail("')'");
      return;
    }
    if (take("rank") || take("r")) {
      expression_.has_rank_ = true;
      return push({Code::rank});
    }
    if (scope_.has_member && take("m")) {
      expression_.has_member_ = true;
      return push({Code::member});
    }
    if (take("P")) {
      expression_.has_ranks_ = true;
      return push({Code::ranks});
    }
    if (counter() || is_bad() || function() || is_bad() || name()) return;
    fail(accepted);
  }

  void number() {
    const std::string rest(text_.substr(at_));
    char* end = nullptr;
    const double value = std::strtod(rest.c_str(), &end);
    const auto length = static_cast<std::size_t>(end - rest.c_str());
    if (length == 0 || !std::isfinite(value) || rest.find_first_of("xX") < length) return fail("a number");
    at_ += length;
    push({Code::number, 0, value});
  }

  bool counter() {
    for (std::uint32_t loop = 0; loop < Expression::loops_max; ++loop) {
      const std::size_t before = at_;
      if (!take(fmt::format("i{}", loop))) continue;
      if (loop >= scope_.loops) {
        at_ = before;
        fail(scope_.loops == 0 ? std::string("no loop counter, because no loop is around it")
                               : fmt::format("i0 to i{}, the counters of the loops around it", scope_.loops - 1));
        return true;
      }
      expression_.has_loops_ = true;
      push({Code::loop, static_cast<std::uint8_t>(loop)});
      return true;
    }
    return false;
  }

  // A name stands for its expression.
  bool name() {
    if (scope_.names == nullptr) return false;
    std::size_t end = at_;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    const auto found = scope_.names->find(text_.substr(at_, end - at_));
    if (found == scope_.names->end()) return false;
    at_ = end;
    const Expression& named = found->second;
    for (const Expression::Step& step : named.steps_) push(step);
    expression_.has_rank_ |= named.has_rank_;
    expression_.has_ranks_ |= named.has_ranks_;
    return true;
  }

  bool function() {
    struct Function {
      const char* name;
      Code code;
      int arguments;
    };
    constexpr Function functions[] = {{"log2", Code::log2, 1},   {"cbrt", Code::cbrt, 1}, {"sqrt", Code::sqrt, 1},
                                      {"floor", Code::floor, 1}, {"ceil", Code::ceil, 1}, {"abs", Code::abs, 1},
                                      {"min", Code::min, 2},     {"max", Code::max, 2},   {"xor", Code::xor_, 2},
                                      {"div", Code::div, 2},     {"dims", Code::dims, 3}, {"part", Code::part, 3}};
    for (const Function& each : functions) {
      if (!take(each.name)) continue;
      if (!take("(")) {
        fail("'('");
        return true;
      }
      for (int i = 0; i < each.arguments && !is_bad(); ++i) {
        if (i > 0 && !take(",")) fail("','");
        if (!is_bad()) either();
      }
      if (!is_bad() && !take(")")) fail("')'");
      push({each.code});
      return true;
    }
    return false;
  }

  std::string_view text_;
  Expression::Scope scope_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  int nesting_ = 0;
  std::string fault_;
  Expression expression_;
};

Result<Expression> Expression::parse(std::string_view text, const Scope& scope) {
  return ExpressionParser(text, scope).parse();
}

}  // namespace rehearse::manynode
