// SPDX-License-Identifier: MIT
//
// See tasks.hpp.
#include "simcore/cost/tasks.hpp"

#include <algorithm>
#include <cmath>

#include "simcore/cost/link_changes.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::cost {

bool Tasks::Task::uses(HostId host) const { return std::find(hosts.begin(), hosts.end(), host) != hosts.end(); }

bool Tasks::Task::uses_path(std::uint32_t path) const {
  return std::any_of(transfers.begin(), transfers.end(), [&](const auto& transfer) { return transfer.first == path; });
}

std::optional<std::uint32_t> Tasks::add(const ParallelTask& given, TimePoint now) {
  const std::size_t count = given.hosts.size();
  REHEARSE_ASSERT(count > 0 && (given.flops.empty() || given.flops.size() == count) &&
                      (given.bytes.empty() || given.bytes.size() == count * count),
                  "a parallel task has hosts, a number of flops for each and of bytes for each pair");
  Task task{{given.hosts.begin(), given.hosts.end()}, {given.flops.begin(), given.flops.end()}, {}};
  if (!add_transfers(task, given, now)) return std::nullopt;
  const std::uint32_t index = slots_.make(SlotKind::task, 0);
  slots_[index].rate = given.rate;
  slots_[index].category = given.category;
  const Task& kept = tasks_.emplace(index, std::move(task)).first->second;
  for (const HostId host : kept.hosts) watch_host(host, 1, now);
  return index;
}

bool Tasks::lacks_path(const Task& task) {
  return std::any_of(task.transfers.begin(), task.transfers.end(),
                     [&](const auto& transfer) { return state_.paths[transfer.first].is_off; });
}

bool Tasks::is_possible(std::uint32_t index) {
  const Task& task = tasks_.at(index);
  return std::all_of(task.hosts.begin(), task.hosts.end(), [&](HostId host) { return state_.hosts[host].is_on; }) &&
         !lacks_path(task);
}

void Tasks::open(std::uint32_t index, TimePoint now) {
  const Task& task = tasks_.at(index);
  sharing::Work work = work_of(task, slots_[index], now);
  double latency = 0;
  for (const auto& [path, bytes] : task.transfers) latency = std::max(latency, state_.paths[path].latency_seconds);
  work.delay = Duration::from_seconds(latency);
  work.amount = work.uses.empty() && std::isinf(work.bound) ? 0 : 1;
  slots_.open(index, work, now);
}

// The paths are kept, because the task counts as one of their transfers. False: there is no route.
bool Tasks::add_transfers(Task& task, const ParallelTask& given, TimePoint now) {
  const std::size_t count = task.hosts.size();
  for (std::size_t i = 0; i < given.bytes.size(); ++i) {
    if (given.bytes[i] <= 0) continue;
    const std::uint32_t path = state_.paths.find(task.hosts[i / count], task.hosts[i % count]);
    if (!state_.paths[path].exists) {
      for (const auto& [kept, bytes] : task.transfers) events_.leave_path(kept);
      return false;
    }
    if (state_.paths[path].has_profiles) link_changes_.catch_up_path(path, now);
    events_.keep_path(path, now);
    task.transfers.emplace_back(path, given.bytes[i]);
  }
  return true;
}

// All of the work but its delay and amount. The uses and meters are valid until the next call.
sharing::Work Tasks::work_of(const Task& task, const Slot& slot, TimePoint now) {
  uses_.clear();
  meters_.clear();
  double bound = slot.rate;
  double greatest = 0;  // seconds that the task would take with only that resource
  double weight = 1;
  const auto use = [&](sharing::ResourceIndex resource, double coefficient, double of_others) {
    uses_.push_back({resource, coefficient});
    const double capacity = state_.fluid.capacity(resource);
    if (capacity <= 0 || coefficient / capacity <= greatest) return;
    greatest = coefficient / capacity;
    weight = coefficient * of_others;
  };
  const auto pass = [this](sharing::ResourceIndex meter, double coefficient) {
    const auto known = std::ranges::find(meters_, meter, &sharing::Use::resource);
    if (known == meters_.end()) meters_.push_back({meter, coefficient});
    else known->coefficient += coefficient;
  };
  for (std::size_t i = 0; i < task.flops.size(); ++i) {
    if (task.flops[i] <= 0) continue;
    const HostId host = task.hosts[i];
    const double factor = std::max(state_.hosts.factor(host, now), standstill);
    use(state_.hosts.resource(host), task.flops[i] / factor, 1);
    if (state_.hosts[host].speed > 0) bound = std::min(bound, state_.hosts[host].speed * factor / task.flops[i]);
  }
  double byte_seconds = 0;
  for (const auto& [index, bytes] : task.transfers) {
    const network::Path& path = state_.paths[index];
    for (const sharing::Use& link : path.uses) use(link.resource, link.coefficient * bytes, path.weight);
    for (const sharing::Use& link : path.meters) pass(link.resource, link.coefficient * bytes);
    bound = std::min(bound, path.fatpipe_bound / bytes);
    byte_seconds = std::max(byte_seconds, path.latency_seconds * bytes);
  }
  if (state_.parameters.window_bytes > 0 && byte_seconds > 0)
    bound = std::min(bound, state_.parameters.window_bytes / (2 * byte_seconds));
  if (state_.parameters.kind == network::NetworkKind::parallel) weight = 1;
  sharing::Work work{Duration{}, 1, weight / slot.priority, bound, uses_, sharing::plain_time};
  work.meters = meters_;
  return work;
}

void Tasks::refresh(std::uint32_t index, TimePoint now) {
  Slot& slot = slots_[index];
  if (slot.activity == none) return;
  const sharing::Work work = work_of(tasks_.at(index), slot, now);
  slot.weight = work.weight * slot.priority;
  slots_.change(index, work.uses, work.meters, now);
  state_.fluid.set_bound(slot.activity, work.bound, now);
  state_.fluid.set_weight(slot.activity, work.weight, now);
}

void Tasks::refresh_on_path(std::uint32_t path, TimePoint now) {
  for (const auto& [index, task] : tasks_)
    if (task.uses_path(path)) refresh(index, now);
}

void Tasks::refresh_on_host(HostId host, TimePoint now) {
  for (const auto& [index, task] : tasks_)
    if (task.uses(host)) refresh(index, now);
}

std::vector<std::uint32_t> Tasks::on_host(HostId host) const {
  std::vector<std::uint32_t> concerned;
  for (const auto& [index, task] : tasks_)
    if (task.uses(host)) concerned.push_back(index);
  return concerned;
}

std::vector<std::uint32_t> Tasks::without_path() {
  std::vector<std::uint32_t> concerned;
  for (const auto& [index, task] : tasks_)
    if (lacks_path(task)) concerned.push_back(index);
  return concerned;
}

// A task has no clock: it follows each change of the speed of a host.
void Tasks::watch_host(HostId host, int change, TimePoint now) {
  compute::HostState& state = state_.hosts[host];
  if (!state.has_clock) return;
  state.bounded += static_cast<std::uint32_t>(change);
  if (change > 0) events_.watch_speed(host, now);
}

void Tasks::end(std::uint32_t index) {
  const Task& task = tasks_.at(index);
  for (const HostId host : task.hosts) watch_host(host, -1, state_.now);
  for (const auto& [path, bytes] : task.transfers) events_.leave_path(path);
  tasks_.erase(index);
}

}  // namespace rehearse::cost
