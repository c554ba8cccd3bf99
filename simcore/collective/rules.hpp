// SPDX-License-Identifier: MIT
//
// Rules that choose an algorithm. The first rule that matches applies.
//
// Text:   one rule a line. `#` begins a comment. A line that begins with a blank continues the previous line:
//         OPERATION [CONDITION...]: [BOUND] ALGORITHM[:PARAMETER=VALUE...], ...
//         Conditions: members<N (also <=, =, >, >=), power_of_two, commutative, noncommutative, shared_hosts.
//         The first choice without a bound, or with a bound that holds, applies. A bound is <N or <=N bytes, with K
//         or M for powers of 1024, optionally followed by *members or /members. `otherwise SET` names the rules for
//         collectives that no line matches.
// Bytes:  the contribution of one member; for alltoall and scatter, its part for one target; for allgatherv, the
// average. Choice: an algorithm whose precondition does not hold is replaced by its `otherwise` (see algorithm.hpp).
// Errors: place and line, the text found, and the accepted texts.
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

// A choice, and the algorithm after replacements.
struct Chosen {
  const Algorithm* algorithm = nullptr;
  Parameters parameters;
};

// Errors begin with `place` and the line.
Result<Rules> parse_rules(std::string_view text, const std::string& place);

// One rule. Errors have no place.
Result<Rule> parse_rule(std::string_view line);

// `algorithm[:parameter=value...]`.
Result<Choice> parse_choice(CollectiveKind operation, std::string_view text);
std::string text_of(const Algorithm& algorithm);  // with its parameters

// The choice of the first rule that matches. Nothing: no rule matches.
std::optional<Chosen> choose(const Rules& rules, const CollectiveShape& shape);

// The default rules: textbook algorithms, by operation and size.
const RuleSet& generic_rules();

// See `Bytes`.
std::uint64_t bytes_for_choice(const CollectiveShape& shape);

}  // namespace rehearse::collective
