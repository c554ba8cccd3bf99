// SPDX-License-Identifier: MIT
//
// A world without time: an external choice selects the next event: an actor's step, the end of an activity, or an
// alarm. An actor's step ends before its next visible action. An actor that is about to take a lock or a token waits
// until it is free, so the next holder is also a choice.
//
// Dates:   the latest date of an alarm that has rung. An activity ends when its end is chosen. With paces, time also
//          passes until the cost model lets the activity end; that changes nothing but the dates.
// Order:   the options of a choice: actors in the order in which they could run, then activities in the order in which
//          they began, then alarms in the order in which they were set.
// Threads: none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simcore/kernel/causality.hpp"
#include "simcore/kernel/paced_costs.hpp"
#include "simcore/kernel/world.hpp"

namespace rehearse::sim::kernel {

struct Option {
  enum class Kind : std::uint8_t { step, end, alarm } kind = Kind::step;
  ActorRecord* actor = nullptr;        // of a step
  ActivityRecord* activity = nullptr;  // of an end
  Timer* timer = nullptr;
  Footprint footprint;  // of a step: the object that it touches next
};

class ProcessImage;

// Whether the option is a timeout: an actor stops waiting for something else than a date.
bool is_timeout(const Option& option);

class UntimedWorld final : public World {
 public:
  // `none`: the date of each order of events. `paced`: as the cost model says. `still`: always 0, objects have no
  // numbers, and nothing else counts either, so that a state can come again.
  enum class Dates : std::uint8_t { none, paced, still };
  explicit UntimedWorld(std::unique_ptr<CostModel> states, Dates dates = Dates::none);

  std::span<const Option> options();  // the possible events; valid until the next call
  // The ways of the options, by their index, then those of the actors that wait for a token. Valid until the next call
  // of options().
  std::span<const Way> ways() const { return ways_; }
  bool strayed() const { return strayed_; }                // the last step touched objects outside of its way
  bool has_read_dates() const { return has_read_dates_; }  // some actor; dates are not explored
  void take(std::uint32_t option);
  std::string describe(const Option& option) const;
  std::span<const Option> listed() const { return options_; }  // the latest options()
  // With Dates::still: the parts of its memory that are sets, or no state.
  void describe_sets(ProcessImage& image) const;

  void attach(Kernel& kernel) override { kernel_ = &kernel; }
  CostModel& costs() override { return *states_; }
  TimePoint now() const override { return now_; }
  bool step(TimePoint until) override;
  bool numbers_objects() const override { return !is_still_; }
  bool runs_in_order() const override { return false; }
  void before(const Footprint& footprint) override;
  void strays() override;
  // Null with Dates::still: clocks grow, so no state would come again.
  Causality* causality() override { return is_still_ ? nullptr : &causality_; }
  void plain_access() override { has_plain_accesses_ = true; }
  bool has_plain_accesses() const { return has_plain_accesses_; }
  void date_is_read() override { has_read_dates_ = true; }
  void link_went_off(LinkId link) override;

  bool start(ActivityRecord& activity) override;
  void stop(ActivityRecord& activity) override;
  void suspend(ActivityRecord& activity) override;
  void resume(ActivityRecord& activity) override;
  void set_rate(ActivityRecord&) override {}
  void set_priority(ActivityRecord&) override {}
  void set_host(ActivityRecord&) override {}
  double remaining(ActivityRecord& activity) override { return activity.amount; }
  double rate(ActivityRecord&) override { return 0; }
  void set_timer(Timer& timer, TimePoint date) override;
  void cancel_timer(Timer& timer) override;

 private:
  struct Alarm {
    Timer* timer;
    TimePoint date;
  };
  void add_option(const Option& option, const Way& way);
  bool crosses_what_is_off(const ActivityRecord& activity);

  std::unique_ptr<CostModel> states_;  // only for the states and speeds of resources, unless there are paces
  std::optional<PacedCosts> paces_;
  bool is_still_;
  Kernel* kernel_ = nullptr;
  TimePoint now_;
  std::vector<Option> options_;
  std::vector<Way> ways_;
  std::vector<Way> waiting_;
  bool strayed_ = false;
  bool has_plain_accesses_ = false;  // with Dates::still
  Causality causality_;
  bool has_read_dates_ = false;
  std::vector<ActivityRecord*> pending_;  // in the order of their beginning
  std::vector<Alarm> alarms_;
};

}  // namespace rehearse::sim::kernel
