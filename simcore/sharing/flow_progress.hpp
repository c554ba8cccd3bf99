// SPDX-License-Identifier: MIT
//
// Amounts of work that advance at fairly shared rates, and the dates at which they are done.
//
// Method:  work with the same uses, weight, bound and clock is one bundle of FairSharing. All its members have the same
//          rate, so the bundle keeps one count of the work that each member has done, and the counts at which its
//          members end. All bundles held back by one resource also advance in step, at level/weight. The resource
//          keeps one clock (the integral of its level), and the readings at which its bundles have their next end. A
//          change of level then costs one multiplication and one date for any number of flows.
// Exact:   clocks start again from 0 from time to time, at a cost of O(1) per change, so that they stay small compared
//          with the remaining work.
// Threads: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "simcore/sharing/date_heap.hpp"
#include "simcore/sharing/fair_sharing.hpp"
#include "simcore/sharing/indexed_heap.hpp"
#include "simcore/sharing/work_clock.hpp"
#include "simcore/time.hpp"

namespace rehearse::sharing {

using MemberIndex = std::uint32_t;  // the caller's small indices

// The properties that determine the rate of a member, and the clock of its progress.
struct FlowShape {
  double weight = 1;
  double bound = unbounded;
  std::uint32_t clock = plain_time;
  std::span<const Use> uses;
};

class FlowProgress {
 public:
  ResourceIndex add_resource(double capacity, Division division);
  void set_capacity(ResourceIndex resource, double capacity);
  const FairSharing& sharing() const { return sharing_; }
  std::uint32_t add_clock(const WorkClock* clock);
  // Requires: is_settled().
  void replace_clock(std::uint32_t index, const WorkClock* clock, TimePoint now);

  void join(MemberIndex member, const FlowShape& shape, double amount, TimePoint now);
  double leave(MemberIndex member, TimePoint now);  // returns the remaining work

  // Updates the rates after members joined, left and changed; all of that happened at `now`.
  void settle(TimePoint now);
  bool is_settled() const { return is_settled_; }
  bool is_empty() const { return listed_ == 0; }

  // These require is_settled().
  double remaining(MemberIndex member, TimePoint now) const;
  double rate(MemberIndex member) const { return sharing_.rate(bundle_of_[member]); }
  ResourceIndex limit(MemberIndex member) const { return sharing_.limit(bundle_of_[member]); }
  TimePoint first_date() const {
    const TimePoint pool = pool_dates_.empty() ? never : pool_dates_.first_date();
    return bundle_dates_.empty() ? pool : std::min(pool, bundle_dates_.first_date());
  }
  // Removes those that end at `now`, the first date, and appends them.
  void end(TimePoint now, std::vector<MemberIndex>& ended);

 private:
  struct Bundle {
    TargetHeap members;
    double done = 0;      // by each member since the bundle began, at `updated`
    double integral = 0;  // of its clock, at `updated`
    TimePoint updated;
    double rate = 0;  // used unless the progress follows a pool's clock
    double weight = 1;
    double bound = unbounded;
    std::uint32_t clock = plain_time;
    ResourceIndex limit = LoadTable::nowhere;  // as taken over by settle()
    std::uint32_t clocked_place = 0;           // in Pool::clocked
    std::uint32_t clock_place = 0;             // in Clock::users
    std::uint64_t hash = 0;
    std::uint32_t next = none;  // in the directory
    std::uint32_t changes = 0;  // since `done` was 0
  };
  struct Pool {
    TargetHeap bundles;
    double clock = 0;  // integral of the level, at `updated`
    TimePoint updated;
    double level = 0;
    std::vector<BundleIndex> clocked;  // bundles with a clock of their own
    std::uint32_t changes = 0;         // since the clock was 0
    bool is_touched = false;
  };
  struct Clock {
    const WorkClock* clock = nullptr;
    std::vector<BundleIndex> users;
  };
  static constexpr std::uint32_t none = ~0u;

  static std::uint64_t hash_of(const FlowShape& shape);
  bool has_shape(BundleIndex bundle, const FlowShape& shape) const;
  BundleIndex find_bundle(const FlowShape& shape, std::uint64_t hash) const;
  BundleIndex make_bundle(const FlowShape& shape, std::uint64_t hash);
  void forget_bundle(BundleIndex bundle);
  void grow_directory();

  bool is_pooled(const Bundle& bundle) const { return bundle.clock == plain_time && bundle.limit < LoadTable::nowhere; }
  const WorkClock* clock_of(const Bundle& bundle) const {
    return bundle.clock == plain_time ? nullptr : clocks_[bundle.clock].clock;
  }
  double integral(const Bundle& bundle, TimePoint now) const;
  double clock_at(const Pool& pool, TimePoint now) const;
  double done_at(BundleIndex bundle, TimePoint now) const;
  void update(BundleIndex bundle, TimePoint now);
  void update_pool(Pool& pool, TimePoint now);
  void schedule(BundleIndex bundle);
  void attach(BundleIndex bundle, ResourceIndex limit, TimePoint now);
  void detach(BundleIndex bundle);
  void relevel(ResourceIndex resource, TimePoint now);
  void touch(ResourceIndex resource);
  void date_touched();
  void remove_member(MemberIndex member);

  FairSharing sharing_;
  std::vector<Clock> clocks_;
  std::vector<Bundle> bundles_;           // by FairSharing's index
  std::vector<Pool> pools_;               // by resource
  std::vector<BundleIndex> bundle_of_;    // by member
  std::vector<std::uint32_t> directory_;  // first bundle by hash
  std::uint32_t listed_ = 0;
  Places member_places_;
  Places bundle_places_;
  DateHeap pool_dates_;
  DateHeap bundle_dates_;  // of bundles that follow no pool's clock
  std::vector<ResourceIndex> touched_;
  bool is_settled_ = true;
};

}  // namespace rehearse::sharing
