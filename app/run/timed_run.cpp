// SPDX-License-Identifier: MIT
//
// Runs a program and judges its outcome.
#include "app/timed_run.hpp"

#include <algorithm>

#include "app/recording/recorder.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

// Reasons why the outcome proves nothing about the program.
std::vector<std::string> unsupported_in(const Outcome& outcome, const Describe& describe) {
  std::vector<std::string> reasons;
  for (std::uint32_t rank = 0; rank < outcome.actors.size(); ++rank) {
    const ActorOutcome& actor = outcome.actors[rank];
    if (actor.state != ActorOutcome::State::failed || is_fault(actor.failure)) continue;
    std::string text = actor.what;
    if (actor.failure == FailureKind::unsupported) text += " is not supported yet";
    const CallDescription description = describe({rank});
    if (!description.frames.empty() && !description.frames[0].file.empty()) {
      text += fmt::format(" ({}:{})", description.frames[0].file, description.frames[0].line);
    }
    if (std::ranges::find(reasons, text) == reasons.end()) reasons.push_back(text);
  }
  return reasons;
}

class TwoTimelines final : public Timeline {
 public:
  TwoTimelines(Timeline& one, Timeline& other) : one_(one), other_(other) {}

  void on_operation(ActorId actor, const Operation& operation, TimePoint begin, TimePoint end) override {
    one_.on_operation(actor, operation, begin, end);
    other_.on_operation(actor, operation, begin, end);
  }
  void on_computation(ActorId actor, TimePoint begin, TimePoint end) override {
    one_.on_computation(actor, begin, end);
    other_.on_computation(actor, begin, end);
  }
  void on_delivery(const Delivery& delivery) override {
    one_.on_delivery(delivery);
    other_.on_delivery(delivery);
  }
  void on_inner_delivery(const InnerDelivery& delivery) override {
    one_.on_inner_delivery(delivery);
    other_.on_inner_delivery(delivery);
  }
  void on_visible(const SendName& send, ActorId destination, TimePoint now) override {
    one_.on_visible(send, destination, now);
    other_.on_visible(send, destination, now);
  }
  void on_match(ActorId actor, RequestId receive, const SendName& send, TimePoint now) override {
    one_.on_match(actor, receive, send, now);
    other_.on_match(actor, receive, send, now);
  }
  void on_effect(ActorId actor, RequestId access, TimePoint now) override {
    one_.on_effect(actor, access, now);
    other_.on_effect(actor, access, now);
  }

 private:
  Timeline& one_;
  Timeline& other_;
};

}  // namespace

Result<TimedRun> run_timed(Program& program, Machine& machine, EngineOptions options,
                           const properties::Selection& reported, Recorded recorded) {
  options.placement = machine.placement;
  options.collectives = machine.collectives.get();
  options.stop = machine.models.stop;
  std::optional<Recorder> recorder;
  std::optional<TwoTimelines> both;
  if (recorded != Recorded::nothing) {
    CostModel* costs = recorded == Recorded::calls_and_resources ? machine.costs.get() : nullptr;
    recorder.emplace(program, machine.platform, costs);
    if (options.timeline == nullptr) options.timeline = &*recorder;
    else options.timeline = &both.emplace(*options.timeline, *recorder);
  }
  if (machine.capture)
    machine.capture->locate_calls([&](ActorId actor, std::uintptr_t address) {
      return program.locate(actor, {"", address});
    });
  CostModel& costs = *machine.costs;  // lives as long as the engine
  Engine engine(program, machine.platform, std::move(machine.costs), std::move(options));
  auto result = engine.run();
  if (!result) return result.error();
  if (machine.capture)
    if (const auto saved = machine.capture->close(); !saved) return saved.error();
  TimedRun run{std::move(result.value()), {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  if (const PacketNetwork* packets = costs.packets()) run.packets = summary_of(*packets);
  if (machine.statistics) run.statistics = machine.statistics->finish(run.result.end);
  if (machine.energy) run.energy = machine.energy->finish(run.result);
  if (machine.usage) run.usage = machine.usage->finish(costs, run.result.end);
  if (recorder) run.recording = recorder->finish(run.result);
  const Describe describe = [&](ActorId actor) {
    const auto& where = run.result.actors[actor.value].where;
    return where ? *where : CallDescription{};
  };
  run.unsupported = unsupported_in(run.result.outcome, describe);
  if (run.result.was_interrupted) run.unsupported = {"interrupted after " + in_seconds(run.result.end)};
  const bool is_part = run.result.was_interrupted || run.result.was_cut;
  if (!run.unsupported.empty() && !is_part) return run;
  std::vector<Finding> findings = is_part ? reported.judge_part(run.result.outcome, describe)
                                          : reported.judge(run.result.outcome, describe);
  for (Finding& finding : findings) {
    if (finding.id == outcomes_left_out && finding.severity == Severity::note) continue;  // one run in time is right
    if (finding.id == outcomes_left_out) run.unsupported.push_back(std::move(finding.message));
    else run.findings.push_back(std::move(finding));
  }
  return run;
}

}  // namespace rehearse::app
