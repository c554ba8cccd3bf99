// SPDX-License-Identifier: MIT
//
// Parses predicates by recursive descent, with a function for each precedence, and evaluates them on a stack.
#include "simcore/predicate.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {

namespace {

constexpr int deepest = 64;  // nested parentheses and signs

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_in_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '.'; }

}  // namespace

class PredicateParser {
 public:
  using Code = Predicate::Code;

  PredicateParser(std::string_view text, Predicate::Names names) : text_(text), names_(names) {}

  Result<Predicate> parse() {
    either();
    skip();
    if (at_ < text_.size()) expected("an operator, such as && or ==, or the end");
    if (problem_.empty() && result_.terms_.empty()) problem_ = "it names no value, such as busy@0 or sum(busy)";
    if (!problem_.empty()) return Error{problem_};
    return std::move(result_);
  }

 private:
  struct Operator {
    std::string_view word;
    Code code;
  };

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool takes(std::string_view word) {
    skip();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  // The first problem counts; nothing more is read.
  void refuse(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
    at_ = text_.size();
  }

  void expected(const std::string& what) {
    skip();
    const std::string found = at_ == text_.size() ? "the end" : "'" + std::string(text_.substr(at_, 12)) + "'";
    refuse(fmt::format("character {}: {}, expected {}", at_ + 1, found, what));
  }

  void add(Code code, std::int64_t value = 0) { result_.steps_.push_back({code, value}); }

  // Operands of the next level, joined by any of these operators.
  void joined(void (PredicateParser::*next)(), std::initializer_list<Operator> operators) {
    (this->*next)();
    for (;;) {
      const auto found = std::ranges::find_if(operators, [this](const Operator& o) { return takes(o.word); });
      if (found == operators.end()) return;
      (this->*next)();
      add(found->code);
    }
  }

  void either() { joined(&PredicateParser::both, {{"||", Code::either}}); }
  void both() { joined(&PredicateParser::equality, {{"&&", Code::both}}); }
  void equality() { joined(&PredicateParser::order, {{"==", Code::equal}, {"!=", Code::unequal}}); }
  void order() {
    joined(&PredicateParser::sum,
           {{"<=", Code::at_most}, {">=", Code::at_least}, {"<", Code::less}, {">", Code::more}});
  }
  void sum() { joined(&PredicateParser::product, {{"+", Code::add}, {"-", Code::subtract}}); }
  void product() { joined(&PredicateParser::factor, {{"*", Code::multiply}}); }

  void factor() {
    if (depth_ == deepest) return refuse(fmt::format("parentheses are nested more than {} deep", deepest));
    ++depth_;
    if (takes("!")) {
      factor();
      add(Code::invert);
    } else if (takes("-")) {
      factor();
      add(Code::negate);
    } else if (takes("(")) {
      either();
      if (!takes(")")) expected("')'");
    } else if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) {
      add(Code::number, number<std::int64_t>());
    } else {
      term();
    }
    --depth_;
  }

  template <class T>
  T number() {
    T value = 0;
    const auto [stopped, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) {
      expected("a smaller number");
      return 0;
    }
    at_ = static_cast<std::size_t>(stopped - text_.data());
    return value;
  }

  std::string name() {
    skip();
    const std::size_t begin = at_;
    if (at_ < text_.size() && begins_name(text_[at_]))
      while (at_ < text_.size() && is_in_name(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  void term() {
    using Kind = Predicate::Term::Kind;
    const std::string word = name();
    if (word.empty()) return expected("a number, a value such as busy@0, or sum(busy)");
    Predicate::Term term{Kind::of_one, word, {}};
    if (takes("(")) {
      if (word != "sum" && word != "min" && word != "max")
        return refuse("'" + word + "(': accepted over the values of all ranks: sum, min, max");
      term.kind = word == "sum" ? Kind::sum : word == "min" ? Kind::min : Kind::max;
      term.name = name();
      if (term.name.empty()) expected("the name of a value");
      if (!takes(")")) expected("')'");
    } else if (names_ == Predicate::Names::with_actor || takes("@")) {
      if (names_ == Predicate::Names::with_actor && !takes("@"))
        return expected("'@' and a rank after " + word + ", or sum(" + word + ")");
      if (at_ == text_.size() || !std::isdigit(static_cast<unsigned char>(text_[at_]))) return expected("a rank");
      term.actor = {number<std::uint32_t>()};
    } else {
      term.kind = Kind::of_only;
    }
    add(Code::term, static_cast<std::int64_t>(result_.terms_.size()));
    result_.terms_.push_back(std::move(term));
  }

  std::string_view text_;
  Predicate::Names names_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Predicate result_;
  std::string problem_;
};

Result<Predicate> Predicate::parse(std::string_view text, Names names) { return PredicateParser(text, names).parse(); }

namespace {

std::int64_t wrapped(std::uint64_t value) { return static_cast<std::int64_t>(value); }

std::int64_t value_of(const Predicate::Term& term, const std::vector<std::int64_t>& values) {
  REHEARSE_ASSERT(!values.empty(), "a term without a value");
  switch (term.kind) {
    case Predicate::Term::Kind::of_one:
    case Predicate::Term::Kind::of_only: return values.front();
    case Predicate::Term::Kind::min: return std::ranges::min(values);
    case Predicate::Term::Kind::max: return std::ranges::max(values);
    case Predicate::Term::Kind::sum: break;
  }
  std::uint64_t sum = 0;
  for (const std::int64_t value : values) sum += static_cast<std::uint64_t>(value);
  return wrapped(sum);
}

}  // namespace

bool Predicate::holds(std::span<const std::vector<std::int64_t>> values) const {
  std::vector<std::int64_t> stack;
  const auto pop = [&stack] {
    const std::int64_t top = stack.back();
    stack.pop_back();
    return top;
  };
  const auto joined = [](Code code, std::int64_t a, std::int64_t b) -> std::int64_t {
    const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    switch (code) {
      case Code::add: return wrapped(x + y);
      case Code::subtract: return wrapped(x - y);
      case Code::multiply: return wrapped(x * y);
      case Code::equal: return a == b;
      case Code::unequal: return a != b;
      case Code::less: return a < b;
      case Code::at_most: return a <= b;
      case Code::more: return a > b;
      case Code::at_least: return a >= b;
      case Code::both: return a != 0 && b != 0;
      case Code::either: return a != 0 || b != 0;
      default: break;
    }
    REHEARSE_ASSERT(false, "an operator of two values");
    return 0;
  };
  for (const Step& step : steps_) {
    switch (step.code) {
      case Code::number: stack.push_back(step.value); break;
      case Code::term: {
        const auto which = static_cast<std::size_t>(step.value);
        stack.push_back(value_of(terms_[which], values[which]));
        break;
      }
      case Code::negate: stack.back() = wrapped(-static_cast<std::uint64_t>(stack.back())); break;
      case Code::invert: stack.back() = stack.back() == 0; break;
      default: {
        const std::int64_t second = pop(), first = pop();
        stack.push_back(joined(step.code, first, second));
      }
    }
  }
  return stack.back() != 0;
}

}  // namespace rehearse
