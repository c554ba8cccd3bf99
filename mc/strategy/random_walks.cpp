// SPDX-License-Identifier: MIT
//
// Random executions, each from the start. The History keeps the results of earlier ones.
#include "mc/reduction/single_execution.hpp"
#include "mc/strategy/search_strategy.hpp"
#include "mc/strategy/session.hpp"

namespace rehearse::mc::strategy {

namespace {

class RandomWalks final : public SearchStrategy {
 public:
  explicit RandomWalks(Session& session) : session_(session), chance_(session.options().strategy.seed) {}

  void run() override {
    bool goes_on = true;
    for (std::uint64_t walk = 0; walk < session_.options().strategy.walks && goes_on; ++walk) goes_on = make_walk();
    if (goes_on) session_.ledger().stop("a random search leaves executions out (--search)");
  }

 private:
  bool make_walk() {
    bool goes_on = true;
    reduction::SingleExecution execution(session_.history(), session_.actor_count(), session_.options().semantics.polls,
                                         [&](std::uint64_t events) {
                                           return goes_on = session_.is_within_bounds(events);
                                         });
    if (const graph::Graph* graph = execution.walk(chance_)) {
      goes_on = session_.look_at(*graph, false) && session_.count();
      session_.ledger().add_walk();
    }
    session_.ledger().add_operations(execution.events());
    session_.add_limits(verdict::limits_of(execution.builder()));
    if (session_.history().is_full()) session_.history().collect({});
    return goes_on && session_.is_within_bounds(0);
  }

  Session& session_;
  SplitMix chance_;
};

}  // namespace

std::unique_ptr<SearchStrategy> make_random_walks(Session& session) { return std::make_unique<RandomWalks>(session); }

}  // namespace rehearse::mc::strategy
