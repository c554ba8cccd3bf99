// SPDX-License-Identifier: MIT
//
// One bounded exploration for each number of ranks.
#include "app/fewer_ranks.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

#include "app/isolated.hpp"
#include "app/launch.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr std::uint64_t executions_max = 20'000;
constexpr double loading_patience = 10;  // seconds, for loading the program

auto places_of(const Finding& finding) {
  std::set<std::tuple<std::string, std::string, int>> places;
  for (const Location& at : finding.locations) places.emplace(at.call.substr(0, at.call.find('(')), at.file, at.line);
  return places;
}

// The counter-example as JSON; empty: the finding does not happen.
std::string explore_fewer(Counterexample like, const mc::ExploreOptions& given, const Judge& judge, double seconds) {
  auto program = launch_to_explore(job_of(like));
  if (!program) return "";
  mc::ExploreOptions how = given;
  how.semantics.find_races = false;
  how.strategy = {};
  how.bounds.all_findings = false;
  how.bounds.max_executions = how.bounds.grace_executions = executions_max;
  how.bounds.max_seconds = seconds;
  limit_steps_of(*program.value(), how);
  const mc::Verdict verdict = mc::explore(*program.value(), how, judge);
  for (const Finding& finding : verdict.findings) {
    if (finding.id != like.finding.id || places_of(finding) != places_of(like.finding)) continue;
    like.finding = finding;
    if (!finding.policies.empty()) like.policy = finding.policies.front();
    if (finding.policies.size() == how.semantics.policies.size()) like.finding.policies.clear();
    return to_json(like).dump();
  }
  return "";
}

}  // namespace

Result<std::vector<std::uint32_t>> read_ranks(const std::string& text, std::uint32_t ranks) {
  std::vector<std::uint32_t> numbers;
  if (text == "fewer") {
    for (std::uint32_t number = 2; number < ranks; ++number) numbers.push_back(number);
    return numbers;
  }
  const char *at = text.data(), *const end = at + text.size();
  for (;;) {
    std::uint32_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < 1 || number >= ranks || (next != end && *next != ','))
      return Error{fmt::format("'{}', expected fewer, or numbers from 1 to {} with commas", text, ranks - 1)};
    numbers.push_back(number);
    if (next == end) break;
    at = next + 1;
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

FewerRanks try_fewer_ranks(const Counterexample& found, const std::vector<std::uint32_t>& ranks,
                           const mc::ExploreOptions& how, const Judge& judge, double seconds) {
  FewerRanks result;
  if (!found.groups.empty()) return result;  // the numbers of the ranks that others start would change
  for (const std::uint32_t number : ranks) {
    result.tried.push_back(number);
    Counterexample like = found;
    like.ranks = number;
    if (!like.nodes.of_rank.empty()) like.nodes.of_rank.resize(number);
    like.explanation.reset();
    const auto text =
        text_from_isolated([&] { return explore_fewer(like, how, judge, seconds); }, seconds + loading_patience);
    if (!text || text->empty()) continue;
    auto json = parse_json(*text);
    if (!json) continue;
    auto fewer = counterexample_from_json("", json.value());
    if (!fewer) continue;
    result.found = std::move(fewer.value());
    break;
  }
  return result;
}

}  // namespace rehearse::app
