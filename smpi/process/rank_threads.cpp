// SPDX-License-Identifier: MIT
//
// See rank_threads.hpp. The memory of a thread is one block of the rank's heap: a mark that shows an overflow, the
// stack, the thread-local block.
#include "smpi/process/rank_threads.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "simcore/application_meter.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/page.hpp"
#include "smpi/buffers/watched.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/thread_waits.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint64_t stack_mark = 0x5265686561727365;
constexpr std::size_t mark_words = 64;
constexpr std::size_t below_stack_bytes = std::size_t{1} << 20;  // room for an overflow, until the next switch
constexpr std::uint32_t idling_until_yield = 64;

RankThreads& threads() { return per_rank<RankThreads>(); }

// ---- Memory

std::size_t block_bytes(const RankWorld& world) {
  const ThreadTemplate& thread = *world.thread_template;
  return (thread.below() + page_bytes + thread.control_bytes() + thread.vector_bytes() + 2 * page_bytes) / page_bytes *
         page_bytes;
}

// The stack ends where the thread-local block begins. All stacks of a rank have one size, so that they can be reused.
void take_memory(RankThread& thread, std::size_t stack_bytes) {
  RankThreads& all = threads();
  const RankWorld& world = *thread.rank->world;
  const std::size_t usual = (world.spec.stack_bytes + page_bytes - 1) / page_bytes * page_bytes;
  const std::size_t stack = std::max(usual, (stack_bytes + page_bytes - 1) / page_bytes * page_bytes);
  thread.has_usual_stack = stack == usual;
  if (thread.has_usual_stack && !all.spare.empty()) {
    thread.memory = all.spare.back();
    all.spare.pop_back();
  } else {
    thread.memory =
        static_cast<std::byte*>(std::aligned_alloc(page_bytes, below_stack_bytes + stack + block_bytes(world)));
    if (thread.memory == nullptr) fail_rank(FailureKind::crash, "crash.memory", "the memory is used up");
  }
  std::byte* mark = thread.memory + below_stack_bytes;
  for (std::size_t i = 0; i < mark_words; ++i) reinterpret_cast<std::uint64_t*>(mark)[i] = stack_mark;
  thread.fiber.stack = {mark + mark_words * sizeof(std::uint64_t), mark + stack};
}

void write_block(RankThread& thread) {
  const RankState& rank = *thread.rank;
  const ThreadTemplate& made = *rank.world->thread_template;
  const auto lowest = reinterpret_cast<std::uintptr_t>(thread.fiber.stack.top) + made.below();
  const std::uintptr_t page = (lowest - made.page_phase() + page_bytes - 1) / page_bytes * page_bytes;
  thread.thread_pointer = reinterpret_cast<std::byte*>(page + made.page_phase());
  const auto vector = (reinterpret_cast<std::uintptr_t>(thread.thread_pointer) + made.control_bytes() + 15) / 16 * 16;
  made.make(thread.thread_pointer, reinterpret_cast<std::byte*>(vector));
  std::memset(thread.thread_pointer - made.reserve_begin(), 0, made.reserve_begin());
  Scope images = program_scope(rank.world->images);
  if (rank.plugins != nullptr)
    for (const OpenPlugin& plugin : *rank.plugins) images.push_back(plugin.image);
  for (const Image* image : images) {
    if (image->tls_below == 0) continue;
    const Segment& segment = *image->file->tls();
    std::memcpy(thread.thread_pointer - image->tls_below, rank.base + image->offset + segment.address,
                segment.file_bytes);
  }
}

bool is_intact(const RankThread& thread) {
  if (thread.memory == nullptr) return true;
  const auto* words = reinterpret_cast<const std::uint64_t*>(thread.memory + below_stack_bytes);
  return std::all_of(words, words + mark_words, [](std::uint64_t word) { return word == stack_mark; });
}

// ---- Switches

[[gnu::noinline]] void keep_watched(const Watched& kept) { watched = kept; }

// The set of watched memory belongs to the rank, but is in the storage of the running thread.
[[gnu::noinline]] void change_stack(RankThreads& all, RankThread& from, RankThread& to) {
  const Watched kept = watched;
  all.thread_pointer.set(to.thread_pointer);
  keep_watched(kept);
  switch_fiber(from.fiber, to.fiber);
}

void switch_to(RankThread& to) {
  RankThreads& all = threads();
  RankThread& from = *all.all[all.running];
  if (!is_intact(from))
    fail_rank(FailureKind::crash, "crash.stack_overflow",
              fmt::format("stack overflow: the stack of thread {} is used up", from.number));
  to.status = ThreadStatus::running;
  all.idled = 0;
  ++all.switches;
  all.activity += to.wait.polls ? 0 : 1;
  if (&to == &from) return;
  RankState& rank = *to.rank;
  from.handlers = std::exchange(rank.thread_handlers, to.handlers);
  from.values = std::exchange(rank.thread_values, to.values);
  rank.thread_pointer = to.thread_pointer;
  rank.thread_stack = to.fiber.stack;
  switch_thread(to.number);
  change_stack(all, from, to);
}

void run_body(RankThread* thread) {
  begin_application(thread->rank->context);
  end_thread(thread->function(thread->argument));
}

// Unwinders stop at the return address 0.
[[noreturn]] void begin_body(RankThread& thread) {
  auto* top = reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(thread.fiber.stack.top) / 16 * 16);
  asm volatile("movq %0, %%rsp\n\t"
               "xorl %%ebp, %%ebp\n\t"
               "pushq $0\n\t"
               "jmp *%1"
               :
               : "r"(top), "r"(&run_body), "D"(&thread)
               : "memory");
  __builtin_unreachable();
}

static_assert(offsetof(RankThread, fiber) == 0);

void begin_thread(Fiber& fiber) {
  auto& thread = reinterpret_cast<RankThread&>(fiber);
  RankState& rank = *thread.rank;
  set_current_context(&rank.context);
  set_running_rank(&rank);
  set_rank_heap(rank.heap, rank.world->spec.folding, rank.world->spec.merging);
  errno = 0;
  begin_body(thread);
}

// ---- The rule

std::string text_of_wait(const RankThread& thread) {
  std::string text = fmt::format("thread {} in {}", thread.number, thread.wait.function);
  if (thread.wait.place == nullptr) return text;
  const Frame frame = find_source(static_cast<const std::byte*>(thread.wait.place) - 1);
  return frame.file.empty() ? text : fmt::format("{} at {}:{}", text, frame.file, frame.line);
}

[[noreturn]] void report_deadlock() {
  std::string text = "all threads of the rank wait for each other";
  std::size_t waiting = 0;
  for (const RankThread* thread : threads().all) {
    if (thread->status != ThreadStatus::waiting) continue;
    text += (waiting++ == 0 ? ": " : ", ") + text_of_wait(*thread);
  }
  if (waiting == 1) text.replace(0, text.find(':'), "the rank's only active thread waits, and nothing can wake it");
  fail_rank(FailureKind::misuse, "thread.deadlock", text);
}

// That wakes up first; null: none sleeps.
RankThread* first_sleeper() {
  RankThread* first = nullptr;
  for (RankThread* thread : threads().all) {
    if (thread->status != ThreadStatus::waiting || std::isinf(thread->wait.until)) continue;
    if (first == nullptr || thread->wait.until < first->wait.until) first = thread;
  }
  return first;
}

RankThread* take_sleeper() {
  RankThread* first = first_sleeper();
  if (first == nullptr) return nullptr;
  first->now.sleep_until(first->wait.until);
  first->is_late = true;
  return first;
}

// Runs the next thread. The running one is not `running` any more.
void run_next() {
  RankThreads& all = threads();
  if (all.apart && all.ready.empty() && !await_threads()) report_deadlock();
  if (!all.ready.empty()) {
    RankThread& next = *all.all[all.ready.front()];
    all.ready.pop_front();
    switch_to(next);
  } else if (RankThread* sleeper = take_sleeper()) {
    switch_to(*sleeper);
  } else {
    report_deadlock();
  }
}

void make_ready(RankThread& thread) { make_thread_ready(thread); }

// The code of threads that wait apart passes later.
void book(RankThread& thread) {
  ApplicationMeter* meter = thread.rank->context.meter;
  if (!threads().apart) threads().clock.book(thread.now, meter);
  else if (meter != nullptr) thread.code_seconds += meter->take();
}

void book_running() {
  RankThreads& all = threads();
  if (all.all.size() >= 2) book(*all.all[all.running]);
}

// ---- Operations

Duration duration_of(double seconds) { return Duration{static_cast<std::int64_t>(seconds * 1e12 + 0.5)}; }

// Tells the driver how far the rank's time is now: sleep and stated volumes as such, the rest as measured code.
void bring_up_to_date(ActorContext& context) {
  RankThreads& all = threads();
  book_running();
  const ThreadMoment& now = all.all[all.running]->now;
  ThreadMoment& known = all.clock.rank;
  const double passed = now.total - known.total;
  if (passed <= 0) return;
  const double slept = std::clamp(now.slept - known.slept, 0.0, passed);
  const double rest = passed - slept;
  const double stated = context.meter == nullptr ? rest : std::clamp(now.stated - known.stated, 0.0, rest);
  known = now;
  const auto before = std::exchange(context.before_asking, nullptr);
  if (context.meter != nullptr) context.meter->add(rest - stated);
  if (slept > 0) ask(Sleep{duration_of(slept)});
  if (stated > 0) ask(Compute{stated * this_rank().world->spec.rates.flops_per_second});
  context.before_asking = before;
}

constexpr Observation nothing_known;

const Observation* before_asking(ActorContext& context, const Operation& operation) {
  const auto* volume = std::get_if<Compute>(&operation);
  if (volume != nullptr && volume->flops > 0) {
    threads().clock.stated += volume->flops / this_rank().world->spec.rates.flops_per_second;
    return &nothing_known;
  }
  bring_up_to_date(context);
  return nullptr;
}

// On the clock of the running thread.
double moment_now() { return threads().apart ? date_of_driver() : running_thread().now.total; }

// Whether the function starts threads of a team that is not ours.
bool makes_teams(const RankState& rank, const void* function) {
  if (!rank.covers(function)) return true;  // a function of a library that the ranks share
  const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(function) - rank.base);
  const Image* image = rank.world->images.find(offset);
  if (image == nullptr) return false;
  const std::string& path = image->file->path();
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.starts_with("libgomp") || name.starts_with("libomp") || name.starts_with("libiomp");
}

}  // namespace

void make_thread_ready(RankThread& thread) {
  thread.status = ThreadStatus::ready;
  threads().ready.push_back(thread.number);
}

void bring_up_to_date() { bring_up_to_date(this_rank().context); }

bool has_threads() {
  const RankThreads* known = find_per_rank<RankThreads>();
  return known != nullptr && known->all.size() > 1;
}

bool has_threads(const void* slot) {
  const auto* known = find_per_rank<RankThreads>(slot);
  return known != nullptr && known->all.size() > 1;
}

const std::byte* main_stack_pointer(const RankState& rank) {
  const auto* known = find_per_rank<RankThreads>(rank.context.identity.slot);
  if (known == nullptr || known->running == 0) return stack_pointer(rank.context);
  return static_cast<const std::byte*>(known->all.front()->fiber.context);
}

void refuse_teams(const void* function) {
  if (makes_teams(this_rank(), function))
    fail_rank(FailureKind::unsupported, "unsupported.function",
              "pthread_create (threads of a team of a runtime library other than GCC's OpenMP)");
}

RankThread& running_thread() {
  RankThreads& all = threads();
  if (all.all.empty()) {
    auto* main = new RankThread;
    RankState& rank = this_rank();
    main->rank = &rank;
    main->thread_pointer = rank.thread_pointer;
    all.all.push_back(main);
    all.clock.cores.assign(std::max(1U, rank.world->spec.nodes.cores_of(rank.context.identity.id.value)), 0.0);
  }
  return *all.all[all.running];
}

RankThread& make_thread(void* (*function)(void*), void* argument, std::size_t stack_bytes, bool runs_now) {
  RankThread& creator = running_thread();
  RankThreads& all = threads();
  const LibraryCode not_measured;
  if (all.apart && all.all.size() == 1) date_of_driver();  // the driver counts the code of a single thread itself
  creator.rank->context.before_asking = all.apart ? ask_of_thread : before_asking;
  book(creator);
  auto* thread = new RankThread;  // kept for a join
  thread->rank = creator.rank;
  thread->number = static_cast<ThreadNumber>(all.all.size());
  thread->function = function;
  thread->argument = argument;
  thread->now = creator.now;
  take_memory(*thread, stack_bytes);
  write_block(*thread);
  prepare(thread->fiber, begin_thread);
  all.all.push_back(thread);
  ++all.alive;
  thread->status = ThreadStatus::ready;
  if (!runs_now) all.ready.push_back(thread->number);
  return *thread;
}

void start_thread(RankThread& thread) {
  const LibraryCode not_measured;
  make_ready(running_thread());
  switch_to(thread);
}

void end_thread(void* result) {
  call_thread_handlers();
  call_key_destructors();
  pass_code_time();
  RankThread& self = running_thread();
  if (ApplicationMeter* meter = self.rank->context.meter) meter->pause();
  RankThreads& all = threads();
  book_running();
  if (self.number == 0) {
    while (all.alive > 0) wait_for({.object = &all.alive, .function = "pthread_exit"});
    exit_rank(0);
  }
  self.result = result;
  self.status = ThreadStatus::over;
  std::free(self.rank->thread_values);
  self.rank->thread_values = nullptr;
  if (self.has_usual_stack) all.spare.push_back(self.memory);
  wake(&self);
  if (--all.alive == 0) wake(&all.alive);
  run_next();
  internal_error(__FILE__, __LINE__, "run_next()", "a thread that is over was resumed");
}

bool wait_for(const ThreadWait& wait) {
  const LibraryCode not_measured;
  RankThread& self = running_thread();
  if (!has_threads() && !std::isinf(wait.until)) {
    ask(Sleep{duration_of(wait.until - moment_now())});
    return false;
  }
  book_running();
  self.wait = wait;
  if (!wait.polls) self.polls = {};
  self.turn = ++threads().turns;
  self.is_late = false;
  self.status = ThreadStatus::waiting;
  run_next();
  return !self.is_late;
}

bool is_awaited(const void* object) {
  const RankThreads* all = find_per_rank<RankThreads>();
  return all != nullptr && std::ranges::any_of(all->all, [object](const RankThread* thread) {
           return thread->status == ThreadStatus::waiting && thread->wait.object == object;
         });
}

void wake(const void* object, std::size_t most) {
  RankThreads* all = find_per_rank<RankThreads>();
  if (all == nullptr || all->all.size() < 2) return;
  std::vector<RankThread*> woken;
  for (RankThread* thread : all->all)
    if (thread->status == ThreadStatus::waiting && thread->wait.object == object) woken.push_back(thread);
  if (woken.empty()) return;
  std::ranges::sort(woken, {}, &RankThread::turn);
  const LibraryCode not_measured;
  book_running();
  for (std::size_t i = 0; i < std::min(most, woken.size()); ++i) {
    woken[i]->now.reach(all->all[all->running]->now);
    make_ready(*woken[i]);
  }
}

bool yield_thread() {
  if (!has_threads()) return false;
  const LibraryCode not_measured;
  RankThreads& all = threads();
  RankThread& self = running_thread();
  book_running();
  if (!all.ready.empty()) {
    make_ready(self);
    run_next();
    return true;
  }
  if (all.apart) return doze();
  RankThread* sleeper = take_sleeper();
  if (sleeper == nullptr) return false;
  make_ready(self);
  switch_to(*sleeper);
  return true;
}

void park_thread() {
  const LibraryCode not_measured;
  RankThread& self = running_thread();
  book_running();
  self.status = ThreadStatus::parked;
  --threads().alive;
  run_next();
}

void unpark_thread(RankThread& thread) {
  const LibraryCode not_measured;
  book_running();
  thread.now.reach(running_thread().now);
  ++threads().alive;
  make_ready(thread);
}

bool others_can_run() {
  const RankThreads* all = find_per_rank<RankThreads>();
  return all != nullptr && std::ranges::any_of(all->all, [all](const RankThread* thread) {
           return thread->number != all->running && thread->can_run();
         });
}

bool others_could_run() {
  const RankThreads* all = find_per_rank<RankThreads>();
  return all != nullptr && std::ranges::any_of(all->all, [all](const RankThread* thread) {
           const bool asks = thread->status == ThreadStatus::waiting && thread->wait.question != nullptr;
           return thread->number != all->running && (thread->can_run() || asks);
         });
}

void give_way() {
  const LibraryCode not_measured;
  RankThreads& all = threads();
  if (all.apart) return give_way_apart();
  book_running();
  RankThread& self = running_thread();
  const bool takes_time = self.rank->context.meter != nullptr;
  const auto is_no_later = [&](ThreadNumber number) {
    return !takes_time || all.all[number]->now.total <= self.now.total;
  };
  const auto next = std::ranges::find_if(all.ready, is_no_later);
  RankThread* thread = nullptr;
  if (next != all.ready.end()) {
    thread = all.all[*next];
    all.ready.erase(next);
  } else if (const RankThread* sleeper = first_sleeper();
             sleeper != nullptr && (!takes_time || sleeper->wait.until <= self.now.total)) {
    thread = take_sleeper();
  }
  if (thread == nullptr) return;
  if (!takes_time) self.now.reach(thread->now);
  make_ready(self);
  switch_to(*thread);
}

bool sleep_thread(double seconds) {
  if (!has_threads()) return false;
  const LibraryCode not_measured;
  book_running();
  pass_code_time(true);
  wait_for({.function = "a sleep", .until = moment_now() + std::max(seconds, 0.0)});
  return true;
}

double moment_in(double seconds) {
  const LibraryCode not_measured;
  book_running();
  return moment_now() + std::max(seconds, 0.0);
}

void note_idling() {
  RankThreads* all = find_per_rank<RankThreads>();
  if (all == nullptr || all->all.size() < 2) return;
  pass_code_time();
  if (++all->idled < idling_until_yield) return;
  all->idled = 0;
  if (all->apart && all->ready.empty()) doze_briefly();
  else yield_thread();
}

}  // namespace rehearse::smpi
