// SPDX-License-Identifier: MIT
//
// Makes the strategy that the options select.
#include "mc/strategy/search_strategy.hpp"

#include "mc/strategy/depth_first.hpp"
#include "mc/strategy/session.hpp"

namespace rehearse::mc::strategy {

std::unique_ptr<SearchStrategy> make_search_strategy(Session& session) {
  const Strategy& asked = session.options().strategy;
  if (asked.search == Search::random) return make_random_walks(session);
  if (asked.search == Search::bounded) return make_bounded_deviations(session);
  if (asked.search == Search::predict) return make_predicted_executions(session);
  switch (asked.reduction) {
    case Reduction::odpor: return make_dependent_orders(session);
    case Reduction::none: return make_every_interleaving(session);
    case Reduction::merged: return make_merged_states(session, WhenUndecided::explore_by_matching);
    case Reduction::flow: return make_flow_equations(session, WhenUndecided::explore_by_matching);
    case Reduction::footprints: return make_footprint_nets(session, WhenUndecided::explore_by_matching);
    case Reduction::matching: break;
  }
  return std::make_unique<DepthFirst>(session);
}

}  // namespace rehearse::mc::strategy
