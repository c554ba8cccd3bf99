// SPDX-License-Identifier: MIT
//
// See mc/state_search.hpp.
#include "mc/state_search.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "mc/cycle/letters.hpp"
#include "mc/cycle/state_space.hpp"
#include "mc/cycle/trace.hpp"
#include "mc/history/diverged.hpp"
#include "mc/history/local_graph.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::mc {
namespace {

using cycle::Rules;
using cycle::StateSpace;
using cycle::Step;

constexpr std::uint32_t first_look = 32;  // states

class Search {
 public:
  Search(Program& program, const StateSearchOptions& options) : program_(program), options_(options) {
    result_.unpublished.resize(options.formulas.size());
  }

  Result<StateSearchResult> run() {
    try {
      for (;;) try {
          if (const auto done = search(); !done) return done.error();
          break;
        } catch (const cycle::NewPolls&) {
          if (polls_.tests) polls_.probes = true;
          polls_.tests = true;
        }
    } catch (const cycle::NotComparable& limit) {
      refuse(limit.feature);
    } catch (const history::Diverged& diverged) {
      refuse(to_text(diverged));
    } catch (const history::GivenUp&) {
      refuse("the time is up");
    }
    return std::move(result_);
  }

 private:
  Result<void> search() {
    history::History history(program_, ~std::uint64_t{0});
    history.give_up_when(options_.stop);
    history::LocalGraph graph(program_, StateImages::AwaitedBytes::counted, history::LocalGraph::Numbers::left_out);
    history.merge_in(graph);
    const Rules rules(history, options_.policy, polls_);
    StateSpace space(rules, program_.actor_count());
    history_ = &history;
    Result<void> done = explore(space);
    result_.states = space.size();
    result_.steps = space.edges();
    if (!done) return done;
    if (graph.lacks_images()) refuse("a rank with threads, or with more memory than can be compared");
    if (const history::Diverged* strayed = history.strayed()) refuse(to_text(*strayed));
    return {};
  }

  Result<void> explore(StateSpace& space) {
    if (const auto done = walk(space); !done || is_over()) return done;
    for (std::uint32_t next = 0; next < space.size() && !is_over() && may_go_on(space); ++next) {
      if (space.is_expanded(next)) continue;
      space.expand(next);
      if (const auto done = look_if_grown(space); !done) return done;
    }
    if (is_over()) return {};
    if (result_.reasons.empty()) note_limits(space);
    return look(space, true);
  }

  // One execution, in which all doers take turns, until it comes to a known state.
  Result<void> walk(StateSpace& space) {
    std::uint64_t last = ~std::uint64_t{0};
    for (std::uint32_t at = 0; !space.is_expanded(at) && may_go_on(space);) {
      space.expand(at);
      at = space.after_turn(at, last);
    }
    return look(space, false);
  }

  bool may_go_on(const StateSpace& space) {
    if (!result_.reasons.empty()) return false;
    if (space.size() >= options_.max_states) refuse(fmt::format("--max-states {} reached", options_.max_states));
    else if (options_.stop.stop_requested()) refuse("the time is up");
    return result_.reasons.empty();
  }

  bool is_over() const {
    if (options_.formulas.empty()) return !found_.empty();
    return std::ranges::all_of(options_.formulas, [&](const NamedFormula& each) { return was_found(index_of(each)); });
  }

  std::size_t index_of(const NamedFormula& formula) const {
    return static_cast<std::size_t>(&formula - options_.formulas.data());
  }

  void refuse(std::string reason) {
    if (std::ranges::find(result_.reasons, reason) == result_.reasons.end())
      result_.reasons.push_back(std::move(reason));
  }

  // What the answers of a complete search do not cover.
  void note_limits(const StateSpace& space) {
    if (space.reads_clock()) refuse("actors that read the time (times are not explored)");
    if (space.has_failed()) refuse("an execution with an error; a check without formulas shows it");
    if (space.waits_forever() && !options_.may_wait)
      refuse("an execution in which actors wait forever; a check without formulas shows it");
  }

  Result<void> look_if_grown(StateSpace& space) {
    if (space.size() < look_at_) return {};
    look_at_ = 2 * space.size();
    return look(space, false);
  }

  Result<void> look(StateSpace& space, bool is_last) {
    for (const NamedFormula& each : options_.formulas) {
      const std::size_t index = index_of(each);
      if (was_found(index)) continue;
      if (const auto names = cycle::ambiguous_names(each.formula, space.values()); !names.empty())
        return Error{fmt::format("several actors publish '{0}'; accepted: {0}@NUMBER, sum({0}), min({0}), max({0})",
                                 *names.begin())};
      if (const auto names = cycle::missing_names(each.formula, space.values()); !names.empty()) {
        if (is_last) result_.unpublished[index] = *names.begin();
        continue;
      }
      space.set_letters(cycle::letters_of(each.formula, space.values()));
      auto lasso = lasso_against(each.formula, space.graph(), options_.fairness);
      if (!lasso) return lasso.error();
      if (lasso.value()) confirm(space, *lasso.value(), index);
    }
    if (options_.finds_endless && !was_found(std::nullopt))
      if (const auto lasso = endless_lasso(space.graph(), options_.fairness)) confirm(space, *lasso, std::nullopt);
    return {};
  }

  using Formula = std::optional<std::size_t>;
  bool was_found(const Formula& formula) const { return std::ranges::find(found_, formula) != found_.end(); }

  static std::vector<Step> steps_of(const StateSpace& space, const std::vector<Lasso::Step>& path) {
    std::vector<Step> steps;
    for (const Lasso::Step& step : path)
      if (step.edge != Lasso::stutter) steps.push_back(space.step_of(step.state, step.edge));
    return steps;
  }

  // An actor that acts in the loop and reads the clock there would not repeat itself in reality.
  static bool reads_clock(const StateSpace& space, const Lasso& lasso) {
    return std::ranges::any_of(lasso.loop, [&](const Lasso::Step& step) {
      return step.edge != Lasso::stutter && std::ranges::any_of(space.clock_readers(step.state), [&](std::uint32_t a) {
               return std::ranges::any_of(lasso.loop, [&](const Lasso::Step& other) {
                 return space.step_of(other.state, other.edge).actor == a;
               });
             });
    });
  }

  // Takes the loop twice. All states and surroundings must be equal.
  void confirm(const StateSpace& space, const Lasso& lasso, const Formula& formula) {
    found_.push_back(formula);
    if (reads_clock(space, lasso)) return refuse("actors that read the time in a loop (times are not explored)");
    const std::vector<Step> stem = steps_of(space, lasso.stem), loop = steps_of(space, lasso.loop);
    history_->lose_places();
    cycle::Trace trace(program_, options_, polls_);
    FoundLasso found;
    found.formula = formula;
    found.loop = loop.size();
    bool closes = trace.take(stem, false);
    const history::Hash128 first = trace.state();
    const std::uint64_t outside = surroundings();
    for (int round = 0; closes && round < 2; ++round) {
      closes = trace.take(loop, false) && trace.state() == first;
      if (closes && surroundings() != outside)
        return refuse("actors that read on in a file, or have a pipe or socket, in a loop");
    }
    if (!closes) return refuse("a program whose state differs when the same steps are taken again");
    cycle::Trace shown(program_, options_, polls_);  // describing an actor leaves bytes on its stack, which count above
    if (!shown.take(stem, true) || !shown.take(loop, true)) return refuse("a program that is not deterministic");
    found.steps = std::move(shown.shown());
    found.schedule = std::move(trace.schedule());
    found.operations = trace.operations();
    result_.found.push_back(std::move(found));
  }

  std::uint64_t surroundings() const { return options_.surroundings ? options_.surroundings() : 0; }

  Program& program_;
  const StateSearchOptions& options_;
  cycle::Polls polls_;
  history::History* history_ = nullptr;  // of the current search
  std::uint32_t look_at_ = first_look;
  std::vector<Formula> found_;  // formulas with a lasso, confirmed or not
  StateSearchResult result_;
};

}  // namespace

Result<StateSearchResult> search_states(Program& program, const StateSearchOptions& options) {
  return Search(program, options).run();
}

}  // namespace rehearse::mc
