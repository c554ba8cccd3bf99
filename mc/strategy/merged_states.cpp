// SPDX-License-Identifier: MIT
//
// Merged states, under each policy in turn. What merging does not support is explored by `matching` instead.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "mc/history/local_graph.hpp"
#include "mc/reduction/merged.hpp"
#include "mc/strategy/depth_first.hpp"
#include "mc/strategy/search_strategy.hpp"
#include "mc/strategy/session.hpp"
#include "mc/strategy/shorter_messages.hpp"

namespace rehearse::mc::strategy {

namespace {

class MergedStates final : public SearchStrategy {
 public:
  MergedStates(Session& session, WhenUndecided otherwise) : session_(session), otherwise_(otherwise) {}

  void run() override {
    if (std::string feature = unsupported(); !feature.empty()) return use_matching(std::move(feature));
    try {
      repeat_for_shorter_messages([this](StateImages::AwaitedBytes awaited) { return search(awaited); });
    } catch (reduction::NotMergeable& limit) {
      return use_matching(std::move(limit.feature));
    }
    session_.set_merging(merging_);
  }

 private:
  std::string unsupported() const {
    const ExploreOptions& options = session_.options();
    if (dynamic_cast<StateImages*>(&session_.program()) == nullptr) return "programs whose states cannot be compared";
    if (session_.actor_count() > history::LocalGraph::actors_max) return "more than 64 ranks";
    if (std::ranges::any_of(options.semantics.policies, &Policy::is_mixed)) return "mixed buffering";
    if (options.hooks.price) return "predicted times";
    if (options.strategy.apart) return "exploration in other processes";
    return "";
  }

  // The length of a message that was too short for this search; nothing: the search is over.
  std::optional<std::uint64_t> search(StateImages::AwaitedBytes awaited) {
    merging_ = {};
    session_.set_merging(merging_);
    session_.history().start_again();
    history::LocalGraph graph(session_.program(), awaited);
    session_.history().merge_in(graph);
    std::optional<std::uint64_t> too_short;
    try {
      const std::size_t policies = session_.options().semantics.policies.size();
      for (std::size_t p = 0; p < policies && !session_.is_stopped(); ++p) search_under(p, graph);
    } catch (const reduction::ShortMessage& message) {
      too_short = message.bytes;
    } catch (...) {
      session_.history().start_again();  // the graph ends here
      throw;
    }
    merging_.local_steps = graph.steps();
    session_.add_limits({});
    session_.history().start_again();
    return too_short;
  }

  void search_under(std::size_t policy, history::LocalGraph& graph) {
    const Semantics& semantics = session_.options().semantics;
    reduction::Merged search(session_.history(), graph, session_.actor_count(), semantics.policies[policy]);
    const auto goes_on = [&] {
      stop_after_error(all_states_ + search.all_states());
      return session_.is_within_bounds(search.all_states());
    };
    const auto judge = [&](const graph::Graph& graph_of_path, const buffering::PolicyOutcome& outcome) {
      session_.execution().clear();
      session_.examiner().examine(graph_of_path, policy, outcome, session_.execution());
      session_.execution().endings.clear();  // states are not counted as executions
      session_.ledger().take(session_.execution());
      return goes_on();
    };
    search.run(judge, goes_on);
    merging_.states += search.states();
    merging_.rounds += search.rounds();
    session_.ledger().add_operations(search.all_states());
    all_states_ += search.all_states();
  }

  void stop_after_error(std::uint64_t states) {
    if (!session_.ledger().has_error() || session_.options().bounds.all_findings || session_.is_stopped()) return;
    if (!states_at_error_) states_at_error_ = states;
    if (states > *states_at_error_ + grace_states) session_.stop("stopped after an error (--all continues)");
  }

  // What the search has found until now stays found.
  void use_matching(std::string feature) {
    session_.history().start_again();
    if (otherwise_ == WhenUndecided::explore_by_matching) DepthFirst(session_).run();
    else session_.stop("not mergeable: " + feature);
    session_.set_merging({.unsupported = std::move(feature)});
  }

  static constexpr std::uint64_t grace_states = 20000;  // visited after the first error

  Session& session_;
  WhenUndecided otherwise_;
  Merging merging_;
  std::uint64_t all_states_ = 0;  // of the policies before
  std::optional<std::uint64_t> states_at_error_;
};

}  // namespace

std::unique_ptr<SearchStrategy> make_merged_states(Session& session, WhenUndecided otherwise) {
  return std::make_unique<MergedStates>(session, otherwise);
}

}  // namespace rehearse::mc::strategy
