// SPDX-License-Identifier: MIT
//
// See repetition.hpp.
#include "app/repetition.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <set>
#include <utility>

#include "app/exit_status.hpp"
#include "app/isolated_pool.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::app {
namespace {

constexpr double seconds_to_end = 2;  // of children that were asked to end

// The state of one repetition.
class Repeater {
 public:
  Repeater(const RepetitionOptions& options, const AttemptWork& work, const RunsProgress& progress)
      : work_(work), progress_(progress), seeds_(seeds_of_runs(options.seed, options.runs)), states_(options.runs) {
    result_.options = options;
    waiting_.push_back(0);
  }

  Repetition repeat(const StopToken& stop) {
    while (begin_attempts() && !pool_.running().empty()) {
      if (auto ended = pool_.wait(stop)) take(std::move(*ended));
      else return interrupt();
    }
    return finish();
  }

 private:
  struct State {
    std::uint32_t attempts = 0;
    std::optional<AttemptEnd> best;  // none: no attempt ended well yet
  };

  // False: nothing that could still matter runs or waits.
  bool begin_attempts() {
    while (!waiting_.empty() && pool_.running().size() < result_.options.jobs) {
      const std::uint32_t run = waiting_.front();
      waiting_.pop_front();
      if (result_.failure && run > result_.failure->run) continue;
      const Attempt attempt{run, states_[run].attempts++, seeds_[run]};
      const auto streams = attempt.is_shown() ? IsolatedPool::Streams::of_this_process : IsolatedPool::Streams::none;
      if (!pool_.start(run, streams, [&] { return to_json(work_(attempt)).dump(); }))
        fail(run, {exit_inconclusive, "inconclusive: the system has no process for the run\n"});
    }
    if (!result_.failure) return true;
    return std::ranges::any_of(pool_.running(), [&](std::size_t run) { return run < result_.failure->run; });
  }

  void take(IsolatedPool::Ended ended) {
    const auto run = static_cast<std::uint32_t>(ended.number);
    const auto json = ended.death.empty() ? parse_json(ended.text) : Result<Json>(Error{});
    if (!json) {
      const std::string how = ended.death.empty() ? "without a result" : ended.death;
      return fail(run, {exit_inconclusive, "inconclusive: the process of the run ended " + how + '\n'});
    }
    take(run, attempt_end_from(json.value()));
  }

  void take(std::uint32_t run, AttemptEnd end) {
    State& state = states_[run];
    if (end.was_interrupted) {
      result_.was_interrupted = true;
      return;
    }
    if (end.exit_status != exit_good || !end.error.empty()) {
      if (run == 0) result_.first = end;
      return fail(run, {end.exit_status, end.text, end.error});
    }
    const bool is_disturbed = end.disturbance.has_value();
    if (!state.best || end.disturbance.value_or(-1) < state.best->disturbance.value_or(-1)) state.best = std::move(end);
    if (is_disturbed && state.attempts <= result_.options.more_if_disturbed) {
      waiting_.push_front(run);
      return;
    }
    if (run == 0)
      for (std::uint32_t other = 1; other < result_.options.runs; ++other) waiting_.push_back(other);
    if (progress_) progress_(++ended_);
  }

  struct Fault {
    int exit_status = 0;
    std::string text = {}, error = {};
  };
  void fail(std::uint32_t run, Fault fault) {
    if (result_.failure && result_.failure->run < run) return;
    result_.failure = {run, seeds_[run], fault.exit_status, std::move(fault.text), std::move(fault.error)};
  }

  // Runs that end by themselves within a short time still count.
  Repetition interrupt() {
    result_.was_interrupted = true;
    pool_.request_end();
    const StopToken soon = StopToken().until(StopToken::Clock::now(), seconds_to_end);
    while (auto ended = pool_.wait(soon)) take(std::move(*ended));
    return finish();
  }

  Repetition finish() {
    for (std::uint32_t run = 0; run < states_.size(); ++run) {
      State& state = states_[run];
      if (result_.failure && run >= result_.failure->run) break;
      if (!state.best) continue;
      result_.runs.push_back({seeds_[run], state.best->simulated_seconds, state.attempts, state.best->disturbance});
      if (run == 0) result_.first = std::move(*state.best);
    }
    return std::move(result_);
  }

  const AttemptWork& work_;
  const RunsProgress& progress_;
  std::vector<std::uint64_t> seeds_;
  std::vector<State> states_;          // by run
  std::deque<std::uint32_t> waiting_;  // runs
  std::uint32_t ended_ = 0;
  Repetition result_;
  IsolatedPool pool_;
};

}  // namespace

std::vector<std::uint64_t> seeds_of_runs(std::uint64_t seed, std::uint32_t runs) {
  std::vector<std::uint64_t> seeds = {seed};
  std::set<std::uint64_t> known = {seed};
  SplitMix random(seed);
  while (seeds.size() < runs) {
    const std::uint64_t drawn = random.next() >> 32;  // short enough for a command line
    if (known.insert(drawn).second) seeds.push_back(drawn);
  }
  return seeds;
}

std::uint32_t Repetition::disturbed() const {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(runs, [](const RepeatedRun& run) { return run.disturbance.has_value(); }));
}

std::uint32_t Repetition::repeated() const {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(runs, [](const RepeatedRun& run) { return run.attempts > 1; }));
}

Json to_json(const AttemptEnd& end) {
  Json json = {{"exit_status", end.exit_status},
               {"interrupted", end.was_interrupted},
               {"disturbance", end.disturbance ? Json(*end.disturbance) : Json(nullptr)},
               {"simulated_seconds", end.simulated_seconds},
               {"text", end.text},
               {"error", end.error},
               {"title", end.title}};
  json["notes"] = Json(end.notes);
  json["report"] = end.report;
  return json;
}

AttemptEnd attempt_end_from(const Json& json) {
  AttemptEnd end;
  end.exit_status = json["exit_status"];
  end.was_interrupted = json["interrupted"];
  if (!json["disturbance"].is_null()) end.disturbance = json["disturbance"].get<double>();
  end.simulated_seconds = json["simulated_seconds"];
  end.text = json["text"].get<std::string>();
  end.error = json["error"].get<std::string>();
  end.title = json["title"].get<std::string>();
  for (const Json& note : json["notes"]) end.notes.push_back(note.get<std::string>());
  end.report = json["report"];
  return end;
}

Repetition repeat(const RepetitionOptions& options, const AttemptWork& work, const StopToken& stop,
                  const RunsProgress& progress) {
  return Repeater(options, work, progress).repeat(stop);
}

}  // namespace rehearse::app
