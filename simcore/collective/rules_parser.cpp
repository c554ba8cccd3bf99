// SPDX-License-Identifier: MIT
//
// Parses rules. See rules.hpp for their format.
#include <algorithm>
#include <charconv>

#include "simcore/collective/rules.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::collective {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Removes and returns the text before the separator, or all text if there is none.
std::string_view take(std::string_view& text, std::string_view separators) {
  const std::size_t end = std::min(text.find_first_of(separators), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return trimmed(word);
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

// Reads a number of bytes, with K or M. False: it is not a number.
bool read_number(std::string_view text, std::uint64_t& number) {
  std::uint64_t unit = 1;
  if (text.ends_with('K')) unit = 1024;
  if (text.ends_with('M')) unit = 1024 * 1024;
  if (unit > 1) text.remove_suffix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  if (number > UINT64_MAX / unit) return false;
  number *= unit;
  return true;
}

std::string accepted_algorithms(CollectiveKind operation) {
  std::string names;
  for (const Algorithm* algorithm : all_algorithms())
    if (algorithm->operation == operation) names += (names.empty() ? "" : ", ") + std::string(algorithm->name);
  return names;
}

std::optional<Error> read_parameter(const Algorithm& algorithm, std::string_view text, Parameters& parameters) {
  std::string_view value = text;
  const std::string_view name = take(value, "=");
  const bool is_known = (name == "segment" && algorithm.has_segment) || (name == "radix" && algorithm.has_radix) ||
                        (name == "window" && algorithm.has_window);
  if (!is_known)
    return Error{quoted(name) + " is not a parameter of " + quoted(algorithm.name) +
                 "; accepted: " + text_of(algorithm)};
  std::uint64_t number = 0;
  const std::uint64_t least = name == "radix" ? 1 : 0;
  const std::uint64_t most = name == "segment" ? UINT64_MAX : 65536;
  if (!read_number(value, number) || number < least || number > most)
    return Error{fmt::format("{} given; accepted: {}=N, a whole number from {} {}", quoted(text), name, least,
                             name == "segment" ? "on" : "to 65536")};
  if (name == "segment") parameters.segment = number;
  if (name == "radix") parameters.radix = static_cast<std::uint32_t>(number);
  if (name == "window") parameters.window = static_cast<std::uint32_t>(number);
  return std::nullopt;
}

std::optional<Bound> read_bound(std::string_view text) {
  Bound bound;
  text.remove_prefix(1);
  bound.is_inclusive = text.starts_with('=');
  if (bound.is_inclusive) text.remove_prefix(1);
  if (text.ends_with("*members")) bound.scale = Bound::Scale::times_members;
  if (text.ends_with("/members")) bound.scale = Bound::Scale::by_members;
  if (bound.scale != Bound::Scale::none) text.remove_suffix(8);
  if (!read_number(text, bound.bytes)) return std::nullopt;
  return bound;
}

std::optional<Condition> read_condition(std::string_view text, std::vector<Condition>& conditions) {
  using Kind = Condition::Kind;
  if (text == "power_of_two") return Condition{Kind::power_of_two};
  if (text == "commutative") return Condition{Kind::commutative};
  if (text == "noncommutative") return Condition{Kind::noncommutative};
  if (text == "shared_hosts") return Condition{Kind::shared_hosts};
  if (!text.starts_with("members")) return std::nullopt;
  text.remove_prefix(7);
  const std::size_t digits = std::min(text.find_first_not_of("<>="), text.size());
  const std::string_view sign = text.substr(0, digits);
  std::uint64_t number = 0;
  if (!read_number(text.substr(digits), number) || number == 0 || number > 1u << 30) return std::nullopt;
  const auto members = static_cast<std::uint32_t>(number);
  if (sign == "<") return Condition{Kind::members_below, members};
  if (sign == "<=") return Condition{Kind::members_below, members + 1};
  if (sign == ">") return Condition{Kind::members_above, members};
  if (sign == ">=") return Condition{Kind::members_above, members - 1};
  if (sign != "=") return std::nullopt;
  conditions.push_back({Kind::members_below, members + 1});
  return Condition{Kind::members_above, members - 1};
}

}  // namespace

Result<Rule> parse_rule(std::string_view line) {
  std::string_view choices = line;
  std::string_view head = take(choices, ":");
  if (head.size() == line.size())
    return Error{quoted(line) + " given; accepted: OPERATION [CONDITION...]: ALGORITHM, ..., or otherwise SET"};
  Rule rule;
  const std::string_view operation = take(head, blanks);
  if (!has_operation(operation, rule.operation)) {
    std::string names;
    for (const Algorithm* algorithm : all_algorithms())
      if (const std::string name(name_of(algorithm->operation)); !names.ends_with(" " + name))
        names += (names.empty() ? " " : ", ") + name;
    return Error{"unknown operation " + quoted(operation) + "; accepted:" + names};
  }
  while (!head.empty()) {
    const std::string_view word = take(head, blanks);
    if (word.empty()) continue;
    const auto condition = read_condition(word, rule.conditions);
    if (!condition)
      return Error{"unknown condition " + quoted(word) + "; accepted: members<N (also <=, =, >, >=), " +
                   "power_of_two, commutative, noncommutative, shared_hosts"};
    rule.conditions.push_back(*condition);
  }
  do {
    auto choice = parse_choice(rule.operation, take(choices, ","));
    if (!choice) return choice.error();
    rule.choices.push_back(choice.value());
  } while (!trimmed(choices).empty());
  return rule;
}

Result<Choice> parse_choice(CollectiveKind operation, std::string_view text) {
  Choice choice;
  std::string_view name = text;
  if (text.starts_with('<')) {
    const std::string_view bound = take(name, blanks);
    choice.bound = read_bound(bound);
    if (!choice.bound)
      return Error{"bound " + quoted(bound) + " given; accepted: <N or <=N bytes (N may end with K or M, " +
                   "then *members or /members)"};
    name = trimmed(name);
  }
  std::string_view parameters = name;
  name = take(parameters, ":");
  choice.algorithm = find_algorithm(operation, name);
  if (choice.algorithm == nullptr)
    return Error{"unknown algorithm " + quoted(name) + " for " + std::string(name_of(operation)) +
                 "; accepted: " + accepted_algorithms(operation)};
  choice.parameters = choice.algorithm->defaults;
  while (!parameters.empty())
    if (const auto error = read_parameter(*choice.algorithm, take(parameters, ":"), choice.parameters)) return *error;
  return choice;
}

std::string text_of(const Algorithm& algorithm) {
  std::string text(algorithm.name);
  const Parameters& defaults = algorithm.defaults;
  if (algorithm.has_segment) text += fmt::format(":segment={}", defaults.segment);
  if (algorithm.has_radix) text += fmt::format(":radix={}", defaults.radix);
  if (algorithm.has_window) text += fmt::format(":window={}", defaults.window);
  return text;
}

Result<Rules> parse_rules(std::string_view text, const std::string& place) {
  Rules rules;
  std::string joined;  // a rule with its continuation lines
  int joined_line = 0, number = 0;
  const auto finish = [&]() -> std::optional<Error> {
    if (joined.empty()) return std::nullopt;
    std::string_view rest = joined;
    if (take(rest, blanks) == "otherwise" && joined.find(':') == std::string::npos) {
      rules.otherwise = trimmed(rest);
    } else {
      auto rule = parse_rule(joined);
      if (!rule) return Error{fmt::format("{}:{}: {}", place, joined_line, rule.error().text)};
      rules.by_operation[rule.value().operation].push_back(rule.value());
    }
    joined.clear();
    return std::nullopt;
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, std::min(text.substr(0, end).find('#'), end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (trimmed(line).empty()) continue;
    if (blanks.find(line[0]) != std::string_view::npos && !joined.empty()) {
      joined += " " + std::string(trimmed(line));
      continue;
    }
    if (const auto error = finish()) return *error;
    joined = trimmed(line);
    joined_line = number;
  }
  if (const auto error = finish()) return *error;
  return rules;
}

}  // namespace rehearse::collective
