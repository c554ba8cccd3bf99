// SPDX-License-Identifier: MIT
//
// No reduction: every interleaving, under each policy in turn. Tests compare the other strategies with it.
#include "mc/reduction/none.hpp"
#include "mc/strategy/search_strategy.hpp"
#include "mc/strategy/session.hpp"

namespace rehearse::mc::strategy {

namespace {

class EveryInterleaving final : public SearchStrategy {
 public:
  explicit EveryInterleaving(Session& session) : session_(session) {}

  void run() override {
    const std::size_t policies = session_.options().semantics.policies.size();
    for (std::size_t p = 0; p < policies && session_.ledger().is_exhaustive(); ++p) visit_under(p);
  }

 private:
  void visit_under(std::size_t policy) {
    const Semantics& semantics = session_.options().semantics;
    reduction::None none(session_.history(), session_.actor_count(), semantics.policies[policy], semantics.polls);
    none.run([&](const graph::Graph& graph, const buffering::PolicyOutcome& outcome) {
      session_.execution().clear();
      if (session_.is_left_open(none.moves())) return session_.is_within_bounds(none.states());
      session_.examiner().examine(graph, policy, outcome, session_.execution());
      return session_.ledger().take(session_.execution()) && session_.is_within_bounds(none.states());
    });
    session_.ledger().add_operations(none.states());
    session_.add_limits({.refusals_left_out = none.moves().has_left_out_refusals()});
  }

  Session& session_;
};

}  // namespace

std::unique_ptr<SearchStrategy> make_every_interleaving(Session& session) {
  return std::make_unique<EveryInterleaving>(session);
}

}  // namespace rehearse::mc::strategy
