// SPDX-License-Identifier: MIT
//
// How transfers, computations and disk accesses become activities of the fluid.
#include <algorithm>

#include "simcore/cost/shared_cost_model.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::cost {

using network::NetworkKind;
using network::Path;

std::optional<ActivityId> SharedCostModel::start(const Transfer& transfer, TimePoint now) {
  REHEARSE_ASSERT(transfer.rate > 0, "a transfer may have a rate");
  go_to(now);
  const std::uint32_t path_index = paths_.find(transfer.source, transfer.destination);
  Path& path = paths_[path_index];
  if (!path.exists) return std::nullopt;
  if (path.has_profiles) catch_up_path(path_index, now);
  const bool is_message = parameters_.kind == NetworkKind::loggps;
  const std::uint32_t index = make_slot(is_message ? Kind::message : Kind::transfer, path_index);
  slots_[index].rate = transfer.rate;
  enlist(index, path.first_transfer);
  keep_path(path_index, now);
  if (path.is_off || !hosts_[transfer.source].is_on || !hosts_[transfer.destination].is_on)
    fail(index, now);
  else if (is_message)
    open_message(index, transfer.bytes, now);
  else
    open_transfer(index, transfer, now);
  return ActivityId{index};
}

double SharedCostModel::latency_factor(const Path& path, double bytes) const {
  return parameters_.latency_function
             ? parameters_.latency_function(bytes, path.source, path.destination, path.links)
             : network::factor_for(parameters_.latency_pieces, bytes);
}

double SharedCostModel::bandwidth_factor(const Path& path, double bytes) const {
  return parameters_.bandwidth_function
             ? parameters_.bandwidth_function(bytes, path.source, path.destination, path.links)
             : network::factor_for(parameters_.bandwidth_pieces, bytes);
}

// Functions of the user may say something else each time; tables do not.
Path::Terms& SharedCostModel::terms_of(Path& path, double bytes) {
  Path::Terms& terms = path.last_terms;
  const bool is_known = terms.bytes == bytes && terms.latency_seconds == path.latency_seconds &&
                        !parameters_.latency_function && !parameters_.bandwidth_function;
  if (!is_known)
    terms = {bytes, path.latency_seconds,
             Duration::from_seconds(path.latency_seconds * latency_factor(path, bytes)),
             bandwidth_factor(path, bytes), {}};
  return terms;
}

void SharedCostModel::open_transfer(std::uint32_t index, const Transfer& transfer, TimePoint now) {
  Slot& slot = slots_[index];
  Path& path = paths_[slot.subject];
  Path::Terms& terms = terms_of(path, transfer.bytes);
  slot.scale = terms.scale;
  slot.weight = path.weight;
  if (transfer.read_from || transfer.write_to)
    streams_[index] = {transfer.read_from, transfer.write_to};
  const bool is_plain = streams_.empty();
  const auto uses = is_plain ? std::span<const sharing::Use>(path.uses) : uses_of_transfer(index);
  // Where nothing is shared and no link limits it, a transfer costs nothing but its latency.
  const bool is_limited = !uses.empty() || path.fatpipe_bound < sharing::unbounded;
  open(index,
       {terms.delay, is_limited ? transfer.bytes / slot.scale : 0, weight_of(slot), bound_of_transfer(slot),
        uses, sharing::plain_time, is_plain, is_plain && slot.rate == unlimited ? &terms.uncontended : nullptr},
       now);
}

double SharedCostModel::weight_of(const Slot& slot) const {
  const double parts = slot.threads * slot.priority;
  return parts == 1 ? slot.weight : slot.weight / parts;
}

double SharedCostModel::bound_of_transfer(const Slot& slot) {
  const double bound = paths_[slot.subject].bound();
  return slot.rate == unlimited ? bound : std::min(bound, slot.rate / slot.scale);
}

// Of the links, and of the disks of a stream. Valid until asked again.
std::span<const sharing::Use> SharedCostModel::uses_of_transfer(std::uint32_t index) {
  const Slot& slot = slots_[index];
  const Path& path = paths_[slot.subject];
  if (streams_.empty()) return path.uses;
  const auto stream = streams_.find(index);
  if (stream == streams_.end()) return path.uses;
  uses_ = path.uses;
  const auto add = [&](const std::optional<DiskId>& disk, bool is_write) {
    if (disk) disks_.add_uses(*disk, is_write, slot.scale, uses_);
  };
  add(stream->second.read_from, false);
  add(stream->second.write_to, true);
  return uses_;
}

void SharedCostModel::open_message(std::uint32_t index, double bytes, TimePoint now) {
  Slot& slot = slots_[index];
  const Path& path = paths_[slot.subject];
  slot.amount = bytes;
  const TimePoint arrival =
      messages_.send(path.source, bytes, path.latency_seconds, path.least_bandwidth, now);
  open(index, {arrival - now, 0, 1, sharing::unbounded, {}, sharing::plain_time}, now);
}

// False: it is all there. Otherwise it has reached the port of its destination.
bool SharedCostModel::go_on_with_message(std::uint32_t index, TimePoint now) {
  Slot& slot = slots_[index];
  if (slot.threads == 2) return false;
  slot.threads = 2;  // the second phase
  const Path& path = paths_[slot.subject];
  const TimePoint end =
      messages_.receive(path.destination, slot.amount, path.least_bandwidth, now);
  open(index, {end - now, 0, 1, sharing::unbounded, {}, sharing::plain_time}, now);
  return true;
}

std::optional<Duration> SharedCostModel::latency(HostId source, HostId destination,
                                                 TimePoint now) {
  go_to(now);
  const std::uint32_t index = paths_.find(source, destination);
  if (!paths_[index].exists) return std::nullopt;
  if (paths_[index].has_profiles) catch_up_path(index, now);
  return Duration::from_seconds(paths_[index].latency_seconds);
}

ActivityId SharedCostModel::start(const Computation& computation, TimePoint now) {
  REHEARSE_ASSERT(computation.threads > 0 && computation.priority > 0 && computation.rate > 0,
                  "a computation has threads, a priority and a rate");
  go_to(now);
  const std::uint32_t index = make_slot(Kind::computation, computation.host.value);
  attach(index);
  Slot& slot = slots_[index];
  slot.threads = computation.threads;
  slot.rate = computation.rate;
  slot.priority = computation.priority;
  const double factor =
      compute_factor_ ? compute_factor_(computation.host, computation.flops) : 1;
  slot.scale = factor / computation.threads;
  if (hosts_[computation.host].is_on)
    open_computation(index, computation.flops / slot.scale, now);
  else
    fail(index, now);
  return ActivityId{index};
}

void SharedCostModel::open_computation(std::uint32_t index, double amount, TimePoint now) {
  Slot& slot = slots_[index];
  const HostId host{slot.subject};
  const double bound = bound_of_computation(slot, now);
  if (hosts_[host].has_clock && needs_speed_events(host)) watch_speed(host, now);
  open(index,
       {Duration{}, amount, weight_of(slot), bound, uses_of_computation(slot, now),
        hosts_.clock_index(host)},
       now);
}

// Must be told of changes of its host's speed: it has no clock, or a bound in true flops.
bool SharedCostModel::follows_speed(const Slot& slot) const {
  return hosts_[HostId{slot.subject}].has_clock &&
         (slot.rate < unlimited || activities_.is_parallel());
}

// Without a clock, a slow host is one of which a flop takes more.
std::span<const sharing::Use> SharedCostModel::uses_of_computation(const Slot& slot,
                                                                   TimePoint now) {
  const HostId host{slot.subject};
  const double factor = activities_.is_parallel() ? hosts_.factor(host, now) : 1;
  uses_.assign(1, {hosts_.resource(host), 1 / std::max(factor, standstill)});
  return uses_;
}

// In flops per second at full speed, if it has a clock. A bound of the user's is in true ones, so it changes with
// the speed.
double SharedCostModel::bound_of_computation(Slot& slot, TimePoint now) {
  const HostId host{slot.subject};
  compute::HostState& state = hosts_[host];
  const double now_factor = hosts_.factor(host, now);
  const double without_clock = activities_.is_parallel() ? std::max(now_factor, standstill) : 1;
  double bound = sharing::unbounded;
  if (slot.threads < hosts_.cores(host) && state.speed > 0)
    bound = slot.threads * state.speed * without_clock;
  const bool is_bounded = follows_speed(slot);
  if (is_bounded != slot.is_bounded) state.bounded += is_bounded ? 1 : -1;
  slot.is_bounded = is_bounded;
  if (slot.rate == unlimited) return bound;
  // The factor of a computation multiplies its progress, so the user's rate is divided by it.
  const double clock_factor = activities_.is_parallel() ? 1 : now_factor;
  const double factor = clock_factor * slot.scale * slot.threads;
  return factor > 0 ? std::min(bound, slot.rate / factor) : bound;
}

ActivityId SharedCostModel::start(const DiskAccess& access, TimePoint now) {
  REHEARSE_ASSERT(access.priority > 0, "a disk access has a priority");
  go_to(now);
  const std::uint32_t index = make_slot(Kind::access, access.disk.value);
  attach(index);
  Slot& slot = slots_[index];
  slot.priority = access.priority;
  if (disk_factor_) slot.scale = disk_factor_(access.disk, access.bytes, access.is_write);
  if (!hosts_[platform_.disk(access.disk).host].is_on) {
    fail(index, now);
    return ActivityId{index};
  }
  uses_.clear();
  disks_.add_uses(access.disk, access.is_write, 1, uses_);
  open(index,
       {Duration{}, access.bytes / slot.scale, weight_of(slot), sharing::unbounded, uses_,
        sharing::plain_time},
       now);
  return ActivityId{index};
}

void SharedCostModel::set_rate(ActivityId activity, double rate, TimePoint now) {
  REHEARSE_ASSERT(rate > 0, "a rate is greater than 0");
  go_to(now);
  Slot& slot = slot_of(activity);
  slot.rate = rate;
  if (slot.is_failed) return;
  if (slot.kind == Kind::transfer)
    activities_.set_bound(slot.activity, bound_of_transfer(slot), now);
  else if (slot.kind == Kind::task)
    refresh_task(activity.value, now);
  else if (slot.kind == Kind::access)
    activities_.set_bound(slot.activity, rate / slot.scale, now);
  else if (slot.kind == Kind::computation) {
    const HostId host{slot.subject};
    activities_.set_bound(slot.activity, bound_of_computation(slot, now), now);
    if (hosts_[host].has_clock && needs_speed_events(host)) watch_speed(host, now);
  }
}

void SharedCostModel::set_priority(ActivityId activity, double priority, TimePoint now) {
  REHEARSE_ASSERT(priority > 0, "a priority is greater than 0");
  go_to(now);
  Slot& slot = slot_of(activity);
  slot.priority = priority;
  if (slot.is_failed || slot.kind == Kind::message) return;
  activities_.set_weight(slot.activity, weight_of(slot), now);
}

void SharedCostModel::set_host(ActivityId computation, HostId host, TimePoint now) {
  go_to(now);
  Slot& slot = slot_of(computation);
  REHEARSE_ASSERT(slot.kind == Kind::computation, "only computations move");
  if (slot.is_failed || slot.subject == host.value) return;
  const double left = activities_.remaining(slot.activity, now);
  close(computation.value, now);
  detach(computation.value);
  slot.subject = host.value;
  attach(computation.value);
  if (!hosts_[host].is_on) return fail(computation.value, now);
  open_computation(computation.value, left, now);
  if (slot.is_suspended) activities_.suspend(slot.activity, now);
}

}  // namespace rehearse::cost
