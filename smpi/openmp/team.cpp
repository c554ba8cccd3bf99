// SPDX-License-Identifier: MIT
//
// Teams and their barriers. The threads of earlier teams are parked and used again, so that threadprivate variables
// keep their values.
#include "smpi/openmp/team.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "simcore/support/format.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/thread_order.hpp"
#include "smpi/process/thread_waits.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi::openmp {
namespace {

struct Pool {
  std::vector<RankThread*> parked;
  Control initial;
  bool is_known = false;
};

const char* variable(const char* name) {
  const std::size_t length = std::strlen(name);
  for (char** entry = this_rank().variable<char**>(Variable::environment); entry != nullptr && *entry != nullptr;
       ++entry)
    if (std::strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') return *entry + length + 1;
  return nullptr;
}

// "4" or "4,2"; empty: it means nothing.
std::vector<unsigned> read_numbers(const char* text) {
  std::vector<unsigned> numbers;
  while (true) {
    char* end = nullptr;
    const unsigned long number = std::strtoul(text, &end, 10);
    if (end == text || number == 0 || number > 65536) return {};
    numbers.push_back(static_cast<unsigned>(number));
    while (*end == ' ') ++end;
    if (*end == 0) return numbers;
    if (*end != ',') return {};
    text = end + 1;
  }
}

bool is_true(const char* text) { return text != nullptr && (*text == 't' || *text == 'T' || *text == '1'); }

void read_environment(Control& control) {
  if (const char* text = variable("OMP_NUM_THREADS"); text != nullptr && !read_numbers(text).empty())
    control.threads = read_numbers(text);
  if (const char* text = variable("OMP_SCHEDULE")) read_schedule(text, control.schedule, control.chunk);
  if (const char* text = variable("OMP_THREAD_LIMIT"); text != nullptr && !read_numbers(text).empty())
    control.thread_limit = read_numbers(text).front();
  if (control.threads.size() > 1) control.max_active_levels = static_cast<int>(control.threads.size());
  if (is_true(variable("OMP_NESTED"))) control.max_active_levels = 255;
  if (const char* text = variable("OMP_MAX_ACTIVE_LEVELS"))
    if (const int levels = std::atoi(text); levels > 0) control.max_active_levels = levels;
  if (is_true(variable("OMP_CANCELLATION")))
    fail_rank(FailureKind::unsupported, "unsupported.feature", "OMP_CANCELLATION=true");
}

// A thread of the pool: the region of one team after another.
void* run_members(void*) {
  while (true) {
    RankThread& thread = running_thread();
    Member& member = *static_cast<Member*>(thread.member);
    member.function(member.argument);
    barrier();
    thread.member = nullptr;
    per_rank<Pool>().parked.push_back(&thread);
    park_thread();
  }
}

Member* make_member(Team& team, const Member& creator, unsigned number) {
  auto* member = new Member;
  member->team = &team;
  member->number = number;
  member->control = creator.control;
  if (member->control.threads.size() > 1) member->control.threads.erase(member->control.threads.begin());
  member->task = std::make_shared<Task>();
  member->task->is_final = creator.task->is_final;
  team.members.push_back(member);
  return member;
}

void give_thread(Member& member) {
  auto& parked = per_rank<Pool>().parked;
  if (parked.empty()) {
    member.thread = &make_thread(run_members, nullptr, 0, false);
    member.thread->member = &member;
    return;
  }
  // The same thread gets the same number again, as threadprivate variables need.
  const auto first = std::ranges::min_element(parked, {}, &RankThread::number);
  member.thread = *first;
  parked.erase(first);
  member.thread->member = &member;
  unpark_thread(*member.thread);
}

unsigned threads_of(const Member& creator, unsigned wanted) {
  if (static_cast<int>(creator.team->active_level) >= creator.control.max_active_levels) return 1;
  return std::max(1U, std::min(wanted == 0 ? creator.control.threads.front() : wanted, creator.control.thread_limit));
}

void add_constructs(Team& team, const Share* first) {
  if (first == nullptr) return;
  Share& share = team.shares[0] = *first;
  for (Member* member : team.members) {
    member->construct = 1;
    member->share = &share;
  }
}

// Begins to follow the order of the threads, if that is possible.
void follow_team(const Team& team) {
  if (!can_follow_threads()) return report_outcomes_left_out("teams of OpenMP, whose threads run in one fixed order");
  ThreadOrder& order = per_rank<ThreadOrder>();
  if (team.active_level > 1) return order.give_up("nested teams of OpenMP");
  std::vector<ThreadNumber> numbers;
  for (const Member* member : team.members) numbers.push_back(member->thread->number);
  order.begin(numbers);
}

bool can_be_followed(const Team& team) { return team.size() > 1 && team.active_level == 1; }

}  // namespace

const Control& initial_control() {
  Pool& pool = per_rank<Pool>();
  if (!pool.is_known) {
    pool.is_known = true;
    read_environment(pool.initial);
  }
  return pool.initial;
}

Member& self() {
  RankThread& thread = running_thread();
  if (thread.member == nullptr) {
    auto* member = new Member;
    member->team = new Team;
    member->team->members.push_back(member);
    member->control = initial_control();
    member->task = std::make_shared<Task>();
    member->thread = &thread;
    thread.member = member;
  }
  return *static_cast<Member*>(thread.member);
}

void begin_team(void (*function)(void*), void* argument, unsigned threads, const Share* first) {
  pass_code_time();
  const LibraryCode not_measured;
  Member& creator = self();
  const unsigned size = threads_of(creator, threads);
  auto* team = new Team;
  team->level = creator.team->level + 1;
  team->active_level = creator.team->active_level + (size > 1 ? 1 : 0);
  for (unsigned number = 0; number < size; ++number) {
    Member* member = make_member(*team, creator, number);
    member->parent = &creator;
    member->function = function;
    member->argument = argument;
  }
  add_constructs(*team, first);
  Member& master = *team->members.front();
  master.outer = &creator;
  master.thread = creator.thread;
  for (unsigned number = 1; number < size; ++number) give_thread(*team->members[number]);
  creator.thread->member = &master;
  if (size > 1) follow_team(*team);
}

// The other members leave their last barrier when the first one does, and do not use the team after that.
void end_team() {
  Member& master = self();
  Team* team = master.team;
  barrier();
  const LibraryCode not_measured;
  Member* creator = master.outer;
  running_thread().member = creator;
  while (std::ranges::any_of(team->members, [&](const Member* member) {
    return member->number != 0 && member->thread->member == member;
  }))
    if (!yield_thread()) internal_error(__FILE__, __LINE__, "yield_thread()", "a member of a team is lost");
  if (can_be_followed(*team))
    if (ThreadOrder* order = followed_order(); order != nullptr) order->end();
  for (const Member* member : team->members) delete member;
  delete team;
}

void run_team(void (*function)(void*), void* argument, unsigned threads, const Share* first) {
  begin_team(function, argument, threads, first);
  function(argument);
  end_team();
}

void barrier() {
  pass_code_time();
  Member& member = self();
  Team& team = *member.team;
  const std::uint64_t round = team.round;
  const void* const object = team.barrier_object();
  release_to(object);
  ++team.arrived;
  while (team.round == round) {
    while (run_task(nullptr)) {
    }
    if (team.round != round) break;
    if (team.arrived == team.size() && team.tasks == 0) {
      team.arrived = 0;
      ++team.round;
      if (ThreadOrder* order = followed_order(); order != nullptr && can_be_followed(team)) order->forget_accesses();
      wake(&team);
      break;
    }
    wait_for({.object = &team, .function = "a barrier of OpenMP"});
  }
  acquire_from(object);
  member.task->uses.clear();  // of complete tasks
}

namespace {

void parallel(void (*function)(void*), void* argument, unsigned threads, unsigned) {
  run_team(function, argument, threads);
}

void parallel_start(void (*function)(void*), void* argument, unsigned threads) {
  begin_team(function, argument, threads);
}

bool never_cancelled(int, bool) { return false; }
bool never_cancelled_here(int) { return false; }

bool barrier_of_cancellable() {
  barrier();
  return false;
}

// Lets the exploration choose who takes it.
Share& enter_single() {
  pass_code_time();
  Share& share = enter_construct({});
  if (ThreadOrder* order = followed_order(); order != nullptr && self().team->size() > 1)
    order->choose_taker([&share] { return !share.is_taken; });
  return share;
}

bool start_single() {
  Share& share = enter_single();
  const bool is_first = !share.is_taken;
  share.is_taken = true;
  leave_construct();
  return is_first;
}

// The first member returns null and calls the end, with the data for the others.
void* start_single_copy() {
  Share& share = enter_single();
  if (!share.is_taken) {
    share.is_taken = true;
    return nullptr;
  }
  barrier();
  void* data = share.copied;
  barrier();
  leave_construct();
  return data;
}

void end_single_copy(void* data) {
  self().share->copied = data;
  barrier();
  barrier();
  leave_construct();
}

}  // namespace

InterposerList team_names() {
  return {{"GOMP_parallel", function_address(parallel)},
          {"GOMP_parallel_start", function_address(parallel_start)},
          {"GOMP_parallel_end", function_address(end_team)},
          {"GOMP_barrier", function_address(barrier)},
          {"GOMP_barrier_cancel", function_address(barrier_of_cancellable)},
          {"GOMP_cancel", function_address(never_cancelled)},
          {"GOMP_cancellation_point", function_address(never_cancelled_here)},
          {"GOMP_single_start", function_address(start_single)},
          {"GOMP_single_copy_start", function_address(start_single_copy)},
          {"GOMP_single_copy_end", function_address(end_single_copy)}};
}

}  // namespace rehearse::smpi::openmp

namespace rehearse::smpi {

InterposerList openmp_interposers() {
  InterposerList all;
  for (const auto list : {openmp::team_names, openmp::loop_names, openmp::task_names, openmp::library_names,
                          openmp::lock_names, openmp::refused_names})
    for (const auto& entry : list()) all.push_back(entry);
  return all;
}

}  // namespace rehearse::smpi
