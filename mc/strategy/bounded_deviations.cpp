// SPDX-License-Identifier: MIT
//
// Depth-first, but first the executions without deviations (decisions that take another option than the first), then
// those with one, and so on. Most errors need few deviations.
//
// Source: Emmi, Qadeer, Rakamaric, "Delay-Bounded Scheduling", POPL 2011, for the bound.
#include "mc/reduction/receives_from.hpp"
#include "mc/strategy/search_strategy.hpp"
#include "mc/strategy/session.hpp"
#include "mc/verdict/branchings.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::mc::strategy {

namespace {

class BoundedDeviations final : public SearchStrategy {
 public:
  explicit BoundedDeviations(Session& session) : session_(session) {}

  // Each round repeats the executions of earlier rounds, and visits those with one more deviation.
  void run() override {
    const std::uint32_t most = session_.options().strategy.deviations;
    bool left_out = true;
    for (std::uint32_t deviations = 0; deviations <= most && left_out && !session_.is_stopped(); ++deviations)
      left_out = visit_with(deviations);
    if (left_out && !session_.is_stopped())
      session_.ledger().stop(fmt::format("only executions in which at most {} {} were explored (--search)", most,
                                         most == 1 ? "decision deviates" : "decisions deviate"));
  }

 private:
  // Returns whether there are executions with more deviations.
  bool visit_with(std::uint32_t deviations) {
    reduction::ReceivesFromExplorer explorer(
        session_.history(), session_.actor_count(), session_.options().semantics.polls,
        [this](const reduction::ReceivesFromExplorer& now) { return session_.is_within_bounds(now.events()); });
    explorer.limit_deviations(deviations);
    explorer.run([&](const graph::Graph& graph) {
      if (explorer.deviations() == deviations && !session_.look_at(graph, true)) return false;
      session_.examiner().find_races(explorer, session_.execution());
      session_.execution().branching = verdict::branching_of(explorer);
      return (explorer.deviations() < deviations || session_.count()) && session_.is_within_bounds(explorer.events());
    });
    session_.ledger().add_operations(explorer.events());
    session_.add_limits(verdict::limits_of(explorer.builder()));
    return explorer.has_left_deviations_out();
  }

  Session& session_;
};

}  // namespace

std::unique_ptr<SearchStrategy> make_bounded_deviations(Session& session) {
  return std::make_unique<BoundedDeviations>(session);
}

}  // namespace rehearse::mc::strategy
