// SPDX-License-Identifier: MIT
//
// Which algorithm is chosen: lines of rules, the first that fits.
//
// Text:   one rule a line, `#` begins a comment, a line that begins with a blank continues with the one before:
//         OPERATION [CONDITION...]: [BOUND] ALGORITHM[:PARAMETER=VALUE...], ...
//         Conditions: members<N (also <=, =, >, >=), power_of_two, commutative, noncommutative, shared_hosts.
//         The first choice without a bound, or whose bound holds, is taken: <N or <=N bytes, with K or M for powers
//         of 1024, then perhaps *members or /members. `otherwise SET` names the rules for what no line fits.
// Bytes:  of what one member brings; of alltoall and scatter, what it brings for one; of allgatherv, the average.
// Choice: an algorithm whose precondition does not hold gives way to its `otherwise` (see algorithm.hpp).
// Errors: place and line, what was found, what is accepted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/collective/algorithm.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::collective {

struct Bound {
  enum class Scale : std::uint8_t { none, times_members, by_members };
  std::uint64_t bytes = 0;
  bool is_inclusive = false;
  Scale scale = Scale::none;
};

struct Choice {
  std::optional<Bound> bound;
  const Algorithm* algorithm = nullptr;
  Parameters parameters;
};

struct Condition {
  enum class Kind : std::uint8_t {
    members_below,
    members_above,
    power_of_two,
    commutative,
    noncommutative,
    shared_hosts
  };
  Kind kind{};
  std::uint32_t number = 0;
};

struct Rule {
  CollectiveKind operation{};
  std::vector<Condition> conditions;
  std::vector<Choice> choices;
};

struct Rules {
  std::map<CollectiveKind, std::vector<Rule>> by_operation;
  std::string otherwise;  // a set of rules
};

// What is chosen, and how the choice's algorithm was found to work.
struct Chosen {
  const Algorithm* algorithm = nullptr;
  Parameters parameters;
};

// `place` is what errors begin with, before the line.
Result<Rules> parse_rules(std::string_view text, const std::string& place);

// One line of them; errors say no place.
Result<Rule> parse_rule(std::string_view line);

// `algorithm[:parameter=value...]`.
Result<Choice> parse_choice(CollectiveKind operation, std::string_view text);
std::string text_of(const Algorithm& algorithm);  // with its parameters

// The first rule that fits; nothing: none does.
std::optional<Chosen> choose(const Rules& rules, const CollectiveShape& shape);

// Textbook algorithms, by operation and size: what runs unless other rules are asked for.
const RuleSet& generic_rules();

// See `Bytes`.
std::uint64_t bytes_for_choice(const CollectiveShape& shape);

}  // namespace rehearse::collective
