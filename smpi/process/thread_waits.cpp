// SPDX-License-Identifier: MIT
//
// See thread_waits.hpp.
#include "smpi/process/thread_waits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "simcore/actor_context.hpp"
#include "simcore/application_meter.hpp"
#include "smpi/library.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/rank_state.hpp"
#include "smpi/process/rank_threads.hpp"

namespace rehearse::smpi {
namespace {

constexpr double shortest_code = 1e-6;                // in seconds: less passes with the code after it
constexpr double loop_of_polls = 2e-7;                // between two polls without success: the loop itself
constexpr double loop_of_sleeper = 5e-6;              // the same after a sleep, when nothing is in the caches
constexpr double longest_interruption = 2e-4;         // of a loop, by the system
constexpr std::uint32_t polls_per_interruption = 64;  // at least, on average
constexpr std::uint32_t free_polls = 16;              // before a thread sleeps
constexpr std::uint32_t plain_looks = 4096;
constexpr double parts_of_row = 16;
constexpr double shortest_doze = 1e-7, longest_doze = 1;
constexpr double longest_look = 1e-3;
constexpr double brief_doze = 1e-6;        // about what the locks take that lead to it
constexpr double half_picosecond = 5e-13;  // dates are whole picoseconds
constexpr double no_limit = std::numeric_limits<double>::infinity();

constexpr Observation empty_answer;
constexpr Observation no_answer = [] {
  Observation answer;
  answer.flag = false;
  return answer;
}();

RankThreads& own_threads() { return per_rank<RankThreads>(); }

// Past the hook, which converts the operations of threads.
const Observation& ask_driver(const Operation& operation) {
  ActorContext& context = this_rank().context;
  const auto before = std::exchange(context.before_asking, nullptr);
  const Observation& answer = ask(operation);
  context.before_asking = before;
  return answer;
}

bool is_yes_now(const Awaited& question) {
  return !ask_driver(Await{std::span(&question, 1), Duration{}}).completions.empty();
}

// Others may have taken what was there when the thread woke up, so callers that need it ask again.
void wait_in_driver(const Awaited& question, std::string_view function) {
  if (is_yes_now(question)) running_thread().polls = {};
  else wait_for({.function = function, .question = &question});
}

const Observation& take_completion(const RequestId& request, std::string_view function) {
  const std::span<const RequestId> one(&request, 1);
  const Awaited question{.requests = one};
  wait_in_driver(question, function);
  return ask_driver(Observe{one, Quantifier::all, false});
}

// ---- Polls

double next_doze(const ThreadPolls& row, double now) {
  return std::clamp((now - row.began) / parts_of_row, shortest_doze, longest_doze);
}

void count_poll(ThreadPolls& row) {
  if (row.rounds++ == 0) row.began = date_of_driver();
}

void doze_on(const Awaited* question, double until) {
  RankThread& self = running_thread();
  self.seen_activity = own_threads().activity;
  wait_for({.function = "a poll", .until = until, .question = question, .polls = true});
  self.wait.question = nullptr;
}

// The running thread takes the completions of these requests: who polls for one of them must not ask about it again.
void withdraw_questions(std::span<const RequestId> taken) {
  RankThreads& all = own_threads();
  for (RankThread* thread : all.all) {
    const bool is_waiting = thread->status == ThreadStatus::waiting;
    if (!is_waiting && thread->status != ThreadStatus::ready) continue;
    if (!thread->wait.polls || thread->wait.question == nullptr) continue;
    const std::span<const RequestId> theirs = thread->wait.question->requests;
    const auto is_taken = [&](const RequestId& request) { return std::ranges::find(taken, request) != taken.end(); };
    if (std::ranges::none_of(theirs, is_taken)) continue;
    thread->wait.question = nullptr;
    thread->is_overtaken = true;
    if (is_waiting) make_thread_ready(*thread);
  }
}

// Null: the answer is yes, and the driver shall give it.
const Observation* poll(const Awaited& question) {
  ThreadPolls& row = running_thread().polls;
  if (!is_yes_now(question)) {
    count_poll(row);
    if (row.rounds <= free_polls) return &no_answer;
    if (row.reads_clock) {
      const double now = date_of_driver();
      doze_on(&question, now + next_doze(row, now));
    } else {
      doze_on(&question, no_limit);
    }
    if (std::exchange(running_thread().is_overtaken, false)) return &no_answer;
    if (!is_yes_now(question)) return &no_answer;
  }
  withdraw_questions(question.requests);
  row = {};
  return nullptr;
}

bool others_wait_for_driver() {
  const RankThreads& all = own_threads();
  return std::ranges::any_of(all.all, [&](const RankThread* thread) {
    return thread->number != all.running && thread->status == ThreadStatus::waiting &&
           (thread->wait.question != nullptr || thread->wait.until < no_limit);
  });
}

// ---- The operations of a thread

struct OfThread {
  template <class Start>
  const Observation& start(const Start& blocking, std::string_view function) const {
    running_thread().polls = {};
    Operation started = blocking;
    auto& own = std::get<Start>(started);
    own.blocking = false;
    if constexpr (requires { own.places; }) own.places = {};
    if constexpr (requires { own.of_blocking_call; }) own.of_blocking_call = true;
    const RequestId request = own.request;
    ask_driver(started);
    return take_completion(request, function);
  }

  const Observation* operator()(const Send& send) const { return send.blocking ? &start(send, "a send") : nullptr; }
  const Observation* operator()(const Post& post) const { return post.blocking ? &start(post, "a receive") : nullptr; }
  const Observation* operator()(const RemoteAccess& access) const {
    return access.blocking ? &start(access, "an access to a window") : nullptr;
  }
  const Observation* operator()(const StorageAccess& access) const {
    return access.blocking ? &start(access, "an access to a file") : nullptr;
  }
  const Observation* operator()(const Collective& collective) const {
    if (!collective.blocking) return nullptr;
    const Completion& end = start(collective, "a collective").completions.front();
    Observation& answer = running_thread().answer;
    answer = {};
    answer.contributions = end.contributions;
    answer.shared = end.shared;
    answer.remarks = end.remarks;
    return &answer;
  }
  const Observation* operator()(const Observe& observe) const {
    if (observe.withdraws) return nullptr;
    const Awaited question{.requests = observe.requests, .quantifier = observe.quantifier};
    if (!observe.blocking) return poll(question);
    wait_in_driver(question, "a wait");
    withdraw_questions(observe.requests);
    Observe now = observe;
    now.blocking = false;
    return &ask_driver(now);
  }
  const Observation* operator()(const Probe& probe) const {
    const Awaited question{.probed = probe.pattern};
    if (!probe.blocking) return poll(question);
    Probe now = probe;
    now.blocking = false;
    do wait_in_driver(question, "a probe");
    while (!is_yes_now(question));
    return &ask_driver(now);
  }
  const Observation* operator()(const Settle&) const {
    wait_in_driver({.settles = true}, "a wait for accesses to windows");
    return nullptr;
  }
  const Observation* operator()(const Compute& compute) const {
    if (!(compute.flops > 0)) return nullptr;
    running_thread().stated_flops += compute.flops;
    pass_code_time();
    return &empty_answer;
  }
  const Observation* operator()(const Sleep& sleep) const {
    wait_for({.function = "a sleep", .until = date_of_driver() + sleep.duration.seconds()});
    return &empty_answer;
  }
  // The thread may wait for a date.
  const Observation* operator()(const Clock&) const {
    pass_code_time(true);
    ThreadPolls& row = running_thread().polls;
    if (row.rounds > 0) row.reads_clock = true;
    if (row.looks++ == 0) row.looks_began = date_of_driver();
    if (row.looks <= plain_looks || !others_wait_for_driver()) return nullptr;
    const double now = date_of_driver();
    doze_on(nullptr, now + std::clamp((now - row.looks_began) / parts_of_row, shortest_doze, longest_look));
    return &ask_driver(Clock{Duration{}});
  }
  template <class Other>
  const Observation* operator()(const Other&) const {
    return nullptr;
  }
};

// ---- Sleeping

// Those who poll look again after others have run.
bool wake_pollers() {
  RankThreads& all = own_threads();
  bool is_woken = false;
  for (RankThread* thread : all.all) {
    if (thread->status != ThreadStatus::waiting || !thread->wait.polls || thread->seen_activity == all.activity)
      continue;
    make_thread_ready(*thread);
    is_woken = true;
  }
  return is_woken;
}

struct Sleepers {
  std::vector<Awaited> questions;
  std::vector<RankThread*> askers;  // of these questions
  double until = no_limit;
  bool polls = false;
};

Sleepers find_sleepers() {
  Sleepers found;
  for (RankThread* thread : own_threads().all) {
    if (thread->status != ThreadStatus::waiting) continue;
    found.until = std::min(found.until, thread->wait.until);
    if (thread->wait.question == nullptr) continue;
    found.questions.push_back(*thread->wait.question);
    found.askers.push_back(thread);
    found.polls |= thread->wait.polls;
  }
  return found;
}

// In the order of their dates.
void wake_late(double now) {
  std::vector<RankThread*> late;
  for (RankThread* thread : own_threads().all)
    if (thread->status == ThreadStatus::waiting && thread->wait.until <= now + half_picosecond) late.push_back(thread);
  std::ranges::stable_sort(late, {},
                           [](const RankThread* thread) { return std::pair(thread->wait.until, thread->turn); });
  for (RankThread* thread : late) {
    thread->is_late = true;
    make_thread_ready(*thread);
  }
}

// Something else of the rank has changed: whoever polls looks again.
void wake_askers_that_poll() {
  for (RankThread* thread : own_threads().all)
    if (thread->status == ThreadStatus::waiting && thread->wait.polls && thread->wait.question != nullptr)
      make_thread_ready(*thread);
}

}  // namespace

bool threads_wait_apart() {
  const RankThreads* all = find_per_rank<RankThreads>();
  return all != nullptr && all->apart;
}

void let_threads_wait_apart() {
  RankThreads& all = own_threads();
  if (all.apart) return;
  const double before = has_threads() ? moment_in(0) : 0;
  if (has_threads()) bring_up_to_date();
  all.apart = true;
  if (!has_threads()) return;
  this_rank().context.before_asking = ask_of_thread;
  const double now = date_of_driver();
  for (RankThread* thread : all.all)
    if (thread->status == ThreadStatus::waiting) thread->wait.until = now + std::max(thread->wait.until - before, 0.0);
}

namespace {

// Whether the code between two polls without success is only the loop, not work of the program. The system interrupts
// some polls of a long row: these are counted, and few may be.
bool counts_as_loop(ThreadPolls& row, double seconds) {
  if (row.rounds == 0) return false;
  if (seconds <= (row.rounds > free_polls ? loop_of_sleeper : loop_of_polls)) return true;
  if (seconds > longest_interruption || row.rounds / polls_per_interruption <= row.interruptions) return false;
  ++row.interruptions;
  return true;
}

void pass_time_of(RankThread& self, bool shown) {
  if (ApplicationMeter* meter = self.rank->context.meter) self.code_seconds += meter->take();
  if (counts_as_loop(self.polls, self.code_seconds)) self.code_seconds = 0;
  if (self.stated_flops <= 0 && self.code_seconds < (shown ? half_picosecond : shortest_code)) return;
  self.polls = {};
  const double flops = std::exchange(self.stated_flops, 0) +
                       std::exchange(self.code_seconds, 0) * self.rank->world->spec.rates.flops_per_second;
  const RequestId request{library().next_request++};
  ask_driver(Work{request, flops});
  take_completion(request, "its own code");
}

}  // namespace

void pass_code_time(bool shown) {
  RankThreads* all = find_per_rank<RankThreads>();
  if (all == nullptr || !all->apart || all->all.size() < 2) return;
  const LibraryCode not_measured;
  all->looped = 0;
  pass_time_of(running_thread(), shown);
}

const Observation* ask_of_thread(ActorContext&, const Operation& operation) {
  own_threads().looped = 0;
  return std::visit(OfThread{}, operation);
}

bool await_threads() {
  RankThreads& all = own_threads();
  while (all.ready.empty()) {
    if (wake_pollers()) return true;
    const Sleepers sleepers = find_sleepers();
    if (sleepers.questions.empty() && std::isinf(sleepers.until)) return false;
    Await await{sleepers.questions, {}, sleepers.polls};
    if (!std::isinf(sleepers.until))
      await.limit = Duration::from_seconds(std::max(sleepers.until - date_of_driver(), 0.0));
    const Observation& answer = ask_driver(await);
    for (const Completion& yes : answer.completions) make_thread_ready(*sleepers.askers[yes.index]);
    wake_late(answer.now.seconds());
    if (all.ready.empty()) wake_askers_that_poll();
  }
  return true;
}

bool doze() {
  if (!others_wait_for_driver()) return false;
  ThreadPolls& row = running_thread().polls;
  count_poll(row);
  if (row.rounds <= free_polls) return false;
  const double now = date_of_driver();
  doze_on(nullptr, now + next_doze(row, now));
  return true;
}

// With a meter, the code of the loop itself takes time.
void doze_briefly() {
  if (this_rank().context.meter != nullptr || !others_wait_for_driver()) return;
  doze_on(nullptr, date_of_driver() + brief_doze);
}

void give_way_apart() {
  if (this_rank().context.meter != nullptr) return pass_time_of(running_thread(), true);
  if (!own_threads().ready.empty()) {
    yield_thread();
    return;
  }
  if (!others_wait_for_driver()) return;
  ThreadPolls& row = running_thread().polls;
  count_poll(row);
  const double now = date_of_driver();
  doze_on(nullptr, now + std::min(next_doze(row, now), longest_look));
}

double date_of_driver() { return ask_driver(Await{{}, Duration{}}).now.seconds(); }

}  // namespace rehearse::smpi
