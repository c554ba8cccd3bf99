// SPDX-License-Identifier: MIT
//
// Worksharing: loops and sections.
//
// Arithmetic: bounds and steps are 64-bit words modulo 2^64, so that loops over signed and unsigned numbers are equal;
//             iterations are counted from 0.
// Order:      a member that asks for the next chunk of a dynamic or guided loop, or for the next section, lets the
//             others run first, so chunks go round.
#include <algorithm>

#include "smpi/openmp/team.hpp"
#include "smpi/process/thread_order.hpp"
#include "smpi/process/thread_waits.hpp"

namespace rehearse::smpi::openmp {
namespace {

struct Range {
  std::uint64_t begin = 0, end = 0;  // iterations
};

std::uint64_t iterations(std::int64_t start, std::int64_t end, std::int64_t step) {
  const auto difference = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(start);
  if (step > 0) return start >= end ? 0 : (difference - 1) / static_cast<std::uint64_t>(step) + 1;
  return start <= end ? 0 : (0 - difference - 1) / (0 - static_cast<std::uint64_t>(step)) + 1;
}

std::uint64_t iterations_unsigned(bool up, std::uint64_t start, std::uint64_t end, std::uint64_t step) {
  if (up) return start >= end ? 0 : (end - start - 1) / step + 1;
  return start <= end ? 0 : (start - end - 1) / (0 - step) + 1;
}

// `chunk` 0: the usual size for the schedule.
Share make_share(Schedule schedule, std::uint64_t chunk) {
  Share share;
  share.schedule = schedule == Schedule::automatic ? Schedule::static_chunks : schedule;
  share.chunk = share.schedule == Schedule::static_chunks ? chunk : std::max<std::uint64_t>(chunk, 1);
  return share;
}

Share loop(Schedule schedule, std::uint64_t chunk, std::int64_t start, std::int64_t end, std::int64_t step) {
  Share share = make_share(schedule, chunk);
  share.start = static_cast<std::uint64_t>(start);
  share.end = static_cast<std::uint64_t>(end);
  share.step = static_cast<std::uint64_t>(step);
  share.count = iterations(start, end, step);
  return share;
}

Share loop_unsigned(Schedule schedule, std::uint64_t chunk, bool up, std::uint64_t start, std::uint64_t end,
                    std::uint64_t step) {
  Share share = make_share(schedule, chunk);
  share.start = start;
  share.end = end;
  share.step = step;
  share.count = iterations_unsigned(up, start, end, step);
  return share;
}

// The next chunk of the member in a static loop; `chunk` becomes its number in the order of iterations.
bool next_static(const Share& share, Member& member, Range& range, std::uint64_t& chunk) {
  const std::uint64_t size = member.team->size(), number = member.number;
  if (share.chunk != 0) {
    chunk = member.trip * size + number;
    range.begin = chunk * share.chunk;
    if (range.begin >= share.count) return false;
    range.end = range.begin + std::min(share.chunk, share.count - range.begin);
  } else {
    const std::uint64_t each = share.count / size, more = share.count % size;
    if (member.trip > 0 || (each == 0 && number >= more)) return false;
    chunk = number;
    range.begin = number * each + std::min(number, more);
    range.end = range.begin + each + (number < more ? 1 : 0);
  }
  ++member.trip;
  return true;
}

bool next_of_all(Share& share, const Member& member, Range& range, std::uint64_t& chunk) {
  if (ThreadOrder* order = followed_order(); order == nullptr) yield_thread();
  else if (member.team->size() > 1) order->choose_taker([&share] { return share.next < share.count; });
  if (share.next >= share.count) return false;
  const std::uint64_t left = share.count - share.next;
  std::uint64_t length = share.chunk;
  if (share.schedule == Schedule::guided)
    length = std::max(length, (left + member.team->size() - 1) / member.team->size());
  range = {share.next, share.next + std::min(length, left)};
  share.next = range.end;
  chunk = share.chunks++;
  return true;
}

// The ordered regions of the chunk have run, or it has none.
void pass_chunk(Share& share, Member& member) {
  if (!share.is_ordered || !member.has_chunk) return;
  member.has_chunk = false;
  if (share.passed.size() <= member.chunk) share.passed.resize(member.chunk + 1);
  share.passed[member.chunk] = true;
  while (share.turn < share.passed.size() && share.passed[share.turn]) ++share.turn;
  wake(&share);
}

bool next(std::uint64_t* begin, std::uint64_t* end) {
  pass_code_time();
  const LibraryCode not_measured;
  Member& member = self();
  Share& share = *member.share;
  pass_chunk(share, member);
  Range range;
  const bool found = share.schedule == Schedule::static_chunks ? next_static(share, member, range, member.chunk)
                                                               : next_of_all(share, member, range, member.chunk);
  if (!found) return false;
  member.has_chunk = true;
  *begin = share.start + range.begin * share.step;
  *end = range.end == share.count ? share.end : share.start + range.end * share.step;
  return true;
}

bool start(const Share& share, void* begin, void* end) {
  enter_construct(share);
  return next(static_cast<std::uint64_t*>(begin), static_cast<std::uint64_t*>(end));
}

// The chunk size of OMP_SCHEDULE.
std::uint64_t runtime_chunk() { return static_cast<std::uint64_t>(std::max(self().control.chunk, 0)); }

Share runtime_loop(long from, long to, long step) {
  return loop(self().control.schedule, runtime_chunk(), from, to, step);
}

using Word = unsigned long long;

Share runtime_loop_unsigned(bool up, Word from, Word to, Word step) {
  return loop_unsigned(self().control.schedule, runtime_chunk(), up, from, to, step);
}

// ---- The functions of each schedule

template <Schedule schedule, bool is_ordered>
bool start_loop(long from, long to, long step, long chunk, long* begin, long* end) {
  Share share = loop(schedule, static_cast<std::uint64_t>(chunk), from, to, step);
  share.is_ordered = is_ordered;
  return start(share, begin, end);
}

template <Schedule schedule, bool is_ordered>
bool start_loop_unsigned(bool up, Word from, Word to, Word step, Word chunk, Word* begin, Word* end) {
  Share share = loop_unsigned(schedule, chunk, up, from, to, step);
  share.is_ordered = is_ordered;
  return start(share, begin, end);
}

template <bool is_ordered>
bool start_runtime(long from, long to, long step, long* begin, long* end) {
  Share share = runtime_loop(from, to, step);
  share.is_ordered = is_ordered;
  return start(share, begin, end);
}

template <bool is_ordered>
bool start_runtime_unsigned(bool up, Word from, Word to, Word step, Word* begin, Word* end) {
  Share share = runtime_loop_unsigned(up, from, to, step);
  share.is_ordered = is_ordered;
  return start(share, begin, end);
}

// With a schedule as a number, and lists of task reductions and of memory that the members share.
constexpr long kind_bits = 7;  // besides, a bit says that the chunks of each member ascend, as ours always do

bool start_any(const Share& share, const void* reductions, void** memory, void* begin, void* end) {
  if (reductions != nullptr || memory != nullptr)
    fail_rank(FailureKind::unsupported, "unsupported.function",
              "GOMP_loop_start (reductions of tasks, or memory for a conditional lastprivate)");
  if (begin == nullptr) {
    enter_construct(share);
    return true;
  }
  return start(share, begin, end);
}

template <bool is_ordered>
bool start_general(long from, long to, long step, long number, long chunk, long* begin, long* end, void* reductions,
                   void** memory) {
  const long kind = number & kind_bits;
  Share share = kind == 0 ? runtime_loop(from, to, step)
                          : loop(static_cast<Schedule>(kind), static_cast<std::uint64_t>(chunk), from, to, step);
  share.is_ordered = is_ordered;
  return start_any(share, reductions, memory, begin, end);
}

template <bool is_ordered>
bool start_general_unsigned(bool up, Word from, Word to, Word step, long number, Word chunk, Word* begin, Word* end,
                            void* reductions, void** memory) {
  const long kind = number & kind_bits;
  Share share = kind == 0 ? runtime_loop_unsigned(up, from, to, step)
                          : loop_unsigned(static_cast<Schedule>(kind), chunk, up, from, to, step);
  share.is_ordered = is_ordered;
  return start_any(share, reductions, memory, begin, end);
}

bool next_signed(long* begin, long* end) {
  return next(reinterpret_cast<std::uint64_t*>(begin), reinterpret_cast<std::uint64_t*>(end));
}

template <Schedule schedule>
void parallel_loop(void (*function)(void*), void* argument, unsigned threads, long from, long to, long step, long chunk,
                   unsigned) {
  const Share share = loop(schedule, static_cast<std::uint64_t>(chunk), from, to, step);
  run_team(function, argument, threads, &share);
}

void parallel_runtime(void (*function)(void*), void* argument, unsigned threads, long from, long to, long step,
                      unsigned) {
  const Share share = runtime_loop(from, to, step);
  run_team(function, argument, threads, &share);
}

template <Schedule schedule>
void begin_parallel_loop(void (*function)(void*), void* argument, unsigned threads, long from, long to, long step,
                         long chunk) {
  const Share share = loop(schedule, static_cast<std::uint64_t>(chunk), from, to, step);
  begin_team(function, argument, threads, &share);
}

void begin_parallel_runtime(void (*function)(void*), void* argument, unsigned threads, long from, long to, long step) {
  const Share share = runtime_loop(from, to, step);
  begin_team(function, argument, threads, &share);
}

void end_without_barrier() {
  pass_code_time();
  Member& member = self();
  pass_chunk(*member.share, member);
  leave_construct();
}

void end_construct() {
  end_without_barrier();
  barrier();
}

bool end_of_cancellable() {
  end_construct();
  return false;
}

void begin_ordered() {
  pass_code_time();
  const LibraryCode not_measured;
  Member& member = self();
  Share* share = member.share;
  if (share == nullptr || !share->is_ordered || !member.has_chunk) return;
  while (share->turn != member.chunk) wait_for({.object = share, .function = "an ordered region of OpenMP"});
  acquire_from(share);
}

// The next chunk may begin its ordered regions when this one is complete. OpenMP orders the regions only.
void end_ordered() {
  pass_code_time();
  release_to(self().share);
}

// ---- Sections have numbers from 1 on; 0: there is no more.

Share sections(unsigned count) { return loop(Schedule::dynamic, 1, 1, static_cast<std::int64_t>(count) + 1, 1); }

unsigned next_section() {
  std::uint64_t begin = 0, end = 0;
  return next(&begin, &end) ? static_cast<unsigned>(begin) : 0;
}

unsigned start_sections(unsigned count) {
  enter_construct(sections(count));
  return next_section();
}

unsigned start_sections_with(unsigned count, void* reductions, void** memory) {
  if (reductions != nullptr || memory != nullptr)
    fail_rank(FailureKind::unsupported, "unsupported.function",
              "GOMP_sections2_start (reductions of tasks, or memory for a conditional lastprivate)");
  return start_sections(count);
}

void parallel_sections(void (*function)(void*), void* argument, unsigned threads, unsigned count, unsigned) {
  const Share share = sections(count);
  run_team(function, argument, threads, &share);
}

void begin_parallel_sections(void (*function)(void*), void* argument, unsigned threads, unsigned count) {
  const Share share = sections(count);
  begin_team(function, argument, threads, &share);
}

constexpr Schedule fixed = Schedule::static_chunks, dynamic = Schedule::dynamic, guided = Schedule::guided;

InterposerList loop_starts() {
  return {{"GOMP_loop_static_start", function_address(start_loop<fixed, false>)},
          {"GOMP_loop_dynamic_start", function_address(start_loop<dynamic, false>)},
          {"GOMP_loop_guided_start", function_address(start_loop<guided, false>)},
          {"GOMP_loop_nonmonotonic_dynamic_start", function_address(start_loop<dynamic, false>)},
          {"GOMP_loop_nonmonotonic_guided_start", function_address(start_loop<guided, false>)},
          {"GOMP_loop_ordered_static_start", function_address(start_loop<fixed, true>)},
          {"GOMP_loop_ordered_dynamic_start", function_address(start_loop<dynamic, true>)},
          {"GOMP_loop_ordered_guided_start", function_address(start_loop<guided, true>)},
          {"GOMP_loop_runtime_start", function_address(start_runtime<false>)},
          {"GOMP_loop_nonmonotonic_runtime_start", function_address(start_runtime<false>)},
          {"GOMP_loop_maybe_nonmonotonic_runtime_start", function_address(start_runtime<false>)},
          {"GOMP_loop_ordered_runtime_start", function_address(start_runtime<true>)},
          {"GOMP_loop_start", function_address(start_general<false>)},
          {"GOMP_loop_ordered_start", function_address(start_general<true>)},
          {"GOMP_loop_ull_static_start", function_address(start_loop_unsigned<fixed, false>)},
          {"GOMP_loop_ull_dynamic_start", function_address(start_loop_unsigned<dynamic, false>)},
          {"GOMP_loop_ull_guided_start", function_address(start_loop_unsigned<guided, false>)},
          {"GOMP_loop_ull_nonmonotonic_dynamic_start", function_address(start_loop_unsigned<dynamic, false>)},
          {"GOMP_loop_ull_nonmonotonic_guided_start", function_address(start_loop_unsigned<guided, false>)},
          {"GOMP_loop_ull_ordered_static_start", function_address(start_loop_unsigned<fixed, true>)},
          {"GOMP_loop_ull_ordered_dynamic_start", function_address(start_loop_unsigned<dynamic, true>)},
          {"GOMP_loop_ull_ordered_guided_start", function_address(start_loop_unsigned<guided, true>)},
          {"GOMP_loop_ull_runtime_start", function_address(start_runtime_unsigned<false>)},
          {"GOMP_loop_ull_nonmonotonic_runtime_start", function_address(start_runtime_unsigned<false>)},
          {"GOMP_loop_ull_maybe_nonmonotonic_runtime_start", function_address(start_runtime_unsigned<false>)},
          {"GOMP_loop_ull_ordered_runtime_start", function_address(start_runtime_unsigned<true>)},
          {"GOMP_loop_ull_start", function_address(start_general_unsigned<false>)},
          {"GOMP_loop_ull_ordered_start", function_address(start_general_unsigned<true>)}};
}

InterposerList parallel_loops() {
  return {{"GOMP_parallel_loop_static", function_address(parallel_loop<fixed>)},
          {"GOMP_parallel_loop_dynamic", function_address(parallel_loop<dynamic>)},
          {"GOMP_parallel_loop_guided", function_address(parallel_loop<guided>)},
          {"GOMP_parallel_loop_nonmonotonic_dynamic", function_address(parallel_loop<dynamic>)},
          {"GOMP_parallel_loop_nonmonotonic_guided", function_address(parallel_loop<guided>)},
          {"GOMP_parallel_loop_runtime", function_address(parallel_runtime)},
          {"GOMP_parallel_loop_nonmonotonic_runtime", function_address(parallel_runtime)},
          {"GOMP_parallel_loop_maybe_nonmonotonic_runtime", function_address(parallel_runtime)},
          {"GOMP_parallel_loop_static_start", function_address(begin_parallel_loop<fixed>)},
          {"GOMP_parallel_loop_dynamic_start", function_address(begin_parallel_loop<dynamic>)},
          {"GOMP_parallel_loop_guided_start", function_address(begin_parallel_loop<guided>)},
          {"GOMP_parallel_loop_runtime_start", function_address(begin_parallel_runtime)},
          {"GOMP_parallel_sections", function_address(parallel_sections)},
          {"GOMP_parallel_sections_start", function_address(begin_parallel_sections)}};
}

}  // namespace

// A construct ends for a member when it leaves, and altogether when all have left.
Share& enter_construct(const Share& first) {
  Member& member = self();
  const auto [entry, is_new] = member.team->shares.try_emplace(member.construct, first);
  if (ThreadOrder* order = followed_order(); order != nullptr && is_new) order->forget(&entry->second);
  ++member.construct;
  member.trip = 0;
  member.has_chunk = false;
  member.share = &entry->second;
  return entry->second;
}

void leave_construct() {
  Member& member = self();
  member.share = nullptr;
  const auto found = member.team->shares.find(member.construct - 1);
  if (found != member.team->shares.end() && ++found->second.left == member.team->size())
    member.team->shares.erase(found);
}

InterposerList loop_names() {
  InterposerList all = loop_starts();
  for (const auto& entry : parallel_loops()) all.push_back(entry);
  for (const char* name : {"GOMP_loop_static_next",
                           "GOMP_loop_dynamic_next",
                           "GOMP_loop_guided_next",
                           "GOMP_loop_runtime_next",
                           "GOMP_loop_nonmonotonic_dynamic_next",
                           "GOMP_loop_nonmonotonic_guided_next",
                           "GOMP_loop_nonmonotonic_runtime_next",
                           "GOMP_loop_maybe_nonmonotonic_runtime_next",
                           "GOMP_loop_ordered_static_next",
                           "GOMP_loop_ordered_dynamic_next",
                           "GOMP_loop_ordered_guided_next",
                           "GOMP_loop_ordered_runtime_next",
                           "GOMP_loop_ull_static_next",
                           "GOMP_loop_ull_dynamic_next",
                           "GOMP_loop_ull_guided_next",
                           "GOMP_loop_ull_runtime_next",
                           "GOMP_loop_ull_nonmonotonic_dynamic_next",
                           "GOMP_loop_ull_nonmonotonic_guided_next",
                           "GOMP_loop_ull_nonmonotonic_runtime_next",
                           "GOMP_loop_ull_maybe_nonmonotonic_runtime_next",
                           "GOMP_loop_ull_ordered_static_next",
                           "GOMP_loop_ull_ordered_dynamic_next",
                           "GOMP_loop_ull_ordered_guided_next",
                           "GOMP_loop_ull_ordered_runtime_next"})
    all.emplace_back(name, function_address(next_signed));
  const InterposerList others{{"GOMP_loop_end", function_address(end_construct)},
                              {"GOMP_loop_end_nowait", function_address(end_without_barrier)},
                              {"GOMP_loop_end_cancel", function_address(end_of_cancellable)},
                              {"GOMP_ordered_start", function_address(begin_ordered)},
                              {"GOMP_ordered_end", function_address(end_ordered)},
                              {"GOMP_sections_start", function_address(start_sections)},
                              {"GOMP_sections2_start", function_address(start_sections_with)},
                              {"GOMP_sections_next", function_address(next_section)},
                              {"GOMP_sections_end", function_address(end_construct)},
                              {"GOMP_sections_end_nowait", function_address(end_without_barrier)},
                              {"GOMP_sections_end_cancel", function_address(end_of_cancellable)}};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace rehearse::smpi::openmp
