// SPDX-License-Identifier: MIT
//
// Parallel tasks: one activity that takes of each host and link in proportion to the flops and bytes
// there.
//
// Model:  after the greatest latency of its routes, the task advances at x tasks per second; host i gives
//         flops_i x, a link on the route from i to j bytes_ij x. x <= speed_i / flops_i (one core each) and
//         x <= window / (2 max latency_ij bytes_ij). With `ptask`, everything shares by bottleneck max
//         fairness or by fair bottlenecks; with other models a task shares with others as what it would
//         be if it used only the resource that it needs most, in proportion to what there is.
// Source: Bonald, Roberts, Multi-resource fairness, SIGMETRICS 2015 (bottleneck max fairness).
#include <algorithm>
#include <cmath>

#include "simcore/cost/shared_cost_model.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::cost {

std::optional<ActivityId> SharedCostModel::start(const ParallelTask& given, TimePoint now) {
  go_to(now);
  const std::size_t count = given.hosts.size();
  REHEARSE_ASSERT(count > 0 && (given.flops.empty() || given.flops.size() == count) &&
                      (given.bytes.empty() || given.bytes.size() == count * count),
                  "a parallel task has hosts, a number of flops for each and of bytes for each pair");
  Task task{{given.hosts.begin(), given.hosts.end()}, {given.flops.begin(), given.flops.end()}, {}};
  if (!add_transfers(task, given, now)) return std::nullopt;
  const std::uint32_t index = make_slot(Kind::task, 0);
  Slot& slot = slots_[index];
  slot.rate = given.rate;
  const bool is_possible =
      std::all_of(task.hosts.begin(), task.hosts.end(),
                  [&](HostId host) { return hosts_[host].is_on; }) &&
      std::none_of(task.transfers.begin(), task.transfers.end(),
                   [&](const auto& transfer) { return paths_[transfer.first].is_off; });
  const Task& kept = tasks_.emplace(index, std::move(task)).first->second;
  for (const HostId host : kept.hosts) watch_task_host(host, 1, now);
  if (!is_possible) {
    fail(index, now);
    return ActivityId{index};
  }
  sharing::Work work = work_of(kept, slot, now);
  double latency = 0;
  for (const auto& [path, bytes] : kept.transfers)
    latency = std::max(latency, paths_[path].latency_seconds);
  work.delay = Duration::from_seconds(latency);
  work.amount = work.uses.empty() && std::isinf(work.bound) ? 0 : 1;
  open(index, work, now);
  return ActivityId{index};
}

// Paths that are asked for stay because the task is one of their transfers. False: there is no route.
bool SharedCostModel::add_transfers(Task& task, const ParallelTask& given, TimePoint now) {
  const std::size_t count = task.hosts.size();
  for (std::size_t i = 0; i < given.bytes.size(); ++i) {
    if (given.bytes[i] <= 0) continue;
    const std::uint32_t path = paths_.find(task.hosts[i / count], task.hosts[i % count]);
    if (!paths_[path].exists) {
      for (const auto& [kept, bytes] : task.transfers) leave_path(kept);
      return false;
    }
    if (paths_[path].has_profiles) catch_up_path(path, now);
    keep_path(path, now);
    task.transfers.emplace_back(path, given.bytes[i]);
  }
  return true;
}

// Everything but delay and amount. The uses are valid until asked again.
sharing::Work SharedCostModel::work_of(const Task& task, const Slot& slot, TimePoint now) {
  uses_.clear();
  double bound = slot.rate;
  double greatest = 0;  // seconds that the task would need of a resource alone
  double weight = 1;
  const auto use = [&](sharing::ResourceIndex resource, double coefficient, double of_others) {
    uses_.push_back({resource, coefficient});
    const double capacity = activities_.capacity(resource);
    if (capacity <= 0 || coefficient / capacity <= greatest) return;
    greatest = coefficient / capacity;
    weight = coefficient * of_others;
  };
  for (std::size_t i = 0; i < task.flops.size(); ++i) {
    if (task.flops[i] <= 0) continue;
    const HostId host = task.hosts[i];
    const double factor = std::max(hosts_.factor(host, now), standstill);
    use(hosts_.resource(host), task.flops[i] / factor, 1);
    if (hosts_[host].speed > 0)
      bound = std::min(bound, hosts_[host].speed * factor / task.flops[i]);
  }
  double byte_seconds = 0;
  for (const auto& [index, bytes] : task.transfers) {
    const network::Path& path = paths_[index];
    for (const sharing::Use& link : path.uses)
      use(link.resource, link.coefficient * bytes, path.weight);
    bound = std::min(bound, path.fatpipe_bound / bytes);
    byte_seconds = std::max(byte_seconds, path.latency_seconds * bytes);
  }
  if (parameters_.window_bytes > 0 && byte_seconds > 0)
    bound = std::min(bound, parameters_.window_bytes / (2 * byte_seconds));
  if (parameters_.kind == network::NetworkKind::parallel) weight = 1;
  return {Duration{}, 1, weight / slot.priority, bound, uses_, sharing::plain_time};
}

void SharedCostModel::refresh_task(std::uint32_t index, TimePoint now) {
  Slot& slot = slots_[index];
  if (slot.activity == none) return;
  const sharing::Work work = work_of(tasks_.at(index), slot, now);
  slot.weight = work.weight * slot.priority;
  activities_.set_coefficients(slot.activity, work.uses, now);
  activities_.set_bound(slot.activity, work.bound, now);
  activities_.set_weight(slot.activity, work.weight, now);
}

void SharedCostModel::refresh_tasks_on_path(std::uint32_t path, TimePoint now) {
  for (const auto& [index, task] : tasks_)
    if (std::any_of(task.transfers.begin(), task.transfers.end(),
                    [&](const auto& transfer) { return transfer.first == path; }))
      refresh_task(index, now);
}

void SharedCostModel::refresh_tasks_on_host(HostId host, TimePoint now) {
  for (const auto& [index, task] : tasks_)
    if (std::find(task.hosts.begin(), task.hosts.end(), host) != task.hosts.end())
      refresh_task(index, now);
}

template <class Condition>
void SharedCostModel::fail_tasks_if(const Condition& condition, TimePoint now) {
  std::vector<std::uint32_t> concerned;
  for (const auto& [index, task] : tasks_)
    if (condition(task)) concerned.push_back(index);
  for (const std::uint32_t index : concerned) fail(index, now);
}

void SharedCostModel::fail_tasks_on_host(HostId host, TimePoint now) {
  fail_tasks_if([&](const Task& task) {
    return std::find(task.hosts.begin(), task.hosts.end(), host) != task.hosts.end();
  }, now);
}

void SharedCostModel::fail_tasks_without_path(TimePoint now) {
  fail_tasks_if([&](const Task& task) {
    return std::any_of(task.transfers.begin(), task.transfers.end(),
                       [&](const auto& transfer) { return paths_[transfer.first].is_off; });
  }, now);
}

// A task has no clock: it is told of each change of the speed of a host.
void SharedCostModel::watch_task_host(HostId host, int change, TimePoint now) {
  compute::HostState& state = hosts_[host];
  if (!state.has_clock) return;
  state.bounded += static_cast<std::uint32_t>(change);
  if (change > 0) watch_speed(host, now);
}

void SharedCostModel::end_task(std::uint32_t index) {
  const Task& task = tasks_.at(index);
  for (const HostId host : task.hosts) watch_task_host(host, -1, now_);
  for (const auto& [path, bytes] : task.transfers) leave_path(path);
  tasks_.erase(index);
}

void SharedCostModel::keep_path(std::uint32_t path, TimePoint now) {
  if (++paths_[path].transfers == 1 && paths_[path].has_profiles)
    use_profiles(paths_[path], true, now);
}

void SharedCostModel::leave_path(std::uint32_t path) {
  if (--paths_[path].transfers == 0 && paths_[path].has_profiles)
    use_profiles(paths_[path], false, now_);
}

}  // namespace rehearse::cost
