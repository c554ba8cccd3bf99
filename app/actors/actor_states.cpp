// SPDX-License-Identifier: MIT
//
// See app/actor_states.hpp.
#include "app/actor_states.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "app/actor_steps.hpp"
#include "app/actors/actor_state_graph.hpp"
#include "app/wording.hpp"
#include "simcore/observation.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr std::size_t first_look = 32;  // states

std::string place_in(const std::vector<Frame>& frames) {
  if (frames.empty()) return "";
  const std::string& file = frames.front().file;
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), frames.front().line);
}

// The values that are new after a step: "busy@1 = 1, turn@0 = 2".
std::string changes(const std::vector<ActorValue>& before, const std::vector<ActorValue>& after) {
  std::string text;
  for (const ActorValue& value : after)
    if (std::ranges::find(before, value) == before.end())
      text += fmt::format("{}{}@{} = {}", text.empty() ? "" : ", ", value.name, value.actor, value.value);
  return text;
}

class Search {
 public:
  Search(const StateSearchRequest& request, RemoteActorStates& program) : request_(request), program_(program) {}

  Result<StateSearch> run() {
    begin();
    std::size_t look_at = first_look;
    while (!open_.empty() && !is_over()) {
      if (graph_.size() >= request_.max_states) {
        result_.reasons.push_back(fmt::format("--max-states {} reached", request_.max_states));
        break;
      }
      if (request_.stop.stop_requested()) {
        result_.reasons.emplace_back("--max-seconds reached, or interrupted");
        break;
      }
      expand(open_.front());
      open_.pop_front();
      if (graph_.size() < look_at) continue;
      look_at = 2 * graph_.size();
      if (const auto done = look(false); !done) return done.error();
    }
    if (!is_over())
      if (const auto done = look(true); !done) return done.error();
    result_.states = graph_.size();
    result_.steps = graph_.edges();
    for (std::uint32_t i = 0; i < graph_.size(); ++i)
      result_.reads_dates = result_.reads_dates || graph_.at(i).has_read_dates;
    return std::move(result_);
  }

 private:
  bool is_over() const { return was_refused_ || (!request_.all_findings && !result_.findings.empty()); }

  void begin() {
    ActorsState first = program_.first();
    if (first.kind == ActorsState::Kind::failed) return note_failure(first, {});
    note_status(first, {});
    graph_.add(std::move(first), ActorStateGraph::none, 0);
    open_.push_back(0);
    if (graph_.at(0).options.empty()) open_.clear();
  }

  void expand(std::uint32_t state) {
    const std::vector<std::uint64_t> path = graph_.path_to(state);
    std::vector<ActorsState> next = program_.successors(path);
    const std::vector<StepOption> options = graph_.at(state).options;  // the graph grows
    for (std::size_t i = 0; i < next.size(); ++i) {
      std::vector<std::uint64_t> steps = path;
      if (i < options.size()) steps.push_back(options[i].doer);
      if (next[i].kind == ActorsState::Kind::failed) note_failure(next[i], steps);
      if (i >= options.size() || was_refused_) return;
      if (next[i].kind == ActorsState::Kind::ended) note_status(next[i], steps);
      // An execution that fails ends there; its values are not known, so it is left out of the graph.
      if (next[i].kind == ActorsState::Kind::failed && next[i].id != "deadlock.actors") continue;
      const auto [target, is_new] = graph_.add(std::move(next[i]), state, options[i].doer);
      graph_.add_edge(state, target, options[i]);
      if (is_new && !graph_.at(target).options.empty()) open_.push_back(target);
    }
    if (next.size() < options.size()) return refuse("a program whose states could not all be shown");
    graph_.set_expanded(state);
    if (request_.progress && graph_.size() % 64 == 0) request_.progress(graph_.size());
  }

  void refuse(const std::string& reason) {
    if (std::ranges::find(result_.reasons, reason) == result_.reasons.end()) result_.reasons.push_back(reason);
    was_refused_ = true;
  }

  void note_failure(const ActorsState& state, const std::vector<std::uint64_t>& steps) {
    if (state.failure == FailureKind::given_up) return refuse("--max-seconds reached, or interrupted");
    if (!is_fault(state.failure)) return refuse(state.what + " is not supported");
    for (Finding& finding : judge_actors(state.id, state.what, 0, state.end)) take(std::move(finding), steps);
  }

  void note_status(const ActorsState& state, const std::vector<std::uint64_t>& steps) {
    if (state.kind != ActorsState::Kind::ended) return;
    for (Finding& finding : judge_actors("", "", state.status, {})) take(std::move(finding), steps);
  }

  // Each kind of finding at the same places once.
  void take(Finding finding, const std::vector<std::uint64_t>& steps) {
    if (!request_.is_wanted(finding)) return;
    for (const StateFinding& known : result_.findings)
      if (known.finding.id == finding.id && known.finding.message == finding.message) return;
    const ActorTrace trace = program_.trace(steps);
    result_.findings.push_back({std::move(finding), {}, {}});
    describe(trace, trace.steps.size(), result_.findings.back());
  }

  // Steps in words, and the schedule that makes them.
  void describe(const ActorTrace& trace, std::size_t shown, StateFinding& finding) {
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
      const TracedActorStep& step = trace.steps[i];
      if (step.index > 0)
        finding.finding.witness.schedule.answers[{ActorId{0}, static_cast<std::uint32_t>(i)}] = {true,
                                                                                                 {step.index},
                                                                                                 {}};
      if (i >= shown) continue;
      const std::vector<ActorValue>& after = i + 1 < trace.steps.size() ? trace.steps[i + 1].published
                                                                        : trace.last.published;
      finding.steps.push_back({step.text, step.instead, {}, place_in(step.frames), changes(step.published, after)});
    }
  }

  // Searches the graph as it is.
  Result<void> look(bool is_last) {
    const bool is_complete = is_last && result_.reasons.empty() && open_.empty();
    for (const LtlRequest& each : request_.formulas) {
      if (was_found(each.text)) continue;
      if (const auto names = graph_.ambiguous(each.formula); !names.empty())
        return Error{fmt::format(
            "--ltl: several actors publish '{0}'; accepted: {0}@NUMBER, sum({0}), min({0}), max({0})", *names.begin())};
      if (const auto names = graph_.missing(each.formula); !names.empty()) {
        if (is_complete) take_missing(each.text, *names.begin());
        else if (is_last) refuse(fmt::format("--ltl: no state that was explored publishes '{}'", *names.begin()));
        continue;
      }
      graph_.evaluate(each.formula);
      auto lasso = mc::lasso_against(each.formula, graph_.graph(), request_.fairness);
      if (!lasso) return Error{"--ltl: " + lasso.error().text, true};
      if (lasso.value()) take_lasso(finding_of(each), *lasso.value(), each.text);
    }
    if (request_.finds_endless && !was_found(""))
      if (const auto lasso = mc::endless_lasso(graph_.graph(), request_.fairness))
        take_lasso(endless_finding(), *lasso, "");
    return {};
  }

  bool was_found(const std::string& formula) const { return std::ranges::find(found_, formula) != found_.end(); }

  void take_missing(const std::string& formula, const std::string& name) {
    Finding finding;
    finding.id = "property.value";
    finding.actors = {ActorId{0}};
    finding.message = fmt::format("no actor publishes '{}' of the formula \"{}\" in any state", name, formula);
    found_.push_back(formula);
    if (request_.is_wanted(finding)) result_.findings.push_back({std::move(finding), {}, {}});
  }

  static Finding finding_of(const LtlRequest& formula) {
    Finding finding;
    finding.id = "property.ltl";
    finding.actors = {ActorId{0}};
    finding.message = fmt::format("the formula \"{}\" does not hold", formula.text);
    return finding;
  }

  static Finding endless_finding() {
    Finding finding;
    finding.id = "progress.cycle";
    finding.actors = {ActorId{0}};
    finding.message = "the actors return to a state in which they were before, so they can go on like this forever";
    return finding;
  }

  // Confirms the loop by taking it twice: the program must be in the same state before, between and after.
  void take_lasso(Finding finding, const mc::Lasso& lasso, const std::string& formula) {
    if (!request_.is_wanted(finding)) return;
    if (reads_dates(lasso)) return refuse("actors that read the simulated date in a loop (dates are not explored)");
    const auto doers_of = [this](const std::vector<mc::Lasso::Step>& steps) {
      std::vector<std::uint64_t> doers;
      for (const mc::Lasso::Step& step : steps)
        if (step.edge != mc::Lasso::stutter) doers.push_back(graph_.doer_of(step.state, step.edge));
      return doers;
    };
    std::vector<std::uint64_t> path = doers_of(lasso.stem);
    const std::vector<std::uint64_t> loop = doers_of(lasso.loop);
    const std::size_t stem = path.size();
    for (int round = 0; round < 2; ++round) path.insert(path.end(), loop.begin(), loop.end());
    const ActorTrace trace = program_.trace(path);
    if (trace.steps.size() != path.size() || !closes(trace, stem, loop.size()))
      return refuse("a program whose state differs when the same steps are taken again (it is not deterministic)");
    found_.push_back(formula);
    const std::string steps = fmt::format(" after {}", counted(stem, "step"));
    finding.message += loop.empty()
                           ? fmt::format(": the execution ends{}, and its last state stays", steps)
                           : fmt::format(":{} come {} that repeat forever", steps, counted(loop.size(), "step"));
    for (std::size_t i = stem; i < stem + loop.size(); ++i) add_location(trace.steps[i], finding);
    result_.findings.push_back({std::move(finding), {}, static_cast<std::uint32_t>(loop.size())});
    describe(trace, stem + loop.size(), result_.findings.back());
  }

  bool reads_dates(const mc::Lasso& lasso) const {
    return std::ranges::any_of(lasso.loop, [this](const auto& step) { return graph_.at(step.state).has_read_dates; });
  }

  static bool closes(const ActorTrace& trace, std::size_t stem, std::size_t loop) {
    if (loop == 0) return trace.last.options.empty();
    const WideHash& first = trace.steps[stem].image;
    return first == trace.steps[stem + loop].image && first == trace.last.image;
  }

  // Each place in the loop once.
  static void add_location(const TracedActorStep& step, Finding& finding) {
    if (step.frames.empty()) return;
    Location location;
    location.file = step.frames.front().file;
    location.line = step.frames.front().line;
    location.function = step.frames.front().function;
    location.what = "in the loop: " + step.text;
    const auto is_here = [&](const Location& known) {
      return known.file == location.file && known.line == location.line && known.what == location.what;
    };
    if (std::ranges::none_of(finding.locations, is_here)) finding.locations.push_back(std::move(location));
  }

  const StateSearchRequest& request_;
  RemoteActorStates& program_;
  ActorStateGraph graph_;
  std::deque<std::uint32_t> open_;
  std::vector<std::string> found_;  // formulas that do not hold; empty text: the endless execution
  bool was_refused_ = false;
  StateSearch result_;
};

}  // namespace

Result<StateSearch> search_states(const StateSearchRequest& request) {
  auto program = RemoteActorStates::launch({request.path, request.arguments, request.max_step_seconds, request.stop});
  if (!program) return program.error();
  return Search(request, *program.value()).run();
}

}  // namespace rehearse::app
