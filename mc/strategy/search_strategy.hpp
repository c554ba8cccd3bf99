// SPDX-License-Identifier: MIT
//
// A strategy decides which executions are visited, and their order. Each has its own file. Only depth_first has a
// header, because only that strategy can be interrupted and resumed.
//
// Protocol: a strategy reads and changes the Session that it was made with, which outlives it. run() is called once.
#pragma once

#include <memory>

namespace rehearse::mc::strategy {

class Session;

class SearchStrategy {
 public:
  SearchStrategy() = default;
  virtual ~SearchStrategy() = default;
  SearchStrategy(const SearchStrategy&) = delete;
  SearchStrategy& operator=(const SearchStrategy&) = delete;

  // Visits executions until all are visited or the session stops it. May throw Diverged and GivenUp.
  virtual void run() = 0;
};

std::unique_ptr<SearchStrategy> make_random_walks(Session& session);
std::unique_ptr<SearchStrategy> make_bounded_deviations(Session& session);
std::unique_ptr<SearchStrategy> make_predicted_executions(Session& session);
std::unique_ptr<SearchStrategy> make_dependent_orders(Session& session);
std::unique_ptr<SearchStrategy> make_every_interleaving(Session& session);
// When a search over states, or a proof, does not decide the program.
enum class WhenUndecided { explore_by_matching, stop };
std::unique_ptr<SearchStrategy> make_merged_states(Session& session, WhenUndecided otherwise);
std::unique_ptr<SearchStrategy> make_flow_equations(Session& session, WhenUndecided otherwise);
std::unique_ptr<SearchStrategy> make_footprint_nets(Session& session, WhenUndecided otherwise);

// The strategy of the session's options.
std::unique_ptr<SearchStrategy> make_search_strategy(Session& session);

}  // namespace rehearse::mc::strategy
