// SPDX-License-Identifier: MIT
//
// The activities of the cost model: a slot for each, which stays the same while the fluid's activity may change.
//
// Shape:  the slots that a change of a resource affects form a list at the resource: transfers at their path,
//         computations at their host, accesses at their disk.
// Errors: the number of an activity that does not exist is a caller's bug.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simcore/cost/either_fluid.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/sharing/fluid.hpp"

namespace rehearse::cost {

inline constexpr std::uint32_t none = ~0u;

enum class SlotKind : std::uint8_t { free, transfer, message, computation, access, task };

struct Slot {
  SlotKind kind = SlotKind::free;
  bool is_failed = false;  // and the failure is not reported yet
  bool is_suspended = false;
  bool is_waiting = false;        // a transfer, for its predecessor on its connection: it has no activity
  bool has_envelope = false;      // a transfer
  bool is_bounded = false;        // a computation that is counted in HostState::bounded
  std::uint32_t activity = none;  // of the fluid; none: failed, or between two phases
  std::uint32_t subject = 0;      // path, host, or disk
  std::uint32_t threads = 1;
  std::uint32_t category = 0;
  std::uint32_t next = none;  // in the subject's list
  std::uint32_t previous = none;
  double scale = 1;  // amount of the user = scale * amount of the fluid
  double rate = unlimited;
  double priority = 1;
  double weight = 1;  // of a transfer, at priority 1
  double amount = 0;  // of a message, or of a transfer that has waited

  // The weight of the fluid's activity.
  double shared_weight() const {
    const double parts = threads * priority;
    return parts == 1 ? weight : weight / parts;
  }
};

class UseMeter;

class SlotTable {
 public:
  explicit SlotTable(EitherFluid& fluid) : fluid_(fluid) {}
  // Gets the activities from now on.
  void set_meter(UseMeter* meter) { meter_ = meter; }

  std::uint32_t make(SlotKind kind, std::uint32_t subject);
  void release(std::uint32_t index);
  Slot& operator[](std::uint32_t index) { return slots_[index]; }
  Slot& of(ActivityId activity);
  bool is_empty() const { return active_ == 0; }

  // ---- the activity of the fluid
  void open(std::uint32_t index, const sharing::Work& work, TimePoint now);
  void close(std::uint32_t index, TimePoint now);
  // Gives it other coefficients.
  void change(std::uint32_t index, std::span<const sharing::Use> uses, std::span<const sharing::Use> meters,
              TimePoint now);
  // The slot of an activity of the fluid, also after it was closed.
  std::uint32_t slot_of(std::uint32_t activity) const { return slot_of_activity_[activity]; }

  // ---- lists of resources
  void enlist(std::uint32_t index, std::uint32_t& head);
  void unlist(std::uint32_t index, std::uint32_t& head);
  // All slots of a list, in the order in which they were started.
  std::vector<std::uint32_t> listed(std::uint32_t first) const;

  // ---- failures, until they are reported
  void note_failure(std::uint32_t index);
  void forget_failure(std::uint32_t index) { std::erase(failed_, index); }
  bool has_failures() const { return !failed_.empty(); }
  // Reports the failed slots as ended, and releases them.
  void report_failures(std::vector<Ended>& ended);

 private:
  EitherFluid& fluid_;
  UseMeter* meter_ = nullptr;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> slot_of_activity_;  // by index in the fluid
  std::vector<std::uint32_t> failed_;            // not reported
  std::uint32_t active_ = 0;
};

}  // namespace rehearse::cost
