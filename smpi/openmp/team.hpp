// SPDX-License-Identifier: MIT
//
// The OpenMP runtime of the ranks: teams of cooperative threads, for the names that GCC's compilers call (GOMP_*) and
// the functions of omp.h. It takes the place of libgomp.
//
// Order:     the members of a team run in the order of their numbers, the first one at once, each until it waits for
//            others (rank_threads.hpp). Chunks of dynamic and guided loops, sections and tasks go round.
// Reports:   a rank with a team of several threads: other orders are left out (unsupported.outcomes), unless an
//            exploration can follow them (smpi/process/thread_order.hpp).
// Errors:    a name that is not here ends the rank as unsupported when it is called (refused_names.cpp).
// Ownership: in the rank's memory, rolled back with it.
// Source:    OpenMP 5.0; the calling conventions are those of the code that GCC 12 emits.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "smpi/process/interposers.hpp"
#include "smpi/process/rank_threads.hpp"

namespace rehearse::smpi::openmp {

enum class Schedule : int { static_chunks = 1, dynamic = 2, guided = 3, automatic = 4 };

struct Control {
  std::vector<unsigned> threads{1};  // OMP_NUM_THREADS, by level
  Schedule schedule = Schedule::dynamic;
  int chunk = 1;
  unsigned thread_limit = ~0U;
  int max_active_levels = 1;
  bool may_adjust = false;  // the value of omp_get_dynamic(), which has no other effect
};

struct Group;

// A task, explicit or implicit.
struct Task {
  void (*function)(void*) = nullptr;
  std::vector<std::uint64_t> data;  // a copy of the arguments, with room to align them
  void* argument = nullptr;
  std::shared_ptr<Task> parent;
  Group* group = nullptr;  // that it belongs to; null: none
  unsigned children = 0;   // that are not complete
  unsigned blockers = 0;   // earlier tasks that it depends on
  bool is_final = false;
  bool is_complete = false;
  std::vector<std::shared_ptr<Task>> followers;  // tasks that depend on it

  // The last tasks among its children that wrote and read an address.
  struct Uses {
    std::shared_ptr<Task> writer;
    std::vector<std::shared_ptr<Task>> readers;
  };
  std::unordered_map<const void*, Uses> uses;
};

struct Group {
  Group* outer = nullptr;
  unsigned tasks = 0;  // that are not complete
};

// A loop, sections or single construct that the members of a team share. Iterations have numbers from 0 on.
struct Share {
  Schedule schedule = Schedule::static_chunks;
  bool is_ordered = false;
  std::uint64_t start = 0, end = 0, step = 1;
  std::uint64_t count = 0, next = 0, chunk = 0;
  std::uint64_t chunks = 0;  // number of chunks given out
  std::uint64_t turn = 0;    // chunk whose ordered regions may run
  std::vector<bool> passed;  // by chunk: complete
  unsigned left = 0;         // members that have left the construct
  bool is_taken = false;     // a single construct
  void* copied = nullptr;    // data of `single copyprivate`
};

struct Member;

struct Team {
  std::vector<Member*> members;
  std::map<std::uint64_t, Share> shares;  // by number of the construct
  std::deque<std::shared_ptr<Task>> ready;
  unsigned tasks = 0;  // that are not complete
  unsigned arrived = 0;
  std::uint64_t round = 0;  // of its barriers
  unsigned level = 0;       // of nesting
  unsigned active_level = 0;

  unsigned size() const { return static_cast<unsigned>(members.size()); }
  // What stands for this barrier in the order of threads. A member that leaves one may be late: others may have reached
  // the next one, but none the one after that.
  const void* barrier_object() const { return round % 2 == 0 ? static_cast<const void*>(&arrived) : &round; }
};

// A thread in a team.
struct Member {
  Team* team = nullptr;
  unsigned number = 0;
  Member* outer = nullptr;   // of the same thread, in the enclosing team
  Member* parent = nullptr;  // that began the parallel region
  RankThread* thread = nullptr;
  std::uint64_t construct = 0;  // number of the next one
  Share* share = nullptr;       // the present one
  std::uint64_t trip = 0;       // of a static loop
  std::uint64_t chunk = 0;      // that it works on, in an ordered loop
  bool has_chunk = false;
  std::shared_ptr<Task> task;
  Control control;
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
};

// The member that the running thread is; outside of parallel regions, of a team of one.
Member& self();
// What a thread starts with, from the rank's environment.
const Control& initial_control();

// Runs the function in all members of a new team; `prepare` may add its first construct.
void run_team(void (*function)(void*), void* argument, unsigned threads, const Share* first = nullptr);
void begin_team(void (*function)(void*), void* argument, unsigned threads, const Share* first = nullptr);
void end_team();

// Waits for all members of the team, and for all its tasks.
void barrier();

// The next construct of the running member, with `first` as its state if it is the first one there.
Share& enter_construct(const Share& first);
void leave_construct();

// Runs one task that may run here; false: there is none. `below`: only descendants of this task.
bool run_task(const Task* below);

// Reads OMP_SCHEDULE: "kind[,chunk]", with a modifier. False: it means nothing.
bool read_schedule(const char* text, Schedule& kind, int& chunk);

InterposerList team_names();
InterposerList loop_names();
InterposerList task_names();
InterposerList library_names();  // omp_*
InterposerList lock_names();
InterposerList refused_names();

}  // namespace rehearse::smpi::openmp

namespace rehearse::smpi {

// All of the above; they replace the functions of libgomp.
InterposerList openmp_interposers();

}  // namespace rehearse::smpi
