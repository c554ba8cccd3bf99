// SPDX-License-Identifier: MIT
//
// Parallel tasks in time; see the header.
#include "simcore/sharing/parallel_fluid.hpp"

#include <algorithm>

#include "simcore/support/assert.hpp"

namespace rehearse::sharing {

ParallelFluid::ResourceIndex ParallelFluid::add_resource(double capacity, Division division) {
  Resource& resource = resources_.emplace_back();
  resource.capacity = capacity;
  resource.division = division;
  return static_cast<ResourceIndex>(resources_.size() - 1);
}

ParallelFluid::ResourceIndex ParallelFluid::add_meter() {
  const ResourceIndex meter = add_resource(unbounded);
  resources_[meter].is_meter = true;
  return meter;
}

void ParallelFluid::go_to(TimePoint now) {
  REHEARSE_ASSERT(now >= now_, "time does not go back");
  if (now == now_) return;
  settle();
  now_ = now;
}

void ParallelFluid::touch(ResourceIndex index) {
  note_change(index);
  if (resources_[index].is_dirty) return;
  resources_[index].is_dirty = true;
  dirty_.push_back(index);
}

void ParallelFluid::note_change(ResourceIndex index) {
  if (resources_[index].is_changed) return;
  resources_[index].is_changed = true;
  marked_.push_back(index);
}

std::span<const ParallelFluid::ResourceIndex> ParallelFluid::changed() {
  settle();
  changed_.swap(marked_);
  marked_.clear();
  for (const ResourceIndex index : changed_) resources_[index].is_changed = false;
  return changed_;
}

void ParallelFluid::set_capacity(ResourceIndex index, double capacity, TimePoint now) {
  go_to(now);
  if (resources_[index].capacity == capacity) return;
  resources_[index].capacity = capacity;
  touch(index);
}

double ParallelFluid::usage(ResourceIndex index) {
  settle();
  double usage = 0;
  for (const TaskIndex user : resources_[index].users)
    for (const ParallelUse& use : resources_[index].is_meter ? tasks_[user].meters : tasks_[user].shape.uses)
      if (use.resource == index) usage += use.total * tasks_[user].rate;
  return usage;
}

ParallelFluid::TaskIndex ParallelFluid::start(const ParallelWork& work, TimePoint now) {
  go_to(now);
  if (free_.empty()) {
    free_.push_back(static_cast<TaskIndex>(tasks_.size()));
    tasks_.emplace_back();
  }
  const TaskIndex index = free_.back();
  free_.pop_back();
  Task& task = tasks_[index];
  task.amount = work.amount;
  task.rate = 0;
  task.order = started_++;
  task.shape.weight = work.weight;
  task.shape.bound = work.bound;
  assign_uses(task, work.uses);
  ++active_;
  if (work.delay > Duration{} || work.amount <= 0) {
    task.state = State::delayed;
    dates_.set(index, now + work.delay, task.order);
  } else {
    run(index);
  }
  return index;
}

void ParallelFluid::assign_uses(Task& task, std::span<const ParallelUse> uses) {
  task.shape.uses.clear();
  task.meters.clear();
  for (const ParallelUse& use : uses) {
    if (use.total <= 0) continue;
    std::vector<ParallelUse>& known = resources_[use.resource].is_meter ? task.meters : task.shape.uses;
    const auto same =
        std::find_if(known.begin(), known.end(), [&](const ParallelUse& u) { return u.resource == use.resource; });
    if (same == known.end()) {
      known.push_back(use);
    } else {
      same->total += use.total;
      same->greatest = std::max(same->greatest, use.greatest);
    }
  }
}

void ParallelFluid::run(TaskIndex index) {
  Task& task = tasks_[index];
  task.state = State::running;
  task.updated = now_;
  task.rate = 0;
  fresh_.push_back(index);
  for (const ParallelUse& use : task.shape.uses) {
    resources_[use.resource].users.push_back(index);
    touch(use.resource);
  }
  for (const ParallelUse& use : task.meters) resources_[use.resource].users.push_back(index);
}

// The task stops running; its remaining work is stored in it.
void ParallelFluid::stop(TaskIndex index) {
  Task& task = tasks_[index];
  if (task.state == State::delayed) task.delay = dates_.date(index) - now_;
  dates_.remove(index);
  if (task.state != State::running) return;
  task.amount = remaining_of(task, now_);
  task.rate = 0;
  std::erase(fresh_, index);
  for (const ParallelUse& use : task.shape.uses) {
    std::erase(resources_[use.resource].users, index);
    touch(use.resource);
  }
  for (const ParallelUse& use : task.meters) {
    std::erase(resources_[use.resource].users, index);
    note_change(use.resource);
  }
}

void ParallelFluid::release(TaskIndex index) {
  tasks_[index].state = State::free;
  free_.push_back(index);
  --active_;
}

void ParallelFluid::cancel(TaskIndex index, TimePoint now) {
  go_to(now);
  stop(index);
  release(index);
}

void ParallelFluid::suspend(TaskIndex index, TimePoint now) {
  go_to(now);
  Task& task = tasks_[index];
  if (task.state == State::suspended) return;
  task.delay = {};
  stop(index);
  task.state = State::suspended;
}

void ParallelFluid::resume(TaskIndex index, TimePoint now) {
  go_to(now);
  Task& task = tasks_[index];
  if (task.state != State::suspended) return;
  if (task.delay > Duration{} || task.amount <= 0) {
    task.state = State::delayed;
    dates_.set(index, now + task.delay, task.order);
  } else {
    run(index);
  }
}

// A running task stops, changes, and continues.
template <class Change>
void ParallelFluid::change(TaskIndex index, TimePoint now, Change change) {
  go_to(now);
  const bool is_running = tasks_[index].state == State::running;
  if (is_running) stop(index);
  change(tasks_[index]);
  if (is_running) run(index);
}

void ParallelFluid::set_bound(TaskIndex index, double bound, TimePoint now) {
  change(index, now, [&](Task& task) { task.shape.bound = bound; });
}

void ParallelFluid::set_weight(TaskIndex index, double weight, TimePoint now) {
  change(index, now, [&](Task& task) { task.shape.weight = weight; });
}

void ParallelFluid::set_uses(TaskIndex index, std::span<const ParallelUse> uses, TimePoint now) {
  change(index, now, [&](Task& task) { assign_uses(task, uses); });
}

double ParallelFluid::remaining_of(const Task& task, TimePoint now) const {
  if (task.state != State::running) return task.amount;
  return std::max(task.amount - task.rate * (now - task.updated).seconds(), 0.0);
}

double ParallelFluid::remaining(TaskIndex index, TimePoint now) {
  go_to(now);
  settle();
  return remaining_of(tasks_[index], now);
}

double ParallelFluid::remaining_at(TaskIndex index, TimePoint date) const { return remaining_of(tasks_[index], date); }

double ParallelFluid::rate(TaskIndex index) {
  settle();
  return tasks_[index].rate;
}

ParallelFluid::ResourceIndex ParallelFluid::limit(TaskIndex index) {
  settle();
  return tasks_[index].limit;
}

void ParallelFluid::collect(ResourceIndex index) {
  Resource& resource = resources_[index];
  if (resource.seen == collection_) return;
  resource.seen = collection_;
  resource.local = static_cast<std::uint32_t>(part_resources_.size());
  part_resources_.push_back(index);
}

// Solves the part of the system that is connected with a change.
void ParallelFluid::settle() {
  if (dirty_.empty() && fresh_.empty()) return;
  ++collection_;
  part_.clear();
  part_resources_.clear();
  const auto add = [this](TaskIndex task) {
    if (tasks_[task].seen == collection_) return;
    tasks_[task].seen = collection_;
    part_.push_back(task);
    for (const ParallelUse& use : tasks_[task].shape.uses) collect(use.resource);
  };
  for (const TaskIndex task : fresh_) add(task);
  for (const ResourceIndex resource : dirty_) {
    collect(resource);
    resources_[resource].is_dirty = false;
  }
  for (std::size_t i = 0; i < part_resources_.size(); ++i)
    for (const TaskIndex task : resources_[part_resources_[i]].users) add(task);
  fresh_.clear();
  dirty_.clear();
  ParallelSystem system;
  for (const ResourceIndex index : part_resources_) {
    system.resources.push_back({resources_[index].capacity, resources_[index].division});
    note_change(index);
  }
  for (const TaskIndex index : part_) {
    system.tasks.push_back(tasks_[index].shape);
    for (ParallelUse& use : system.tasks.back().uses) use.resource = resources_[use.resource].local;
  }
  take_rates(rule_(system));
}

void ParallelFluid::take_rates(const ParallelRates& found) {
  for (std::size_t i = 0; i < part_.size(); ++i) {
    Task& task = tasks_[part_[i]];
    task.amount = remaining_of(task, now_);
    task.updated = now_;
    task.rate = found.rates[i];
    for (const ParallelUse& use : task.meters) note_change(use.resource);
    task.limit = found.limits[i] == ParallelRates::by_bound ? ParallelRates::by_bound
                                                            : part_resources_[found.limits[i]];
    dates_.set(part_[i], date_after(now_, task.amount <= 0 ? 0 : task.amount / task.rate), task.order);
  }
}

TimePoint ParallelFluid::next_date() {
  settle();
  return dates_.empty() ? never : dates_.first_date();
}

void ParallelFluid::advance(TimePoint now, std::vector<TaskIndex>& ended) {
  REHEARSE_ASSERT(now >= now_ && now <= next_date(), "no date is jumped over");
  now_ = now;
  while (!dates_.empty() && dates_.first_date() == now) {
    const TaskIndex index = dates_.first();
    if (tasks_[index].state == State::delayed && tasks_[index].amount > 0) {
      dates_.remove(index);
      run(index);
      continue;
    }
    stop(index);
    release(index);
    ended.push_back(index);
  }
}

}  // namespace rehearse::sharing
