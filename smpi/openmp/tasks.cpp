// SPDX-License-Identifier: MIT
//
// Tasks. A task that may wait is put into a queue of its team; members take the oldest one that they may run when they
// wait at a barrier, for their children or for a group, and let the other members run after each.
#include <algorithm>
#include <cstring>
#include <utility>

#include "smpi/openmp/team.hpp"
#include "smpi/process/thread_order.hpp"
#include "smpi/process/thread_waits.hpp"

namespace rehearse::smpi::openmp {
namespace {

enum Flag : unsigned {
  is_final_flag = 1U << 1,
  depends_flag = 1U << 3,
  up_flag = 1U << 8,
  grain_flag = 1U << 9,
  if_flag = 1U << 10,
  no_group_flag = 1U << 11,
  reduction_flag = 1U << 12,
  detach_flag = 1U << 13
};

constexpr std::size_t tasks_per_member = 64;  // more of them run at once

[[noreturn]] void refuse(const char* what) { fail_rank(FailureKind::unsupported, "unsupported.function", what); }

void copy_arguments(Task& task, const void* data, void (*copy)(void*, void*), long bytes, long alignment) {
  const auto room = static_cast<std::size_t>(bytes + alignment);
  task.data.assign((room + 7) / 8, 0);
  const auto begin = reinterpret_cast<std::uintptr_t>(task.data.data());
  const auto unit = static_cast<std::uintptr_t>(std::max(alignment, 1L));
  task.argument = reinterpret_cast<void*>((begin + unit - 1) / unit * unit);
  if (copy != nullptr) copy(task.argument, const_cast<void*>(data));
  else if (bytes > 0) std::memcpy(task.argument, data, static_cast<std::size_t>(bytes));
}

// ---- Dependences between the children of a task

struct Dependence {
  const void* address = nullptr;
  bool writes = false;
};

// The list of GCC: either count, count of writes, addresses (writes first); or 0, count, numbers of writes, of
// exclusive writes and of reads, their addresses, then addresses of objects that hold an address and a kind.
std::vector<Dependence> read_dependences(void** list) {
  std::vector<Dependence> all;
  const auto number = [&](std::size_t at) { return reinterpret_cast<std::size_t>(list[at]); };
  if (number(0) != 0) {
    for (std::size_t i = 0; i < number(0); ++i) all.push_back({list[2 + i], i < number(1)});
    return all;
  }
  const std::size_t count = number(1), writes = number(2) + number(3), plain = writes + number(4);
  constexpr std::uintptr_t reads = 1;  // GOMP_DEPEND_IN
  for (std::size_t i = 0; i < count; ++i) {
    if (i < plain) {
      all.push_back({list[5 + i], i < writes});
    } else {
      auto** object = static_cast<void**>(list[5 + i]);
      all.push_back({object[0], reinterpret_cast<std::uintptr_t>(object[1]) != reads});
    }
  }
  return all;
}

void follow(const std::shared_ptr<Task>& task, const std::shared_ptr<Task>& earlier) {
  if (earlier == nullptr || earlier->is_complete || earlier == task) return;
  earlier->followers.push_back(task);
  ++task->blockers;
}

void add_dependences(Task& parent, const std::shared_ptr<Task>& task, void** list) {
  for (const auto& [address, writes] : read_dependences(list)) {
    Task::Uses& uses = parent.uses[address];
    follow(task, uses.writer);
    if (!writes) {
      uses.readers.push_back(task);
      continue;
    }
    for (const auto& reader : uses.readers) follow(task, reader);
    uses.readers.clear();
    uses.writer = task;
  }
}

// ---- The life of a task

void finish(const std::shared_ptr<Task>& task) {
  Team& team = *self().team;
  task->is_complete = true;
  task->uses.clear();
  bool is_awaited = false;
  for (const auto& follower : task->followers) {
    release_to(follower.get());
    if (--follower->blockers > 0) continue;
    if (follower->function != nullptr) team.ready.push_back(follower);
    is_awaited = true;
  }
  task->followers.clear();
  task->data.clear();
  release_to(task->parent.get());
  release_to(team.barrier_object());
  for (const Group* at = task->group; at != nullptr; at = at->outer) release_to(at);
  is_awaited |= --task->parent->children == 0;
  if (task->group != nullptr) is_awaited |= --task->group->tasks == 0;
  is_awaited |= --team.tasks == 0;
  if (is_awaited) wake(&team);
}

void run(const std::shared_ptr<Task>& task) {
  Member& member = self();
  const std::shared_ptr<Task> before = std::exchange(member.task, task);
  acquire_from(task.get());
  task->function(task->argument);
  pass_code_time();
  // The member is the same after the task: tasks are tied.
  member.task = before;
  finish(task);
}

bool is_below(const Task& task, const Task* top) {
  for (const Task* at = task.parent.get(); at != nullptr; at = at->parent.get())
    if (at == top) return true;
  return top == nullptr;
}

bool is_in(const Task& task, const Group* group) {
  for (const Group* at = task.group; at != nullptr; at = at->outer)
    if (at == group) return true;
  return false;
}

template <class May>
bool run_one(const May& may) {
  Team& team = *self().team;
  const auto found = std::ranges::find_if(team.ready, [&](const auto& task) { return may(*task); });
  if (found == team.ready.end()) return false;
  const std::shared_ptr<Task> task = *found;
  team.ready.erase(found);
  run(task);
  yield_thread();
  return true;
}

template <class Done, class May>
void run_until(const Done& done, const May& may, std::string_view function) {
  pass_code_time();
  while (!done())
    if (!run_one(may) && !done()) wait_for({.object = self().team, .function = function});
}

std::shared_ptr<Task> make_child(const Member& member) {
  auto task = std::make_shared<Task>();
  task->parent = member.task;
  task->group = member.task->group;
  return task;
}

void count(const std::shared_ptr<Task>& task) {
  ++task->parent->children;
  if (task->group != nullptr) ++task->group->tasks;
  ++self().team->tasks;
}

void add_task(const std::shared_ptr<Task>& task, bool waits, void** dependences) {
  pass_code_time();
  Member& member = self();
  Team& team = *member.team;
  if (dependences != nullptr) add_dependences(*task->parent, task, dependences);
  count(task);
  release_to(task.get());
  if (team.size() > 1) note_undecided("tasks");
  const bool is_at_once = !waits || team.size() == 1 || member.task->is_final ||
                          team.ready.size() > tasks_per_member * team.size();
  task->is_final |= member.task->is_final;
  if (!is_at_once) {
    if (task->blockers == 0) team.ready.push_back(task);
    wake(&team, 1);
    return;
  }
  if (task->blockers > 0) {
    void (*const function)(void*) = std::exchange(task->function, nullptr);  // not into the queue
    run_until([&] { return task->blockers == 0; }, [&](const Task& one) { return is_below(one, task->parent.get()); },
              "a task of OpenMP, for earlier ones");
    task->function = function;
  }
  run(task);
}

void make_task(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes, long alignment,
               bool condition, unsigned flags, void** dependences, int, void*) {
  if ((flags & detach_flag) != 0) refuse("GOMP_task (with the clause detach)");
  const auto task = make_child(self());
  task->function = function;
  task->is_final = (flags & is_final_flag) != 0;
  copy_arguments(*task, data, copy, bytes, alignment);
  add_task(task, condition && !task->is_final, (flags & depends_flag) != 0 ? dependences : nullptr);
}

void wait_for_children() {
  const Task* task = self().task.get();
  run_until([=] { return task->children == 0; }, [=](const Task& one) { return is_below(one, task); },
            "a taskwait of OpenMP");
  acquire_from(task);
}

void wait_for_dependences(void** dependences) {
  Member& member = self();
  const auto task = make_child(member);
  add_dependences(*task->parent, task, dependences);
  run_until([&] { return task->blockers == 0; }, [&](const Task& one) { return is_below(one, task->parent.get()); },
            "a taskwait of OpenMP");
  acquire_from(task.get());
  task->is_complete = true;
}

void start_group() {
  Task& task = *self().task;
  task.group = new Group{.outer = task.group};
}

void end_group() {
  Task& task = *self().task;
  Group* group = task.group;
  // Tasks of inner groups count there, and their groups end before the tasks do.
  run_until([=] { return group->tasks == 0; }, [=](const Task& one) { return is_in(one, group); },
            "the end of a taskgroup of OpenMP");
  acquire_from(group);
  task.group = group->outer;
  delete group;
}

void yield_task() { yield_thread(); }

// ---- Loops whose iterations are divided into tasks

struct TaskLoop {
  void (*function)(void*);
  void* data;
  void (*copy)(void*, void*);
  long bytes, alignment;
  unsigned flags;
  std::uint64_t start, end, step, iterations, tasks;
};

// The first two words of the arguments are the bounds.
void make_loop_tasks(const TaskLoop& loop) {
  if ((loop.flags & reduction_flag) != 0) refuse("GOMP_taskloop (with reductions)");
  const bool has_group = (loop.flags & no_group_flag) == 0;
  if (has_group) start_group();
  std::uint64_t tasks = loop.tasks == 0 ? self().team->size() : loop.tasks;
  if ((loop.flags & grain_flag) != 0) {
    const std::uint64_t grain = std::max<std::uint64_t>(loop.tasks, 1);
    tasks = std::max<std::uint64_t>(loop.iterations / grain, 1);
  }
  tasks = std::min(tasks, loop.iterations);
  std::uint64_t done = 0;
  for (std::uint64_t i = 0; i < tasks; ++i) {
    const std::uint64_t length = loop.iterations / tasks + (i < loop.iterations % tasks ? 1 : 0);
    const auto task = make_child(self());
    task->function = loop.function;
    task->is_final = (loop.flags & is_final_flag) != 0;
    copy_arguments(*task, loop.data, loop.copy, loop.bytes, loop.alignment);
    auto* bounds = static_cast<std::uint64_t*>(task->argument);
    bounds[0] = loop.start + done * loop.step;
    done += length;
    bounds[1] = done == loop.iterations ? loop.end : loop.start + done * loop.step;
    add_task(task, (loop.flags & if_flag) != 0 && !task->is_final, nullptr);
  }
  if (has_group) end_group();
}

void task_loop(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes, long alignment,
               unsigned flags, unsigned long tasks, int, long start, long end, long step) {
  const auto span = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(start);
  const bool is_empty = step > 0 ? start >= end : start <= end;
  const std::uint64_t length = step > 0 ? (span - 1) / static_cast<std::uint64_t>(step) + 1
                                        : (0 - span - 1) / (0 - static_cast<std::uint64_t>(step)) + 1;
  make_loop_tasks({function, data, copy, bytes, alignment, flags, static_cast<std::uint64_t>(start),
                   static_cast<std::uint64_t>(end), static_cast<std::uint64_t>(step), is_empty ? 0 : length, tasks});
}

using Word = unsigned long long;

void task_loop_unsigned(void (*function)(void*), void* data, void (*copy)(void*, void*), long bytes, long alignment,
                        unsigned flags, unsigned long tasks, int, Word start, Word end, Word step) {
  const bool up = (flags & up_flag) != 0, is_empty = up ? start >= end : start <= end;
  const Word length = is_empty ? 0 : up ? (end - start - 1) / step + 1 : (start - end - 1) / (0 - step) + 1;
  make_loop_tasks({function, data, copy, bytes, alignment, flags, start, end, step, length, tasks});
}

}  // namespace

bool run_task(const Task* below) {
  return run_one([below](const Task& one) { return is_below(one, below); });
}

InterposerList task_names() {
  return {{"GOMP_task", function_address(make_task)},
          {"GOMP_taskwait", function_address(wait_for_children)},
          {"GOMP_taskwait_depend", function_address(wait_for_dependences)},
          {"GOMP_taskyield", function_address(yield_task)},
          {"GOMP_taskgroup_start", function_address(start_group)},
          {"GOMP_taskgroup_end", function_address(end_group)},
          {"GOMP_taskloop", function_address(task_loop)},
          {"GOMP_taskloop_ull", function_address(task_loop_unsigned)}};
}

}  // namespace rehearse::smpi::openmp
