// SPDX-License-Identifier: MIT
//
// Parallel tasks in time: a delay, then an amount of work that advances in step on many resources at once.
//
// Cost:    a change solves the connected part of the system again.
// Units, order, dates, errors, threads: as in fluid.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simcore/sharing/date_heap.hpp"
#include "simcore/sharing/parallel_rates.hpp"
#include "simcore/sharing/work_clock.hpp"
#include "simcore/time.hpp"

namespace rehearse::sharing {

struct ParallelWork {
  Duration delay;  // the task uses no resource meanwhile
  double amount = 1;
  double weight = 1;
  double bound = unbounded;
  std::span<const ParallelUse> uses;  // copied; parts on the same resource are added; meters may be among them
};

class ParallelFluid {
 public:
  using TaskIndex = std::uint32_t;
  using ResourceIndex = std::uint32_t;
  using Rule = ParallelRates (*)(const ParallelSystem&);

  explicit ParallelFluid(Rule rule) : rule_(rule) {}

  ResourceIndex add_resource(double capacity, Division division = Division::shared);
  // A resource that limits nothing: it only sums the rates of the tasks that pass it.
  ResourceIndex add_meter();
  void set_capacity(ResourceIndex resource, double capacity, TimePoint now);
  double capacity(ResourceIndex resource) const { return resources_[resource].capacity; }
  double usage(ResourceIndex resource);  // sum of total*rate now

  // Returns an index, which is free again when the task has ended or was cancelled.
  TaskIndex start(const ParallelWork& work, TimePoint now);
  void cancel(TaskIndex task, TimePoint now);
  void suspend(TaskIndex task, TimePoint now);  // stops its delay too
  void resume(TaskIndex task, TimePoint now);
  void set_bound(TaskIndex task, double bound, TimePoint now);
  void set_weight(TaskIndex task, double weight, TimePoint now);
  void set_uses(TaskIndex task, std::span<const ParallelUse> uses, TimePoint now);

  double remaining(TaskIndex task, TimePoint now);
  double remaining_at(TaskIndex task, TimePoint date) const;  // as that of Fluid
  double rate(TaskIndex task);
  // The resource that holds a running task back, or ParallelRates::by_bound.
  ResourceIndex limit(TaskIndex task);

  TimePoint next_date();  // `never` if nothing will happen
  void advance(TimePoint now, std::vector<TaskIndex>& ended);
  bool is_busy() const { return active_ > 0; }

  // The resources whose usage or capacity may have changed since the last call; valid until the next call.
  std::span<const ResourceIndex> changed();

 private:
  enum class State { free, delayed, running, suspended };
  struct Task {
    State state = State::free;
    double amount = 0;  // remaining work at `updated`
    double rate = 0;
    TimePoint updated;
    Duration delay;  // remaining delay, while suspended
    std::uint64_t order = 0;
    std::uint32_t limit = ParallelRates::by_bound;
    std::uint64_t seen = 0;  // the collection that last found it
    ParallelSystem::Task shape;
    std::vector<ParallelUse> meters;
  };
  struct Resource {
    double capacity = 0;
    Division division = Division::shared;
    bool is_meter = false;
    std::vector<TaskIndex> users;  // running ones
    std::uint64_t seen = 0;
    std::uint32_t local = 0;  // its index in the system to be solved
    bool is_dirty = false;
    bool is_changed = false;
  };

  template <class Change>
  void change(TaskIndex index, TimePoint now, Change change);
  void go_to(TimePoint now);
  void touch(ResourceIndex resource);
  void note_change(ResourceIndex resource);
  void run(TaskIndex task);
  void stop(TaskIndex task);
  void release(TaskIndex task);
  void assign_uses(Task& task, std::span<const ParallelUse> uses);
  double remaining_of(const Task& task, TimePoint now) const;
  void settle();
  void collect(ResourceIndex resource);
  void take_rates(const ParallelRates& rates);

  Rule rule_;
  std::vector<Task> tasks_;
  std::vector<Resource> resources_;
  std::vector<TaskIndex> free_;
  std::vector<TaskIndex> fresh_;  // started or resumed since the last settle()
  std::vector<ResourceIndex> dirty_;
  std::vector<ResourceIndex> marked_;
  std::vector<ResourceIndex> changed_;
  std::vector<TaskIndex> part_;  // being solved
  std::vector<ResourceIndex> part_resources_;
  DateHeap dates_;
  std::uint64_t started_ = 0;
  std::uint64_t collection_ = 0;
  std::uint32_t active_ = 0;
  TimePoint now_;
};

}  // namespace rehearse::sharing
