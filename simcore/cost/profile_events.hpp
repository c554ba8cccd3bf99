// SPDX-License-Identifier: MIT
//
// The events of resources from their profiles.
//
// Profiles: a host's speed is the clock of its work, and has events only if an observer needs each change. A link's
//           values are looked up when a transfer needs them, and have events only while one does. A state always has
//           events.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simcore/cost/cost_state.hpp"
#include "simcore/cost/profile_walk.hpp"
#include "simcore/cost/slot_table.hpp"

namespace rehearse::cost {

enum class EventKind : std::uint8_t { host_speed, host_state, link_values, link_state };

struct Event {
  EventKind kind{};
  std::uint32_t subject = 0;  // host or link
  TimePoint date;
};

class ProfileEvents {
 public:
  explicit ProfileEvents(CostState& state) : state_(state) {}

  // Call it once, before anything else.
  void add_profiles(std::uint64_t seed);

  bool has_host_states() const { return !host_states_.empty(); }

  // ---- events
  TimePoint next_date();  // CostModel::never: there is none
  // An event that is due; `none` if no event is.
  std::uint32_t take_due(TimePoint now);
  Event operator[](std::uint32_t event) const { return events_[event]; }
  // The value of a state event at the current date.
  bool is_on(const Event& event, TimePoint now);
  // Call it after the event has been handled.
  void schedule_next(std::uint32_t event, TimePoint now);

  // ---- values
  struct LinkValues {
    double bandwidth = 0;
    double latency = 0;
  };
  // The values of a link's profiles at the current date; nothing: it has no profile. Values that were set by hand last
  // until the next change of the profile.
  std::optional<LinkValues> values(LinkId link, TimePoint now);

  // ---- needed events
  void keep_path(std::uint32_t path, TimePoint now);  // for one more transfer
  void leave_path(std::uint32_t path);
  void watch_all_speeds();
  void watch_speed(HostId host, TimePoint now);
  bool needs_speed_events(HostId host) const;

 private:
  struct LinkProfiles {
    std::optional<ProfileWalk> bandwidth;
    std::optional<ProfileWalk> latency;
    std::optional<ProfileWalk> state;
    double last_bandwidth = 0;  // of the walk; the link's value may have been set by hand
    double last_latency = 0;
    std::uint32_t users = 0;  // paths with transfers
    std::uint32_t event = none;
  };
  struct EventDate {  // void unless it is the date of the event
    TimePoint date;
    std::uint32_t event = 0;
    // The earliest is the greatest in the heap.
    bool operator<(const EventDate& other) const {
      return date != other.date ? date > other.date : event > other.event;
    }
  };

  std::uint32_t add_event(EventKind kind, std::uint32_t subject);
  void schedule(std::uint32_t event, TimePoint date);
  void drop_void_dates();
  void use_profiles(const network::Path& path, bool is_used, TimePoint now);
  void schedule_link(LinkProfiles& profiles, TimePoint now);

  CostState& state_;
  std::map<LinkId, LinkProfiles> link_profiles_;
  std::map<HostId, ProfileWalk> host_states_;                      // by profile
  std::unordered_map<std::uint32_t, std::uint32_t> speed_events_;  // by host
  std::vector<Event> events_;
  std::vector<EventDate> event_dates_;  // a heap
  bool needs_speeds_ = false;           // of all hosts and links
};

}  // namespace rehearse::cost
