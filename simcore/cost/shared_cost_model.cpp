// SPDX-License-Identifier: MIT
//
// See shared_cost_model.hpp.
#include "simcore/cost/shared_cost_model.hpp"

#include <algorithm>
#include <utility>

#include "simcore/support/assert.hpp"

namespace rehearse::cost {

using network::Path;

SharedCostModel::SharedCostModel(const Platform& platform, network::NetworkParameters parameters,
                                 const ModelOptions& options)
    : state_(platform, std::move(parameters), options),
      compute_factor_(options.compute_factor),
      disk_factor_(options.disk_factor) {
  events_.add_profiles(options.seed);
}

std::optional<ActivityId> SharedCostModel::start(const Transfer& transfer, TimePoint now) {
  REHEARSE_ASSERT(transfer.rate > 0, "a transfer may have a rate");
  go_to(now);
  const std::uint32_t path_index = state_.paths.find(transfer.source, transfer.destination);
  Path& path = state_.paths[path_index];
  if (!path.exists) return std::nullopt;
  if (path.has_profiles) link_changes_.catch_up_path(path_index, now);
  const bool is_message = transfers_.are_messages();
  const std::uint32_t index = slots_.make(is_message ? SlotKind::message : SlotKind::transfer, path_index);
  slots_[index].rate = transfer.rate;
  slots_[index].category = transfer.category;
  slots_.enlist(index, path.first_transfer);
  events_.keep_path(path_index, now);
  if (path.is_off || !state_.hosts[transfer.source].is_on || !state_.hosts[transfer.destination].is_on)
    outages_.fail(index, now);
  else if (is_message) transfers_.open_message(index, transfer.bytes, now);
  else transfers_.start(index, transfer, now);
  return ActivityId{index};
}

ActivityId SharedCostModel::start(const Computation& computation, TimePoint now) {
  REHEARSE_ASSERT(computation.threads > 0 && computation.priority > 0 && computation.rate > 0,
                  "a computation has threads, a priority and a rate");
  go_to(now);
  const std::uint32_t index = slots_.make(SlotKind::computation, computation.host.value);
  outages_.attach(index);
  Slot& slot = slots_[index];
  slot.threads = computation.threads;
  slot.rate = computation.rate;
  slot.priority = computation.priority;
  slot.category = computation.category;
  const double factor = compute_factor_ ? compute_factor_(computation.host, computation.flops) : 1;
  slot.scale = factor / computation.threads;
  if (state_.hosts[computation.host].is_on) computations_.open(index, computation.flops / slot.scale, now);
  else outages_.fail(index, now);
  return ActivityId{index};
}

ActivityId SharedCostModel::start(const DiskAccess& access, TimePoint now) {
  REHEARSE_ASSERT(access.priority > 0, "a disk access has a priority");
  go_to(now);
  const std::uint32_t index = slots_.make(SlotKind::access, access.disk.value);
  outages_.attach(index);
  Slot& slot = slots_[index];
  slot.priority = access.priority;
  if (disk_factor_) slot.scale = disk_factor_(access.disk, access.bytes, access.is_write);
  if (!state_.hosts[state_.platform.disk(access.disk).host].is_on) {
    outages_.fail(index, now);
    return ActivityId{index};
  }
  uses_.clear();
  state_.disks.add_uses(access.disk, access.is_write, 1, uses_);
  slots_.open(index,
              {Duration{}, access.bytes / slot.scale, slot.shared_weight(), sharing::unbounded, uses_,
               sharing::plain_time},
              now);
  return ActivityId{index};
}

std::optional<ActivityId> SharedCostModel::start(const ParallelTask& task, TimePoint now) {
  go_to(now);
  const std::optional<std::uint32_t> index = tasks_.add(task, now);
  if (!index) return std::nullopt;
  if (tasks_.is_possible(*index)) tasks_.open(*index, now);
  else outages_.fail(*index, now);
  return ActivityId{*index};
}

std::optional<Duration> SharedCostModel::latency(HostId source, HostId destination, TimePoint now) {
  go_to(now);
  const std::uint32_t index = state_.paths.find(source, destination);
  if (!state_.paths[index].exists) return std::nullopt;
  if (state_.paths[index].has_profiles) link_changes_.catch_up_path(index, now);
  return Duration::from_seconds(state_.paths[index].latency_seconds);
}

Duration SharedCostModel::fixed_duration(const Transfer& transfer, TimePoint now) {
  go_to(now);
  return transfers_.delay_of(state_.paths[state_.paths.find(transfer.source, transfer.destination)], transfer.bytes);
}

TransferTerms SharedCostModel::terms(const Transfer& transfer, TimePoint now) {
  go_to(now);
  if (state_.parameters.kind != network::NetworkKind::fluid && state_.parameters.kind != network::NetworkKind::parallel)
    return {};
  const network::Path& path = state_.paths[state_.paths.find(transfer.source, transfer.destination)];
  const double bandwidth_factor = transfers_.bandwidth_factor(path, transfer.bytes);
  return {path.links,
          path.latency_seconds,
          transfers_.latency_factor(path, transfer.bytes),
          transfers_.stored_seconds(path, transfer.bytes / bandwidth_factor),
          bandwidth_factor,
          path.reverse.empty() ? 0 : state_.parameters.cross_traffic,
          path.reverse,
          path.window_bound};
}

Limit SharedCostModel::limit(ActivityId activity, TimePoint now) {
  go_to(now);
  return limits_.of(slots_.of(activity), now);
}

void SharedCostModel::cancel(ActivityId activity, TimePoint now) {
  go_to(now);
  Slot& slot = slots_.of(activity);
  if (slot.is_failed) {  // the failure is not reported
    slots_.forget_failure(activity.value);
    return slots_.release(activity.value);
  }
  slots_.close(activity.value, now);
  outages_.detach(activity.value);
  slots_.release(activity.value);
}

void SharedCostModel::suspend(ActivityId activity, TimePoint now) {
  go_to(now);
  Slot& slot = slots_.of(activity);
  if (slot.is_failed || slot.is_suspended) return;
  slot.is_suspended = true;
  if (!slot.is_waiting) state_.fluid.suspend(slot.activity, now);
}

void SharedCostModel::resume(ActivityId activity, TimePoint now) {
  go_to(now);
  Slot& slot = slots_.of(activity);
  if (slot.is_failed || !slot.is_suspended) return;
  slot.is_suspended = false;
  if (!slot.is_waiting) state_.fluid.resume(slot.activity, now);
}

double SharedCostModel::remaining(ActivityId activity, TimePoint now) {
  go_to(now);
  const Slot& slot = slots_.of(activity);
  if (slot.kind == SlotKind::message || slot.is_waiting) return slot.amount;
  if (slot.is_failed) return 0;
  return state_.fluid.remaining(slot.activity, now) * slot.scale;
}

double SharedCostModel::rate(ActivityId activity, TimePoint now) {
  go_to(now);
  const Slot& slot = slots_.of(activity);
  if (slot.is_failed || slot.is_waiting || slot.kind == SlotKind::message) return 0;
  const double rate = state_.fluid.rate(slot.activity) * slot.scale;
  const bool is_clocked = slot.kind == SlotKind::computation && !state_.fluid.is_parallel();
  return is_clocked ? rate * state_.hosts.factor(HostId{slot.subject}, now) : rate;
}

void SharedCostModel::set_rate(ActivityId activity, double rate, TimePoint now) {
  REHEARSE_ASSERT(rate > 0, "a rate is greater than 0");
  go_to(now);
  Slot& slot = slots_.of(activity);
  slot.rate = rate;
  if (slot.is_failed || slot.is_waiting) return;
  if (slot.kind == SlotKind::transfer) state_.fluid.set_bound(slot.activity, transfers_.bound_of(slot), now);
  else if (slot.kind == SlotKind::task) tasks_.refresh(activity.value, now);
  else if (slot.kind == SlotKind::access) state_.fluid.set_bound(slot.activity, rate / slot.scale, now);
  else if (slot.kind == SlotKind::computation) {
    const HostId host{slot.subject};
    state_.fluid.set_bound(slot.activity, computations_.bound_of(slot, now), now);
    if (state_.hosts[host].has_clock && events_.needs_speed_events(host)) events_.watch_speed(host, now);
  }
}

void SharedCostModel::set_priority(ActivityId activity, double priority, TimePoint now) {
  REHEARSE_ASSERT(priority > 0, "a priority is greater than 0");
  go_to(now);
  Slot& slot = slots_.of(activity);
  slot.priority = priority;
  if (slot.is_failed || slot.is_waiting || slot.kind == SlotKind::message) return;
  state_.fluid.set_weight(slot.activity, slot.shared_weight(), now);
}

void SharedCostModel::set_host(ActivityId computation, HostId host, TimePoint now) {
  go_to(now);
  Slot& slot = slots_.of(computation);
  REHEARSE_ASSERT(slot.kind == SlotKind::computation, "only computations move");
  if (slot.is_failed || slot.subject == host.value) return;
  const double remaining = state_.fluid.remaining(slot.activity, now);
  slots_.close(computation.value, now);
  outages_.detach(computation.value);
  slot.subject = host.value;
  outages_.attach(computation.value);
  if (!state_.hosts[host].is_on) return outages_.fail(computation.value, now);
  computations_.open(computation.value, remaining, now);
  if (slot.is_suspended) state_.fluid.suspend(slot.activity, now);
}

void SharedCostModel::set_bandwidth(LinkId link, double bytes_per_second, TimePoint now) {
  REHEARSE_ASSERT(bytes_per_second > 0, "a link has a bandwidth");
  go_to(now);
  link_changes_.catch_up(link, now);
  link_changes_.change(link, bytes_per_second, state_.links[link].latency_seconds, now);
}

void SharedCostModel::set_latency(LinkId link, double seconds, TimePoint now) {
  REHEARSE_ASSERT(seconds >= 0, "a latency is not negative");
  go_to(now);
  link_changes_.catch_up(link, now);
  link_changes_.change(link, state_.links[link].bytes_per_second, seconds, now);
}

double SharedCostModel::bandwidth(LinkId link, TimePoint now) {
  go_to(now);
  link_changes_.catch_up(link, now);
  return state_.links[link].bytes_per_second;
}

double SharedCostModel::link_latency(LinkId link, TimePoint now) {
  go_to(now);
  link_changes_.catch_up(link, now);
  return state_.links[link].latency_seconds;
}

void SharedCostModel::set_wifi_rate(LinkId link, HostId station, std::uint32_t level, TimePoint now) {
  go_to(now);
  link_changes_.set_wifi_rate(link, station, level, now);
}

void SharedCostModel::set_concurrency_limit(LinkId link, std::uint32_t flows, TimePoint now) {
  go_to(now);
  REHEARSE_ASSERT(state_.links.is_resource(link), "a link that is shared may have a limit");
  state_.links.set_limit(link, flows);
}

void SharedCostModel::set_link_capacity_function(LinkId link, CapacityFunction function, TimePoint now) {
  go_to(now);
  REHEARSE_ASSERT(state_.links.is_resource(link), "a link that is shared may have a capacity function");
  state_.fluid.fluid().set_capacity_function(state_.links.resource(link), std::move(function), now);
}

void SharedCostModel::set_link_on(LinkId link, bool is_on, TimePoint now) {
  go_to(now);
  outages_.switch_link(link, is_on, now);
}

bool SharedCostModel::is_link_on(LinkId link, TimePoint now) {
  go_to(now);
  return state_.links[link].is_on;
}

void SharedCostModel::set_host_on(HostId host, bool is_on, TimePoint now) {
  go_to(now);
  outages_.switch_host(host, is_on, now);
}

bool SharedCostModel::is_host_on(HostId host, TimePoint now) {
  go_to(now);
  return state_.hosts[host].is_on;
}

void SharedCostModel::set_pstate(HostId host, std::uint32_t pstate, TimePoint now) {
  go_to(now);
  if (state_.hosts[host].pstate == pstate) return;
  state_.hosts.set_pstate(host, pstate, now);
  computations_.refresh(host, now);
  tasks_.refresh_on_host(host, now);
  const double speed = host_speed(host, now);
  observers_.notify([&](ResourceObserver& observer, ObserverNeeds needs) {
    observer.on_host_pstate(host, pstate, now);
    if (needs.speeds) observer.on_host_speed(host, speed, now);
  });
}

double SharedCostModel::host_speed(HostId host, TimePoint now) {
  go_to(now);
  return state_.hosts[host].speed * state_.hosts.factor(host, now);
}

void SharedCostModel::set_host_capacity_function(HostId host, CapacityFunction function, TimePoint now) {
  go_to(now);
  state_.hosts.set_capacity_function(host, std::move(function), now);
  if (state_.hosts[host].has_clock) events_.watch_speed(host, now);
}

void SharedCostModel::set_disk_bandwidths(DiskId disk, double read, double write, double total, TimePoint now) {
  go_to(now);
  state_.disks.set_bandwidths(disk, {read, write, total}, now);
}

void SharedCostModel::set_disk_capacity_function(DiskId disk, DiskPart part, CapacityFunction function, TimePoint now) {
  go_to(now);
  state_.disks.set_capacity_function(disk, part, std::move(function), now);
}

void SharedCostModel::observe(ResourceObserver& observer, ObserverNeeds needs) {
  REHEARSE_ASSERT(!needs.loads || slots_.is_empty(), "loads are watched from the start");
  observers_.add(observer, needs);
  if (needs.speeds) events_.watch_all_speeds();
}

bool SharedCostModel::observe_uses(UseObserver& observer) {
  REHEARSE_ASSERT(slots_.is_empty(), "uses are observed from the start");
  state_.resources.watch();  // for the meters of links that limit each transfer alone
  use_meter_.start(observer);
  slots_.set_meter(&use_meter_);
  return true;
}

void SharedCostModel::report_uses(TimePoint now) {
  go_to(now);
  use_meter_.report_all();
}

void SharedCostModel::go_to(TimePoint now) {
  REHEARSE_ASSERT(now >= state_.now, "time does not go back");
  if (now == state_.now) return;
  observers_.report_loads(now);
  use_meter_.pass(now);
  state_.now = now;
}

TimePoint SharedCostModel::next_date() {
  observers_.report_loads(state_.now);
  if (slots_.has_failures()) return state_.now;
  const TimePoint event = events_.next_date();
  return std::min(state_.fluid.next_date(), event);
}

void SharedCostModel::advance(TimePoint now, std::vector<Ended>& ended) {
  go_to(now);
  // The fluid asserts the same for activities.
  REHEARSE_ASSERT(now <= events_.next_date(), "no date is jumped over");
  slots_.report_failures(ended);
  ended_.clear();
  state_.fluid.advance(now, ended_);
  // The next loop may start activities with the same indices, so all slots are looked up first.
  for (std::uint32_t& activity : ended_) activity = slots_.slot_of(activity);
  for (const std::uint32_t index : ended_) {
    use_meter_.end(index);
    slots_[index].activity = none;
    if (slots_[index].kind == SlotKind::message && transfers_.go_on(index, now)) continue;
    outages_.detach(index);
    slots_.release(index);
    ended.push_back({{index}, false});
  }
  for (std::uint32_t event = events_.take_due(now); event != none; event = events_.take_due(now)) happen(event, now);
}

void SharedCostModel::happen(std::uint32_t id, TimePoint now) {
  const Event event = events_[id];
  const HostId host{event.subject};
  const LinkId link{event.subject};
  switch (event.kind) {
    case EventKind::host_state: outages_.switch_host(host, events_.is_on(event, now), now); break;
    case EventKind::link_state: outages_.switch_link(link, events_.is_on(event, now), now); break;
    case EventKind::link_values: link_changes_.catch_up(link, now); break;
    case EventKind::host_speed: {
      if (!events_.needs_speed_events(host)) return;
      if (state_.hosts[host].has_function) state_.hosts.ask_capacity_function(host, now);
      if (state_.hosts[host].bounded > 0) {
        computations_.refresh(host, now);
        tasks_.refresh_on_host(host, now);
      }
      const double speed = host_speed(host, now);
      observers_.notify([&](ResourceObserver& observer, ObserverNeeds needs) {
        if (needs.speeds) observer.on_host_speed(host, speed, now);
      });
    }
  }
  events_.schedule_next(id, now);
}

}  // namespace rehearse::cost
