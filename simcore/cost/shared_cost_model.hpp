// SPDX-License-Identifier: MIT
//
// The cost model: transfers, computations, disk accesses and parallel tasks as activities of one fluid,
// on resources that change.
//
// Shape:   a slot for each activity; slots that a change of a resource concerns form a list there
//          (transfers at their path, computations at their host, accesses at their disk). In files:
//          slots, starts, changes, tasks, events, limits.
// Profiles: a host's speed is a clock of its work, unless somebody must be told of each change; a
//          link's values are looked up when a transfer needs them and are events only while one does;
//          a state is always an event.
// Threads: none.
#pragma once

#include <map>
#include <unordered_map>
#include <utility>

#include "simcore/compute/host_states.hpp"
#include "simcore/cost/profile_walk.hpp"
#include "simcore/cost/resource_table.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/disk/disk_states.hpp"
#include "simcore/network/link_states.hpp"
#include "simcore/network/log_gps.hpp"
#include "simcore/network/network_parameters.hpp"
#include "simcore/network/path.hpp"

namespace rehearse::cost {

class SharedCostModel final : public CostModel {
 public:
  SharedCostModel(const Platform& platform, network::NetworkParameters parameters,
                  const ModelOptions& options);

  std::optional<ActivityId> start(const Transfer& transfer, TimePoint now) override;
  std::optional<ActivityId> start(const ParallelTask& task, TimePoint now) override;
  ActivityId start(const Computation& computation, TimePoint now) override;
  ActivityId start(const DiskAccess& access, TimePoint now) override;
  void cancel(ActivityId activity, TimePoint now) override;
  void suspend(ActivityId activity, TimePoint now) override;
  void resume(ActivityId activity, TimePoint now) override;
  void set_rate(ActivityId activity, double rate, TimePoint now) override;
  void set_priority(ActivityId activity, double priority, TimePoint now) override;
  void set_host(ActivityId computation, HostId host, TimePoint now) override;
  double remaining(ActivityId activity, TimePoint now) override;
  double rate(ActivityId activity, TimePoint now) override;
  Limit limit(ActivityId activity, TimePoint now) override;
  void set_host_on(HostId host, bool is_on, TimePoint now) override;
  bool is_host_on(HostId host, TimePoint now) override;
  void set_pstate(HostId host, std::uint32_t pstate, TimePoint now) override;
  std::uint32_t pstate(HostId host) const override { return hosts_[host].pstate; }
  double host_speed(HostId host, TimePoint now) override;
  void set_host_capacity_function(HostId host, CapacityFunction function, TimePoint now) override;
  void set_link_on(LinkId link, bool is_on, TimePoint now) override;
  bool is_link_on(LinkId link, TimePoint now) override;
  void set_bandwidth(LinkId link, double bytes_per_second, TimePoint now) override;
  double bandwidth(LinkId link, TimePoint now) override;
  void set_latency(LinkId link, double seconds, TimePoint now) override;
  double link_latency(LinkId link, TimePoint now) override;
  void set_concurrency_limit(LinkId link, std::uint32_t flows, TimePoint now) override;
  void set_link_capacity_function(LinkId link, CapacityFunction function, TimePoint now) override;
  void set_wifi_rate(LinkId link, HostId station, std::uint32_t level, TimePoint now) override;
  void set_disk_bandwidths(DiskId disk, double read, double write, double total,
                           TimePoint now) override;
  void set_disk_capacity_function(DiskId disk, DiskPart part, CapacityFunction function,
                                  TimePoint now) override;
  std::optional<Duration> latency(HostId source, HostId destination, TimePoint now) override;
  TransferTerms terms(const Transfer& transfer, TimePoint now) override;
  void observe(ResourceObserver& observer, ObserverNeeds needs) override;
  TimePoint next_date() override;
  bool is_busy() const override { return active_ > 0; }
  void advance(TimePoint now, std::vector<Ended>& ended) override;

 private:
  static constexpr std::uint32_t none = ~0u;
  // In place of a speed factor 0: what stands still. (A coefficient must be finite.)
  static constexpr double standstill = 1e-12;
  enum class Kind : std::uint8_t { free, transfer, message, computation, access, task };

  struct Slot {
    Kind kind = Kind::free;
    bool is_failed = false;   // and not reported
    bool is_suspended = false;
    bool is_bounded = false;  // a computation that is counted in HostState::bounded
    std::uint32_t activity = none;  // of the fluid; none: failed, or between two phases
    std::uint32_t subject = 0;      // path, host, or disk
    std::uint32_t threads = 1;
    std::uint32_t next = none;      // in the subject's list
    std::uint32_t previous = none;
    double scale = 1;               // what the user counts = this * what the fluid counts
    double rate = unlimited;
    double priority = 1;
    double weight = 1;              // of a transfer, at priority 1
    double amount = 0;              // of a message
  };
  struct Stream {
    std::optional<DiskId> read_from;
    std::optional<DiskId> write_to;
  };
  struct Task {
    std::vector<HostId> hosts;
    std::vector<double> flops;
    std::vector<std::pair<std::uint32_t, double>> transfers;  // path and bytes
  };
  struct LinkProfiles {
    std::optional<ProfileWalk> bandwidth;
    std::optional<ProfileWalk> latency;
    std::optional<ProfileWalk> state;
    double last_bandwidth = 0;  // that the walk said; the link's may have been set by hand
    double last_latency = 0;
    std::uint32_t users = 0;    // paths with transfers
    std::uint32_t event = none;
  };
  enum class EventKind : std::uint8_t { host_speed, host_state, link_values, link_state };
  struct Event {
    EventKind kind{};
    std::uint32_t subject = 0;
    TimePoint date;
  };
  struct EventDate {  // void unless it is the event's
    TimePoint date;
    std::uint32_t event = 0;
    // The first is the greatest of a heap.
    bool operator<(const EventDate& other) const {
      return date != other.date ? date > other.date : event > other.event;
    }
  };
  struct Observation {
    ResourceObserver* observer = nullptr;
    ObserverNeeds needs;
  };

  // slots.cpp
  std::uint32_t make_slot(Kind kind, std::uint32_t subject);
  Slot& slot_of(ActivityId activity);
  std::uint32_t& head_of(const Slot& slot);
  void attach(std::uint32_t index);
  void enlist(std::uint32_t index, std::uint32_t& head);
  void detach(std::uint32_t index);
  void open(std::uint32_t index, const sharing::Work& work, TimePoint now);
  void close(std::uint32_t index, TimePoint now);
  void fail(std::uint32_t index, TimePoint now);
  void fail_list(std::uint32_t first, TimePoint now);
  void release(std::uint32_t index);

  // starts.cpp
  void open_transfer(std::uint32_t index, const Transfer& transfer, TimePoint now);
  void open_message(std::uint32_t index, double bytes, TimePoint now);
  bool go_on_with_message(std::uint32_t index, TimePoint now);
  void open_computation(std::uint32_t index, double amount, TimePoint now);
  double bound_of_computation(Slot& slot, TimePoint now);
  std::span<const sharing::Use> uses_of_computation(const Slot& slot, TimePoint now);
  bool follows_speed(const Slot& slot) const;
  double weight_of(const Slot& slot) const;
  double bound_of_transfer(const Slot& slot);
  network::Path::Terms& terms_of(network::Path& path, double bytes);
  double latency_factor(const network::Path& path, double bytes) const;
  double bandwidth_factor(const network::Path& path, double bytes) const;
  std::span<const sharing::Use> uses_of_transfer(std::uint32_t index);

  // tasks.cpp
  bool add_transfers(Task& task, const ParallelTask& given, TimePoint now);
  sharing::Work work_of(const Task& task, const Slot& slot, TimePoint now);
  void refresh_task(std::uint32_t index, TimePoint now);
  void refresh_tasks_on_path(std::uint32_t path, TimePoint now);
  void refresh_tasks_on_host(HostId host, TimePoint now);
  template <class Condition>
  void fail_tasks_if(const Condition& condition, TimePoint now);
  void fail_tasks_on_host(HostId host, TimePoint now);
  void fail_tasks_without_path(TimePoint now);
  void watch_task_host(HostId host, int change, TimePoint now);
  void end_task(std::uint32_t index);
  void keep_path(std::uint32_t path, TimePoint now);
  void leave_path(std::uint32_t path);

  // changes.cpp
  void change_link(LinkId link, double bytes_per_second, double latency, TimePoint now);
  void refresh_transfer(std::uint32_t index, double weight_change, bool has_new_latency,
                        TimePoint now);
  void refresh_computations(HostId host, TimePoint now);
  void switch_host(HostId host, bool is_on, TimePoint now);
  void switch_link(LinkId link, bool is_on, TimePoint now);
  template <class Call>
  void tell(const Call& call);

  // events.cpp
  void add_profiles(std::uint64_t seed);
  std::uint32_t add_event(EventKind kind, std::uint32_t subject);
  void schedule(std::uint32_t event, TimePoint date);
  void happen(std::uint32_t event, TimePoint now);
  void drop_void_dates();
  void catch_up(LinkId link, TimePoint now);
  void catch_up_path(std::uint32_t path, TimePoint now);
  void use_profiles(const network::Path& path, bool is_used, TimePoint now);
  void schedule_link(LinkProfiles& profiles, TimePoint now);
  void watch_speed(HostId host, TimePoint now);
  bool needs_speed_events(HostId host) const;
  void tell_loads();
  void go_to(TimePoint now);

  // limits.cpp
  Limit limit_of_bound(const Slot& slot, TimePoint now);
  Limit limit_of_resource(sharing::ResourceIndex resource, TimePoint now);
  LinkId full_link(const Slot& slot);

  const Platform& platform_;
  network::NetworkParameters parameters_;
  std::function<double(HostId, double)> compute_factor_;
  std::function<double(DiskId, double, bool)> disk_factor_;

  Activities activities_;
  Resources resources_{activities_};
  network::LinkStates links_;
  compute::HostStates hosts_;
  disk::DiskStates disks_;
  std::unique_ptr<network::PathMaker> path_maker_;
  network::PathTable paths_;
  network::LogGps messages_;

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> slot_of_activity_;  // by index in the fluid
  std::vector<std::uint32_t> failed_;            // not reported
  std::uint32_t active_ = 0;
  std::unordered_map<std::uint32_t, Stream> streams_;
  std::map<std::uint32_t, Task> tasks_;

  std::map<LinkId, LinkProfiles> link_profiles_;
  std::map<HostId, ProfileWalk> host_states_;      // by profile
  std::unordered_map<std::uint32_t, std::uint32_t> speed_events_;  // by host
  std::vector<Event> events_;
  std::vector<EventDate> event_dates_;  // a heap
  std::vector<Observation> observers_;
  bool needs_speeds_ = false;

  TimePoint now_;
  std::vector<sharing::Use> uses_;
  std::vector<std::uint32_t> ended_;
  std::vector<sharing::ResourceIndex> changed_;
};

}  // namespace rehearse::cost
