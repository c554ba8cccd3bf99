// SPDX-License-Identifier: MIT
//
// Parses formulas by recursive descent. It only finds out where a predicate ends; Predicate reads it.
#include <algorithm>
#include <cctype>
#include <map>

#include "mc/temporal_formula.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::mc {
namespace {

constexpr int deepest_formula = 64;  // nested operands

struct Token {
  enum class Kind : std::uint8_t { word, number, sign, end } kind = Kind::end;
  std::string_view text;
  std::size_t begin = 0;
};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

std::vector<Token> tokens_of(std::string_view text) {
  static constexpr std::string_view signs[] = {"<->", "->", "||", "&&", "==", "!=", "<=", ">="};
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at]))) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    Token::Kind kind = Token::Kind::sign;
    if (is_letter(text[at])) {
      kind = Token::Kind::word;
      while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '.')) ++end;
    } else if (is_digit(text[at])) {
      kind = Token::Kind::number;
      while (end < text.size() && is_digit(text[end])) ++end;
    } else {
      for (const std::string_view sign : signs)
        if (text.substr(at, sign.size()) == sign) {
          end = at + sign.size();
          break;
        }
    }
    tokens.push_back({kind, text.substr(at, end - at), at});
    at = end;
  }
  tokens.push_back({Token::Kind::end, {}, text.size()});
  return tokens;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

bool joins_numbers(const Token& token) {
  return token.kind == Token::Kind::sign && is_one_of(token.text, {"+", "-", "*", "==", "!=", "<", "<=", ">", ">="});
}

bool is_reserved(std::string_view word) { return is_one_of(word, {"X", "F", "G", "U", "R", "W", "true", "false"}); }

}  // namespace

class TemporalParser {
 public:
  using Code = TemporalFormula::Code;

  explicit TemporalParser(std::string_view text) : text_(text), tokens_(tokens_of(text)) {}

  Result<TemporalFormula> parse() {
    result_.root_ = equivalence();
    if (here().kind != Token::Kind::end) expected("an operator, such as ->, && or U, or the end");
    if (problem_.empty() && result_.nodes_.size() > TemporalFormula::nodes_max)
      problem_ = fmt::format("the formula has more than {} operators", TemporalFormula::nodes_max);
    if (!problem_.empty()) return Error{problem_};
    return std::move(result_);
  }

 private:
  const Token& here() const { return tokens_[at_]; }

  bool takes(std::string_view text) {
    if (here().kind == Token::Kind::end || here().text != text) return false;
    ++at_;
    return true;
  }

  // The first problem counts; nothing more is read.
  void refuse(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
    at_ = tokens_.size() - 1;
  }

  void expected(const std::string& what) {
    const std::string found = here().kind == Token::Kind::end ? "the end"
                                                              : "'" + std::string(text_.substr(here().begin, 12)) + "'";
    refuse(fmt::format("character {}: {}, expected {}", here().begin + 1, found, what));
  }

  std::uint32_t add(Code code, std::uint32_t first = 0, std::uint32_t second = 0) {
    const TemporalFormula::Node node{code, first, second};
    const auto [found, is_new] = known_.try_emplace(node, static_cast<std::uint32_t>(result_.nodes_.size()));
    if (is_new) result_.nodes_.push_back(node);
    return found->second;
  }
  std::uint32_t negation_of(std::uint32_t operand) { return add(Code::negate, operand); }

  std::uint32_t equivalence() {
    std::uint32_t left = implication();
    while (takes("<->")) {
      const std::uint32_t right = implication();
      left = add(Code::both, add(Code::either, negation_of(left), right), add(Code::either, negation_of(right), left));
    }
    return left;
  }

  std::uint32_t implication() {
    const std::uint32_t left = either();
    if (!takes("->")) return left;
    if (!enters()) return left;
    const std::uint32_t right = implication();
    --depth_;
    return add(Code::either, negation_of(left), right);
  }

  std::uint32_t either() {
    std::uint32_t left = both();
    while (takes("||")) left = add(Code::either, left, both());
    return left;
  }

  std::uint32_t both() {
    std::uint32_t left = binary();
    while (takes("&&")) left = add(Code::both, left, binary());
    return left;
  }

  std::uint32_t binary() {
    const std::uint32_t left = prefixed();
    const std::string_view word = here().text;
    if (!is_one_of(word, {"U", "R", "W"})) return left;
    ++at_;
    if (!enters()) return left;
    const std::uint32_t right = binary();
    --depth_;
    if (word == "U") return add(Code::until, left, right);
    if (word == "R") return add(Code::release, left, right);
    return add(Code::release, right, add(Code::either, left, right));
  }

  bool enters() {
    if (++depth_ <= deepest_formula) return true;
    refuse(fmt::format("operands are nested more than {} deep", deepest_formula));
    return false;
  }

  std::uint32_t prefixed() {
    if (!enters()) return add(Code::truth);
    const std::uint32_t result = prefixed_within();
    --depth_;
    return result;
  }

  std::uint32_t prefixed_within() {
    if (takes("!")) {
      const std::size_t begin = at_;
      const bool is_open = !is_one_of(here().text, {"!", "X", "F", "G"}) && !is_group();
      const std::uint32_t operand = prefixed();
      if (is_open && std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                                 tokens_.begin() + static_cast<std::ptrdiff_t>(std::max(at_, begin)), joins_numbers))
        refuse(fmt::format("character {}: a comparison after '!' needs parentheses, such as !(busy@0 == 1)",
                           tokens_[begin].begin + 1));
      return negation_of(operand);
    }
    if (takes("X")) return add(Code::next, prefixed());
    if (takes("F")) return add(Code::until, add(Code::truth), prefixed());
    if (takes("G")) return add(Code::release, negation_of(add(Code::truth)), prefixed());
    if (takes("true")) return add(Code::truth);
    if (takes("false")) return negation_of(add(Code::truth));
    if (is_group()) {
      takes("(");
      const std::uint32_t inner = equivalence();
      if (!takes(")")) expected("')'");
      return inner;
    }
    return atom();
  }

  // Whether a formula in parentheses begins here, not a predicate whose first operand is in parentheses.
  bool is_group() const {
    if (here().text != "(") return false;
    int open = 0;
    for (std::size_t i = at_; i < tokens_.size(); ++i) {
      if (tokens_[i].text == "(") ++open;
      if (tokens_[i].text == ")" && --open == 0) return !joins_numbers(tokens_[i + 1]);
    }
    return true;
  }

  // An operand of arithmetic: skips it.
  void operand() {
    if (!enters()) return;
    if (takes("-")) {
      operand();
    } else if (takes("(")) {
      arithmetic();
      if (!takes(")")) expected("')'");
    } else if (here().kind == Token::Kind::number) {
      ++at_;
    } else if (here().kind == Token::Kind::word && !is_reserved(here().text)) {
      ++at_;
      if (takes("(")) {
        if (here().kind == Token::Kind::word) ++at_;
        if (!takes(")")) expected("')'");
      } else if (takes("@")) {
        if (here().kind != Token::Kind::number) expected("the number of an actor");
        else ++at_;
      }
    } else {
      expected("a predicate, such as busy@0 == 1, or a formula");
    }
    --depth_;
  }

  void arithmetic() {
    operand();
    while (problem_.empty() && joins_numbers(here())) {
      ++at_;
      operand();
    }
  }

  std::uint32_t atom() {
    const std::size_t begin = at_;
    arithmetic();
    if (!problem_.empty()) return 0;
    const std::size_t from = tokens_[begin].begin;
    const Token& last = tokens_[at_ - 1];
    const std::string text(text_.substr(from, last.begin + last.text.size() - from));
    const auto known = std::ranges::find(result_.atom_texts_, text);
    const auto index = static_cast<std::uint32_t>(known - result_.atom_texts_.begin());
    if (known != result_.atom_texts_.end()) return add(Code::atom, index);
    auto predicate = Predicate::parse(text, Predicate::Names::alone);
    if (!predicate) {
      refuse(fmt::format("the predicate from character {} on: {}", from + 1, predicate.error().text));
      return 0;
    }
    if (index == TemporalFormula::atoms_max) {
      refuse(fmt::format("the formula has more than {} predicates", TemporalFormula::atoms_max));
      return 0;
    }
    result_.atoms_.push_back(std::move(predicate.value()));
    result_.atom_texts_.push_back(text);
    return add(Code::atom, index);
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  TemporalFormula result_;
  std::map<TemporalFormula::Node, std::uint32_t> known_;
  std::string problem_;
};

Result<TemporalFormula> TemporalFormula::parse(std::string_view text) { return TemporalParser(text).parse(); }

TemporalFormula::TemporalFormula(std::vector<Node> nodes, std::uint32_t root, std::size_t atoms)
    : nodes_(std::move(nodes)), root_(root), atoms_(atoms), atom_texts_(atoms) {}

}  // namespace rehearse::mc
