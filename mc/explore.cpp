// SPDX-License-Identifier: MIT
//
// An exploration is a session with the selected strategy.
#include "mc/explore.hpp"

#include <algorithm>
#include <utility>

#include "mc/kept_proof.hpp"
#include "mc/parallel/outpost.hpp"
#include "mc/predict/formula.hpp"
#include "mc/records/bytes.hpp"
#include "mc/remaining_work.hpp"
#include "mc/strategy/depth_first.hpp"
#include "mc/strategy/session.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::mc {

namespace {

constexpr std::size_t policies_max = 31;

void check(const ExploreOptions& options) {
  const std::size_t policies = options.semantics.policies.size();
  REHEARSE_ASSERT(policies > 0 && policies <= policies_max, "policies to be judged");
  REHEARSE_ASSERT(std::ranges::none_of(options.semantics.policies, &Policy::is_mixed) ||
                      supports_mixed_buffering(options.strategy),
                  "a strategy that supports mixed buffering");
  const std::size_t processes = options.strategy.jobs + options.strategy.helpers.size();
  REHEARSE_ASSERT(options.strategy.jobs >= 1 && processes <= jobs_max, "processes that explore");
}

}  // namespace

bool supports_mixed_buffering(const Strategy& strategy) {
  return strategy.search != Search::predict && strategy.reduction != Reduction::none &&
         strategy.reduction != Reduction::odpor;
}

Verdict explore(Program& program, const ExploreOptions& options, const Judge& judge) {
  check(options);
  strategy::Session session(program, options, judge);
  return session.run(*strategy::make_search_strategy(session));
}

Verdict explore_and_keep_proof(Program& program, const ExploreOptions& options, const Judge& judge,
                               std::string& proof) {
  check(options);
  proof.clear();
  strategy::Session session(program, options, judge);
  session.keep_proof_in(proof);
  Verdict verdict = session.run(*strategy::make_search_strategy(session));
  const bool is_proved = verdict.flow && verdict.flow->why_not.empty() && verdict.exhaustive;
  if (!is_proved) proof.clear();  // it may have a part of the nets
  return verdict;
}

void help(Program& program, const ExploreOptions& options, const Judge& judge, const std::vector<int>& coordinator) {
  check(options);
  strategy::Session session(program, options, judge);
  std::vector<parallel::Channel> channels;
  for (const int descriptor : coordinator) channels.emplace_back(descriptor);
  parallel::Outpost outpost({options, session.actor_count(), session.history(), session.examiner(), nullptr},
                            std::move(channels));
  outpost.serve();
}

std::string obstacle_to_predictions() {
  using predict::Formula;
  return Formula::is_there()
             ? ""
             : fmt::format("it needs the library {}: install the package {}", Formula::library, Formula::package);
}

Verdict explore_part(Program& program, const ExploreOptions& options, const Judge& judge, std::string& remaining) {
  check(options);
  REHEARSE_ASSERT(options.strategy.search == Search::depth_first && options.strategy.reduction == Reduction::matching,
                  "only depth-first exploration with matching can save its remaining work");
  remaining.clear();
  strategy::Session session(program, options, judge);
  strategy::DepthFirst strategy(session, &remaining);
  return session.run(strategy);
}

Result<Verdict> explore_remaining(Program& program, const ExploreOptions& options, const Judge& judge,
                                  std::string& remaining) {
  check(options);
  strategy::Session session(program, options, judge);
  const std::string before = std::exchange(remaining, {});
  strategy::DepthFirst strategy(session, &remaining);
  records::Reader reader(before);
  if (!strategy.load(reader)) return Error{"it was saved by another version of this program"};
  return session.run(strategy);
}

}  // namespace rehearse::mc
