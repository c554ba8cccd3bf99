// SPDX-License-Identifier: MIT
//
// Runs a reduction and has every execution that it finds examined and counted.
#include "mc/explore.hpp"

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "mc/history/history.hpp"
#include "mc/parallel/team.hpp"
#include "mc/reduction/group_steps.hpp"
#include "mc/reduction/message_steps.hpp"
#include "mc/reduction/none.hpp"
#include "mc/reduction/odpor.hpp"
#include "mc/reduction/receives_from.hpp"
#include "mc/verdict/branchings.hpp"
#include "mc/verdict/examiner.hpp"
#include "mc/verdict/ledger.hpp"
#include "mc/verdict/race_telling.hpp"
#include "mc/verdict/watch.hpp"
#include "mc/what_is_left.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc {

namespace {

constexpr std::size_t policies_max = 31;
constexpr double infinitely = std::numeric_limits<double>::infinity();

class Run {
 public:
  Run(Program& program, const ExploreOptions& options, const Judge& judge)
      : program_(program),
        options_(options),
        history_(program, options.bounds.max_history_bytes),
        examiner_(program, history_, options, judge, [this] { return is_within_bounds(operations_); }),
        ledger_(options),
        watch_(options) {
    history_.limit_local_seconds(options.bounds.max_step_seconds);
    history_.give_up_when(watch_.stop());
    if (options.hooks.prepare) options.hooks.prepare(watch_.stop());
  }

  // `left`: see what_is_left.hpp; null: nobody wants to know.
  Verdict run(std::string* left = nullptr) {
    left_ = left;
    try {
      if (options_.strategy.search == Search::random)
        run_walks();
      else if (options_.strategy.search == Search::bounded)
        run_bounded();
      else if (options_.strategy.reduction == Reduction::matching)
        run_matching();
      else if (options_.strategy.reduction == Reduction::odpor)
        run_odpor();
      else
        run_none();
    } catch (const Diverged& diverged) {
      ledger_.stop(to_text(diverged));
    } catch (const GivenUp&) {
      await_objection();
    }
    return finish();
  }

  // False: this is not what was left of an exploration.
  bool load(Reader& from) {
    ledger_.load(from);
    team_.emplace(exploration(nullptr), ledger_, watch_);
    team_->load(from);
    return from.is_good() && from.at_end();
  }

  // After load() of what is in `left`.
  Verdict go_on(std::string& left) {
    left_ = &left;
    if (ledger_.goes_on() && !run_team(*team_))
      ledger_.stop("no process that explores could be started: " + std::string(std::strerror(errno)));
    return finish();
  }

 private:
  // Alone first: most explorations are over before other processes would have started.
  void run_matching() {
    Matching matching(history_, program_.actor_count(), options_.semantics.polls,
                      [this](const Matching& now) { return is_within_bounds(now.events() - counted_); });
    watch_.estimate([&matching] { return matching.position(); });
    const Strategy& strategy = options_.strategy;
    const double alone_seconds = strategy.jobs > 1 ? strategy.alone_seconds : infinitely;
    const bool is_over = !strategy.apart && run_alone(matching, alone_seconds);
    if (!is_over && !is_stopped_) {
      if (!examiner_.can_be_divided())
        add_limits({.unsupported = {"what executions of several processes write or send"}});
      team_.emplace(exploration(&matching), ledger_, watch_);
      if (!run_team(*team_)) run_alone(matching, infinitely);
    }
    if (is_stopped_ && left_ != nullptr) *left_ = Team::left_of(ledger_, matching);
    watch_.estimate({});
  }

  Exploration exploration(Matching* matching) {
    return {options_, program_.actor_count(), history_, examiner_, matching};
  }

  // False: there can be no other processes.
  bool run_team(Team& team) {
    if (left_ != nullptr) team.will_save();
    if (!team.run()) return false;
    if (left_ != nullptr) *left_ = team.left();
    return true;
  }

  Verdict finish() {
    ledger_.add_application_runs(history_.application_runs());
    add_limits({});
    Verdict verdict = ledger_.finish();
    tell_races(verdict);
    verdict.peak_bytes = watch_.peak_bytes();
    return verdict;
  }

  void tell_races(Verdict& verdict) {
    if (options_.strategy.apart || ledger_.races().empty()) return;  // apart: here no actors are run
    examiner_.ask([this] { return !watch_.stop().stop_requested(); });
    RaceTelling telling(program_, history_, options_, examiner_, [this] { return !watch_.stop().stop_requested(); });
    try {
      for (Finding& finding : telling.tell(ledger_.races())) verdict.findings.push_back(std::move(finding));
    } catch (const Diverged& diverged) {
      verdict.exhaustive = false;
      verdict.reasons.push_back(to_text(diverged));
    }
  }

  // Each round goes through all that earlier ones did, and visits what takes one more turn.
  void run_bounded() {
    const std::uint32_t most = options_.strategy.deviations;
    bool left_out = true;
    for (std::uint32_t turns = 0; turns <= most && left_out && !is_stopped_; ++turns) {
      Matching matching(history_, program_.actor_count(), options_.semantics.polls,
                        [this](const Matching& now) { return is_within_bounds(now.events()); });
      matching.limit_turns(turns);
      matching.run([&](const Graph& graph) {
        if (matching.turns() == turns && !look_at(graph, true)) return false;
        examiner_.find_races(matching, execution_);
        execution_.branching = branching_of(matching);
        return (matching.turns() < turns || count()) && is_within_bounds(matching.events());
      });
      ledger_.add_operations(matching.events());
      add_limits(limits_of(matching));
      left_out = matching.left_turns_out();
    }
    if (left_out && !is_stopped_)
      ledger_.stop("only executions in which at most " + std::to_string(most) +
                   (most == 1 ? " decision goes" : " decisions go") + " another way were made (--search)");
  }

  bool is_to_go_on_alone(double seconds) { return watch_.seconds() < seconds || !examiner_.can_be_divided(); }

  // For so long.
  bool run_alone(Matching& matching, double seconds) {
    const bool is_over = matching.run([&](const Graph& graph) {
      if (!look_at(graph, true)) {  // stopped in the middle of it: whoever goes on begins with it
        matching.visit_again();
        return false;
      }
      examiner_.find_races(matching, execution_);
      execution_.branching = branching_of(matching);
      return count() && is_within_bounds(matching.events() - counted_) && is_to_go_on_alone(seconds);
    });
    ledger_.add_operations(matching.events() - counted_);
    counted_ = matching.events();
    add_limits(limits_of(matching));
    return is_over;
  }

  // With what actors said of themselves up to here.
  void add_limits(const Limits& limits) {
    ledger_.add_limits(limits);
    ledger_.add_limits(limits_of(history_));
    if (options_.hooks.caveats) ledger_.add_limits(limits_of(options_.hooks.caveats()));
  }

  // Each from the start; what earlier ones ran is remembered by the History.
  void run_walks() {
    SplitMix chance(options_.strategy.seed);
    bool goes_on = true;
    for (std::uint64_t walk = 0; walk < options_.strategy.walks && goes_on; ++walk) {
      Matching matching(history_, program_.actor_count(), options_.semantics.polls, [&](const Matching& now) {
        return goes_on = is_within_bounds(now.events());
      });
      if (const Graph* graph = matching.walk(chance)) {
        goes_on = take(*graph, false);
        ledger_.add_walk();
      }
      ledger_.add_operations(matching.events());
      add_limits(limits_of(matching));
      if (history_.is_full()) history_.collect({});
      goes_on = goes_on && is_within_bounds(0);
    }
    if (goes_on) ledger_.stop("a random search leaves executions out (--search)");
  }

  void run_none() {
    for (std::size_t p = 0; p < options_.semantics.policies.size() && ledger_.is_exhaustive(); ++p) {
      None none(history_, program_.actor_count(), options_.semantics.policies[p], options_.semantics.polls);
      none.run([&](const Graph& graph, const PolicyOutcome& outcome) {
        execution_.clear();
        if (is_left_open(none.moves())) return is_within_bounds(none.states());
        examiner_.examine(graph, p, outcome, execution_);
        return ledger_.take(execution_) && is_within_bounds(none.states());
      });
      ledger_.add_operations(none.states());
      add_limits({.refusals_left_out = none.moves().has_left_out_refusals()});
    }
  }

  void run_odpor() {
    if (GroupSteps::suits(history_, program_.actor_count())) return run_odpor_of_group();
    for (std::size_t p = 0; p < options_.semantics.policies.size() && ledger_.is_exhaustive(); ++p) {
      std::vector<bool> recalling;
      while (!run_odpor_of_messages(p, recalling)) continue;
    }
  }

  void run_odpor_of_group() {
    GroupSteps steps(history_);
    explore_orders(steps, [&](const Odpor& odpor) {
      if (!examiner_.examine(steps.graph(), false, execution_)) return false;
      execution_.decided = odpor.order();
      return true;
    });
    add_limits({.orders_left_out = true});
    if (steps.has_strayed())
      add_limits({.unsupported = {"a step of an actor that touches more than it had said (a timeout of a message, an "
                                  "exception that passes a lock) with --reduction odpor"}});
  }

  // False: it has to be done again, with what was found out about the actors.
  bool run_odpor_of_messages(std::size_t policy, std::vector<bool>& recalling) {
    const Semantics& semantics = options_.semantics;
    MessageSteps steps(history_, program_.actor_count(), semantics.policies[policy], semantics.polls, recalling);
    explore_orders(steps, [&](const Odpor&) {
      if (steps.is_outdated()) return false;
      if (is_left_open(steps.moves())) return true;
      examiner_.examine(steps.moves().graph(), policy, steps.moves().outcome(), execution_);
      return true;
    });
    add_limits({.refusals_left_out = steps.moves().has_left_out_refusals()});
    return !steps.is_outdated() || is_stopped_;
  }

  // Whether nobody knows how the execution goes on.
  bool is_left_open(const Moves& moves) {
    if (examiner_.has_predicates(moves.graph()))
      add_limits({.unsupported = {"predicates over published values with --reduction odpor or none"}});
    if (moves.polls_in_vain())
      add_limits({.refusals_left_out = true,
                  .unsupported = {"a poll that is told no more than --polls times while nothing else can happen"}});
    return moves.polls_in_vain();
  }

  template <class AnySteps, class Examine>
  void explore_orders(AnySteps& steps, const Examine& examine) {
    Odpor odpor(steps);
    odpor.run(
        [&] {
          execution_.clear();
          if (!examine(odpor)) return false;
          steps.forget_what_is_behind();
          is_stopped_ = !ledger_.take(execution_);
          return !is_stopped_;
        },
        [&] { return is_within_bounds(odpor.taken()); });
    ledger_.add_operations(odpor.taken());
    ledger_.add_duplicates(odpor.abandoned());
  }

  bool take(const Graph& graph, bool is_reached_once) { return look_at(graph, is_reached_once) && count(); }

  // False: it was stopped before the end.
  bool look_at(const Graph& graph, bool is_reached_once) {
    execution_.clear();
    return examiner_.examine(graph, is_reached_once, execution_);
  }

  bool count() {
    is_stopped_ = !ledger_.take(execution_);
    return !is_stopped_;
  }

  // Somebody gave up because of one.
  void await_objection() {
    while (is_within_bounds(operations_)) continue;
  }

  // `operations`: of the exploration that is going on.
  bool is_within_bounds(std::uint64_t operations) {
    operations_ = operations;
    if (is_stopped_) return false;
    auto objection = watch_.objection(ledger_.executions(), ledger_.operations() + operations);
    if (objection) is_stopped_ = !ledger_.stop(std::move(*objection));
    return !is_stopped_;
  }

  Program& program_;
  const ExploreOptions& options_;
  History history_;
  Examiner examiner_;
  Ledger ledger_;
  Watch watch_;
  Execution execution_;         // the one at hand
  std::uint64_t counted_ = 0;   // of the exploration's events, in the ledger
  bool is_stopped_ = false;
  std::string* left_ = nullptr;
  std::optional<Team> team_;
  std::uint64_t operations_ = 0;
};

void check(const ExploreOptions& options) {
  const std::size_t policies = options.semantics.policies.size();
  REHEARSE_ASSERT(policies > 0 && policies <= policies_max, "policies to be judged");
  REHEARSE_ASSERT(options.strategy.jobs >= 1 && options.strategy.jobs <= jobs_max, "processes that explore");
}

}  // namespace

std::string to_text(const Policy& policy) {
  std::string text = policy.eager_bytes == Policy::infinite ? "infinite"
                     : policy.eager_bytes == 0              ? "zero"
                                                            : "eager:" + std::to_string(policy.eager_bytes);
  return policy.synchronising ? text + "+synchronising" : text;
}

Verdict explore(Program& program, const ExploreOptions& options, const Judge& judge) {
  check(options);
  return Run(program, options, judge).run();
}

Verdict explore_part(Program& program, const ExploreOptions& options, const Judge& judge, std::string& left) {
  check(options);
  REHEARSE_ASSERT(options.strategy.search == Search::depth_first && options.strategy.reduction == Reduction::matching,
                  "what is left of this exploration cannot be said");
  left.clear();
  return Run(program, options, judge).run(&left);
}

std::optional<Verdict> explore_what_is_left(Program& program, const ExploreOptions& options, const Judge& judge,
                                            std::string& left) {
  check(options);
  Run run(program, options, judge);
  const std::string before = std::exchange(left, {});
  Reader reader(before);
  if (!run.load(reader)) return std::nullopt;
  return run.go_on(left);
}

}  // namespace rehearse::mc
