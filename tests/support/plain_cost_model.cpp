// SPDX-License-Identifier: MIT
//
// Work without sharing.
#include "tests/support/plain_cost_model.hpp"

#include <algorithm>

namespace rehearse::testing {

PlainCostModel::PlainCostModel(const Platform& platform)
    : platform_(platform), host_on_(platform.hosts().size(), true), link_on_(platform.links().size(), true) {}

ActivityId PlainCostModel::begin(Work work, TimePoint now) {
  for (const HostId host : work.hosts) work.failed = work.failed || !host_on_[host.value];
  for (const LinkId link : work.links) work.failed = work.failed || !link_on_[link.value];
  work.active = true;
  work.order = ++orders_;
  ++active_;
  std::uint32_t id = static_cast<std::uint32_t>(works_.size());
  if (free_.empty()) {
    works_.push_back(std::move(work));
  } else {
    id = free_.back();
    free_.pop_back();
    works_[id] = std::move(work);
  }
  schedule(id, now);
  return {id};
}

std::optional<ActivityId> PlainCostModel::start(const Transfer& transfer, TimePoint now) {
  const auto route = platform_.find_route(transfer.source, transfer.destination);
  if (!route) return {};
  Work work;
  work.rate = transfer.rate;
  for (const LinkId link : route->links) work.rate = std::min(work.rate, platform_.link(link).bytes_per_second);
  work.remaining = transfer.bytes;
  work.since = now + Duration::from_seconds(route->latency_seconds);
  work.links = route->links;
  return begin(std::move(work), now);
}

std::optional<ActivityId> PlainCostModel::start(const ParallelTask& task, TimePoint now) {
  Work work;
  work.remaining = 1;
  work.rate = task.rate;
  for (std::size_t i = 0; i < task.flops.size(); ++i)
    if (task.flops[i] > 0)
      work.rate = std::min(work.rate, platform_.host(task.hosts[i]).flops_per_second / task.flops[i]);
  work.since = now;
  work.hosts.assign(task.hosts.begin(), task.hosts.end());
  return begin(std::move(work), now);
}

ActivityId PlainCostModel::start(const Computation& computation, TimePoint now) {
  Work work;
  work.remaining = computation.flops * computation.threads;
  work.rate = std::min(computation.rate, computation.threads * host_speed(computation.host, now));
  work.since = now;
  work.hosts = {computation.host};
  return begin(std::move(work), now);
}

ActivityId PlainCostModel::start(const DiskAccess& access, TimePoint now) {
  const Disk& disk = platform_.disk(access.disk);
  Work work;
  work.remaining = access.bytes;
  work.rate = access.is_write ? disk.write_bytes_per_second : disk.read_bytes_per_second;
  work.since = now;
  work.hosts = {disk.host};
  return begin(std::move(work), now);
}

void PlainCostModel::settle(Work& work, TimePoint now) {
  if (now <= work.since) return;
  work.remaining = std::max(0.0, work.remaining - work.rate * (now - work.since).seconds());
  work.since = now;
}

void PlainCostModel::schedule(std::uint32_t id, TimePoint now) {
  Work& work = works_[id];
  if (work.suspended && !work.failed) return;
  work.end = work.failed ? now : std::max(now, work.since) + Duration::from_seconds(work.remaining / work.rate);
  by_date_[{work.end, work.order}] = id;
}

void PlainCostModel::cancel(ActivityId activity, TimePoint) {
  Work& work = works_[activity.value];
  unschedule(work);
  work.active = false;
  --active_;
  free_.push_back(activity.value);
}

void PlainCostModel::suspend(ActivityId activity, TimePoint now) {
  Work& work = works_[activity.value];
  unschedule(work);
  settle(work, now);
  work.suspended = true;
  schedule(activity.value, now);
}

void PlainCostModel::resume(ActivityId activity, TimePoint now) {
  Work& work = works_[activity.value];
  work.suspended = false;
  work.since = std::max(work.since, now);
  schedule(activity.value, now);
}

void PlainCostModel::set_rate(ActivityId activity, double rate, TimePoint now) {
  Work& work = works_[activity.value];
  unschedule(work);
  settle(work, now);
  work.rate = rate;
  schedule(activity.value, now);
}

void PlainCostModel::set_host(ActivityId computation, HostId host, TimePoint now) {
  works_[computation.value].hosts = {host};
  set_rate(computation, host_speed(host, now), now);
}

double PlainCostModel::remaining(ActivityId activity, TimePoint now) {
  Work& work = works_[activity.value];
  if (!work.suspended) settle(work, now);
  return work.remaining;
}

double PlainCostModel::rate(ActivityId activity, TimePoint) {
  return works_[activity.value].suspended ? 0 : works_[activity.value].rate;
}

void PlainCostModel::fail_those_on(TimePoint now, bool (*is_hit)(const PlainCostModel&, const Work&)) {
  for (std::uint32_t id = 0; id < works_.size(); ++id) {
    Work& work = works_[id];
    if (!work.active || work.failed || !is_hit(*this, work)) continue;
    unschedule(work);
    work.failed = true;
    schedule(id, now);
  }
}

void PlainCostModel::set_host_on(HostId host, bool is_on, TimePoint now) {
  host_on_[host.value] = is_on;
  fail_those_on(now, [](const PlainCostModel& model, const Work& work) {
    return std::any_of(work.hosts.begin(), work.hosts.end(), [&](HostId h) { return !model.host_on_[h.value]; });
  });
  for (ResourceObserver* observer : observers_) observer->on_host_state(host, is_on, now);
}

void PlainCostModel::set_link_on(LinkId link, bool is_on, TimePoint now) {
  link_on_[link.value] = is_on;
  fail_those_on(now, [](const PlainCostModel& model, const Work& work) {
    return std::any_of(work.links.begin(), work.links.end(), [&](LinkId l) { return !model.link_on_[l.value]; });
  });
  for (ResourceObserver* observer : observers_) observer->on_link_state(link, is_on, now);
}

std::optional<Duration> PlainCostModel::latency(HostId source, HostId destination, TimePoint) {
  const auto route = platform_.find_route(source, destination);
  if (!route) return {};
  return Duration::from_seconds(route->latency_seconds);
}

void PlainCostModel::advance(TimePoint now, std::vector<Ended>& ended) {
  while (!by_date_.empty() && by_date_.begin()->first.first <= now) {
    const std::uint32_t id = by_date_.begin()->second;
    by_date_.erase(by_date_.begin());
    ended.push_back({{id}, works_[id].failed});
    works_[id].active = false;
    --active_;
    free_.push_back(id);
  }
}

}  // namespace rehearse::testing
