// SPDX-License-Identifier: MIT
//
// See application_time.hpp.
#include "simcore/engine/application_time.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <variant>

namespace rehearse::engine {

namespace {

constexpr double long_row = 16;
constexpr double loop_seconds = 2e-7;  // between two polls without success: the loop itself

std::uint64_t bytes_of(const Operation& operation) {
  if (const auto* send = std::get_if<Send>(&operation)) return send->data.size();
  if (const auto* post = std::get_if<Post>(&operation)) return post->capacity_bytes;
  if (const auto* collective = std::get_if<Collective>(&operation)) return collective->contribution.size();
  return 0;
}

}  // namespace

bool ApplicationTime::begin() {
  if (run_.options.application_cost == ApplicationCost::none) return true;
  meter_ = run_.options.meter;
  if (meter_ == nullptr) {
    auto meter = ApplicationMeter::make(run_.options.application_cost, run_.options.seconds_per_instruction);
    if (!meter) {
      run_.fail(meter.error().text);
      return false;
    }
    own_meter_ = std::move(meter.value());
    meter_ = own_meter_.get();
  }
  run_.program.measure(*meter_);
  if (run_.options.application_record != nullptr) run_.options.application_record->begin(run_.program.actor_count());
  return true;
}

// Turns the time of the application code into simulated time of the actor. Short stretches add up until they are long
// enough, or until the actor reads the clock, which must show them. Between polls without success, and between clock
// reads that wait, the time of the loop itself does not count. A loop that works a little and polls does not spin.
double ApplicationTime::charge(ActorId id, ActorState& actor, TimePoint now) {
  double seconds = meter_->take();
  if (run_.options.application_record != nullptr) seconds = run_.options.application_record->took(id, seconds);
  if (run_.options.bursts != nullptr) seconds = sampled(id, actor, seconds);
  actor.looks.application_seconds += seconds;
  actor.looks.busy_looks += seconds >= ClockRow::idle_seconds;
  const bool is_polling = actor.polls.length > 0;
  if (!is_polling || seconds > loop_seconds) actor.uncharged += seconds;
  const bool is_long = actor.uncharged >= run_.options.compute_threshold_seconds;
  const bool is_shown = !is_polling && std::holds_alternative<Clock>(*actor.operation);
  if (!is_long && !is_shown) return 0;
  // Whole flops, as recordings have them: a run is the same with and without a recording. The rest is for later.
  const double flops_per_second = run_.options.compute_scale * run_.options.reference_flops;
  const double all = std::exchange(actor.uncharged, 0) * flops_per_second;
  const double flops = std::floor(all);
  if (all > flops) actor.uncharged = (all - flops) / flops_per_second;
  if (!(flops > 0)) return 0;
  Tap* tap = run_.options.tap;
  if (is_long) note_stretch(actor, flops, now);
  if (tap != nullptr) tap->on_application(id, flops, is_long ? VolumeOrigin::stretch : VolumeOrigin::shown_stretch);
  return flops;
}

double ApplicationTime::sampled(ActorId id, ActorState& actor, double measured) {
  const std::uint64_t before = std::exchange(actor.site, run_.program.site(id));
  const std::int64_t numbers[] = {static_cast<std::int64_t>(before), static_cast<std::int64_t>(actor.site),
                                  static_cast<std::int64_t>(actor.operation->index()),
                                  static_cast<std::int64_t>(std::bit_width(bytes_of(*actor.operation)))};
  Sampler& bursts = *run_.options.bursts;
  return bursts.replace(bursts.find(id.value, "burst", numbers, run_.options.burst_rule), id.value, measured);
}

void ApplicationTime::note_stretch(ActorState& actor, double flops, TimePoint now) const {
  PollRow& row = actor.polls;
  row.free_rounds = row.since_wait = 0;
  // In a long row, a little work is only the cost of polling: the row continues.
  const double seconds = flops / run_.options.reference_flops;
  const double costs = long_row * seconds;
  if ((now - row.began).seconds() < costs) row = {};
  // Looks take longer than they cost in simulated time, and the system interrupts them: by some 40 us at a tick of a
  // virtual machine's clock, once in a few thousand looks. Such a stretch does not end their row.
  const double looked = ClockRow::idle_seconds * actor.looks.length;
  if (looked < seconds && (now - actor.looks.began).seconds() < costs) actor.looks = {};
}

}  // namespace rehearse::engine
