// SPDX-License-Identifier: MIT
//
// One execution per order of dependent steps (Odpor), under each policy in turn. The steps are those of groups of
// actors that share memory, or those of actors that only exchange messages.
#include "mc/reduction/group_steps.hpp"
#include "mc/reduction/message_steps.hpp"
#include "mc/reduction/odpor.hpp"
#include "mc/strategy/search_strategy.hpp"
#include "mc/strategy/session.hpp"

namespace rehearse::mc::strategy {

namespace {

class DependentOrders final : public SearchStrategy {
 public:
  explicit DependentOrders(Session& session) : session_(session) {}

  void run() override {
    if (reduction::GroupSteps::suits(session_.history(), session_.actor_count())) return run_group();
    const std::size_t policies = session_.options().semantics.policies.size();
    for (std::size_t p = 0; p < policies && session_.ledger().is_exhaustive(); ++p) {
      std::vector<bool> recalling;
      while (!run_messages(p, recalling)) continue;
    }
  }

 private:
  void run_group() {
    reduction::GroupSteps steps(session_.history());
    explore_orders(steps, [&](const reduction::Odpor& odpor) {
      if (!session_.examiner().examine(steps.graph(), false, session_.execution())) return false;
      session_.execution().decided = odpor.order();
      return true;
    });
    session_.add_limits({.orders_left_out = true});
    if (steps.has_strayed())
      session_.add_limits({.unsupported = {"a step of an actor that touches more than it had said (a timeout of a "
                                           "message, an exception that passes a lock) with --reduction odpor"}});
  }

  // False: the exploration must be repeated with the updated `recalling`.
  bool run_messages(std::size_t policy, std::vector<bool>& recalling) {
    const Semantics& semantics = session_.options().semantics;
    reduction::MessageSteps steps(session_.history(), session_.actor_count(), semantics.policies[policy],
                                  semantics.polls, recalling);
    explore_orders(steps, [&](const reduction::Odpor&) {
      if (steps.is_outdated()) return false;
      if (session_.is_left_open(steps.moves())) return true;
      session_.examiner().examine(steps.moves().graph(), policy, steps.moves().outcome(), session_.execution());
      return true;
    });
    session_.add_limits({.refusals_left_out = steps.moves().has_left_out_refusals()});
    return !steps.is_outdated() || session_.is_stopped();
  }

  template <class AnySteps, class Examine>
  void explore_orders(AnySteps& steps, const Examine& examine) {
    reduction::Odpor odpor(steps);
    odpor.run(
        [&] {
          session_.execution().clear();
          if (!examine(odpor)) return false;
          steps.forget_what_is_behind();
          return session_.count();
        },
        [&] { return session_.is_within_bounds(odpor.taken()); });
    session_.ledger().add_operations(odpor.taken());
    session_.ledger().add_duplicates(odpor.abandoned());
  }

  Session& session_;
};

}  // namespace

std::unique_ptr<SearchStrategy> make_dependent_orders(Session& session) {
  return std::make_unique<DependentOrders>(session);
}

}  // namespace rehearse::mc::strategy
