// SPDX-License-Identifier: MIT
//
// An exploration is a session with the selected strategy.
#include "mc/explore.hpp"

#include <utility>

#include "mc/kept_proof.hpp"
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
  REHEARSE_ASSERT(options.strategy.jobs >= 1 && options.strategy.jobs <= jobs_max, "processes that explore");
}

}  // namespace

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
  return session.run(*strategy::make_search_strategy(session));
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
