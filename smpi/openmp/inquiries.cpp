// SPDX-License-Identifier: MIT
//
// The functions of omp.h about threads and schedules, for C and Fortran. Those about devices, places and allocators are
// libgomp's.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "smpi/openmp/team.hpp"

namespace rehearse::smpi::openmp {
namespace {

int thread_num() { return static_cast<int>(self().number); }
int num_threads() { return static_cast<int>(self().team->size()); }
int max_threads() {
  const Control& control = self().control;
  return static_cast<int>(std::min(control.threads.front(), control.thread_limit));
}
int in_parallel() { return self().team->active_level > 0 ? 1 : 0; }
int level() { return static_cast<int>(self().team->level); }
int active_level() { return static_cast<int>(self().team->active_level); }
int in_final() { return self().task->is_final ? 1 : 0; }
int one() { return 1; }
int thread_limit() { return static_cast<int>(std::min(self().control.thread_limit, 2147483647U)); }
int max_active_levels() { return self().control.max_active_levels; }
int supported_levels() { return 255; }
int adjusts() { return self().control.may_adjust ? 1 : 0; }
int nested() { return self().control.max_active_levels > 1 ? 1 : 0; }
double wtime() { return clock_seconds(); }
double wtick() { return 1e-9; }

void set_num_threads(int count) {
  if (count > 0) self().control.threads = {static_cast<unsigned>(count)};
}
void set_dynamic(int value) { self().control.may_adjust = value != 0; }
void set_nested(int value) { self().control.max_active_levels = value != 0 ? supported_levels() : 1; }
void set_max_active_levels(int count) {
  if (count >= 0) self().control.max_active_levels = std::min(count, supported_levels());
}

constexpr unsigned monotonic_bit = 1U << 31;

void set_schedule(unsigned kind, int chunk) {
  const unsigned plain = kind & ~monotonic_bit;
  if (plain < 1 || plain > 4) return;
  Control& control = self().control;
  control.schedule = static_cast<Schedule>(plain);
  control.chunk = chunk < 1 ? (plain == 2 || plain == 3 ? 1 : 0) : chunk;
}

void get_schedule(unsigned* kind, int* chunk) {
  const Control& control = self().control;
  *kind = static_cast<unsigned>(control.schedule);
  *chunk = control.chunk;
}

// The member on the path to the running one that is in the team of this level; null: there is no such level.
const Member* ancestor(int at) {
  const Member* member = &self();
  if (at < 0 || at > static_cast<int>(member->team->level)) return nullptr;
  while (static_cast<int>(member->team->level) > at) member = member->parent;
  return member;
}

int ancestor_thread_num(int at) {
  const Member* member = ancestor(at);
  return member == nullptr ? -1 : static_cast<int>(member->number);
}

int team_size(int at) {
  const Member* member = ancestor(at);
  return member == nullptr ? -1 : static_cast<int>(member->team->size());
}

// ---- Fortran: arguments by reference, of 4 or 8 bytes

template <auto function, class Integer>
auto by_reference(const Integer* value) {
  return function(static_cast<int>(*value));
}

template <class Integer>
void set_schedule_by_reference(const std::int32_t* kind, const Integer* chunk) {
  set_schedule(static_cast<unsigned>(*kind), static_cast<int>(*chunk));
}

template <class Integer>
void get_schedule_by_reference(std::int32_t* kind, Integer* chunk) {
  unsigned found = 0;
  int size = 0;
  get_schedule(&found, &size);
  *kind = static_cast<std::int32_t>(found);
  *chunk = size;
}

struct Inquiry {
  std::string_view name, fortran;
  int (*function)();
};

constexpr Inquiry inquiries[] = {{"omp_get_thread_num", "omp_get_thread_num_", thread_num},
                                 {"omp_get_num_threads", "omp_get_num_threads_", num_threads},
                                 {"omp_get_max_threads", "omp_get_max_threads_", max_threads},
                                 {"omp_get_num_procs", "omp_get_num_procs_", one},
                                 {"omp_in_parallel", "omp_in_parallel_", in_parallel},
                                 {"omp_get_level", "omp_get_level_", level},
                                 {"omp_get_active_level", "omp_get_active_level_", active_level},
                                 {"omp_in_final", "omp_in_final_", in_final},
                                 {"omp_get_thread_limit", "omp_get_thread_limit_", thread_limit},
                                 {"omp_get_max_active_levels", "omp_get_max_active_levels_", max_active_levels},
                                 {"omp_get_supported_active_levels", "omp_get_supported_active_levels_",
                                  supported_levels},
                                 {"omp_get_dynamic", "omp_get_dynamic_", adjusts},
                                 {"omp_get_nested", "omp_get_nested_", nested}};

}  // namespace

bool read_schedule(const char* text, Schedule& kind, int& chunk) {
  for (const std::string_view modifier : {"monotonic:", "nonmonotonic:"})
    if (std::string_view(text).starts_with(modifier)) text += modifier.size();
  constexpr std::string_view names[] = {"static", "dynamic", "guided", "auto"};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (strncasecmp(text, names[i].data(), names[i].size()) != 0) continue;
    const char* rest = text + names[i].size();
    if (*rest != 0 && *rest != ',') return false;
    const int size = *rest == ',' ? std::atoi(rest + 1) : 0;
    kind = static_cast<Schedule>(i + 1);
    chunk = size > 0 ? size : kind == Schedule::dynamic || kind == Schedule::guided ? 1 : 0;
    return true;
  }
  return false;
}

InterposerList library_names() {
  InterposerList all{
      {"omp_get_wtime", function_address(wtime)},
      {"omp_get_wtime_", function_address(wtime)},
      {"omp_get_wtick", function_address(wtick)},
      {"omp_get_wtick_", function_address(wtick)},
      {"omp_set_num_threads", function_address(set_num_threads)},
      {"omp_set_num_threads_", function_address(by_reference<set_num_threads, std::int32_t>)},
      {"omp_set_num_threads_8_", function_address(by_reference<set_num_threads, std::int64_t>)},
      {"omp_set_dynamic", function_address(set_dynamic)},
      {"omp_set_dynamic_", function_address(by_reference<set_dynamic, std::int32_t>)},
      {"omp_set_dynamic_8_", function_address(by_reference<set_dynamic, std::int64_t>)},
      {"omp_set_nested", function_address(set_nested)},
      {"omp_set_nested_", function_address(by_reference<set_nested, std::int32_t>)},
      {"omp_set_nested_8_", function_address(by_reference<set_nested, std::int64_t>)},
      {"omp_set_max_active_levels", function_address(set_max_active_levels)},
      {"omp_set_max_active_levels_", function_address(by_reference<set_max_active_levels, std::int32_t>)},
      {"omp_set_max_active_levels_8_", function_address(by_reference<set_max_active_levels, std::int64_t>)},
      {"omp_set_schedule", function_address(set_schedule)},
      {"omp_set_schedule_", function_address(set_schedule_by_reference<std::int32_t>)},
      {"omp_set_schedule_8_", function_address(set_schedule_by_reference<std::int64_t>)},
      {"omp_get_schedule", function_address(get_schedule)},
      {"omp_get_schedule_", function_address(get_schedule_by_reference<std::int32_t>)},
      {"omp_get_schedule_8_", function_address(get_schedule_by_reference<std::int64_t>)},
      {"omp_get_ancestor_thread_num", function_address(ancestor_thread_num)},
      {"omp_get_ancestor_thread_num_", function_address(by_reference<ancestor_thread_num, std::int32_t>)},
      {"omp_get_ancestor_thread_num_8_", function_address(by_reference<ancestor_thread_num, std::int64_t>)},
      {"omp_get_team_size", function_address(team_size)},
      {"omp_get_team_size_", function_address(by_reference<team_size, std::int32_t>)},
      {"omp_get_team_size_8_", function_address(by_reference<team_size, std::int64_t>)}};
  for (const Inquiry& inquiry : inquiries) {
    all.emplace_back(inquiry.name, function_address(inquiry.function));
    all.emplace_back(inquiry.fortran, function_address(inquiry.function));
  }
  return all;
}

}  // namespace rehearse::smpi::openmp
