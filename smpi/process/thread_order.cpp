// SPDX-License-Identifier: MIT
//
// See thread_order.hpp.
#include "smpi/process/thread_order.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "simcore/actor.hpp"
#include "simcore/provisional.hpp"
#include "simcore/support/format.hpp"
#include "smpi/buffers/accesses.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/rank_state.hpp"
#include "smpi/report.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint64_t words_max = 4'000'000;  // of accesses in one region
constexpr std::size_t buffers_max = 4096;       // of calls between two barriers
constexpr std::uint32_t choices_max = 10;       // of all ranks together: 2^10 executions for each one without

// Functions that a team may call: all memory of the program that they use is in buffers that are registered.
constexpr std::array<std::string_view, 17> known_calls{"MPI_Accumulate",
                                                       "MPI_Barrier",
                                                       "MPI_Get",
                                                       "MPI_Get_accumulate",
                                                       "MPI_Put",
                                                       "MPI_Send",
                                                       "MPI_Ssend",
                                                       "MPI_Win_fence",
                                                       "MPI_Win_flush",
                                                       "MPI_Win_flush_all",
                                                       "MPI_Win_flush_local",
                                                       "MPI_Win_flush_local_all",
                                                       "MPI_Win_lock",
                                                       "MPI_Win_lock_all",
                                                       "MPI_Win_sync",
                                                       "MPI_Win_unlock",
                                                       "MPI_Win_unlock_all"};

ThreadNumber running_number() { return per_rank<RankThreads>().running; }

Span span_of_object(std::uint64_t address, std::size_t bytes) {
  const auto begin = static_cast<std::int64_t>(address);
  return {begin, begin + static_cast<std::int64_t>(bytes)};
}

bool meets_part(const Span& bytes, const std::byte* base, std::uint64_t size) {
  return base != nullptr && size > 0 && bytes.meets(span_of_object(reinterpret_cast<std::uintptr_t>(base), size));
}

bool is_in_window(const Span& bytes) {
  const Windows* all = find_per_rank<Windows>();
  bool is_met = false;
  if (all == nullptr) return false;
  all->made.for_each_live([&](MPI_Win, const std::unique_ptr<Window>& window, const CreationSite&) {
    is_met |= meets_part(bytes, window->own().base, window->own().bytes);
    for (const auto& [base, size] : window->attached) is_met |= meets_part(bytes, base, size);
    for (std::size_t i = 0; i < window->seen_at.size(); ++i)
      is_met |= meets_part(bytes, window->seen_at[i], window->parts[i].bytes);
  });
  return is_met;
}

std::string line_of(const void* place) {
  if (place == nullptr) return "";
  const Frame at = find_source(static_cast<const char*>(place) - 1);
  return at.file.empty() ? "" : fmt::format(" at {}:{}", at.file, at.line);
}

const char* verb_of(const ThreadAccess& access) { return access.stores ? "writes" : "reads"; }

}  // namespace

// ---- Regions and edges

void ThreadOrder::begin(std::span<const ThreadNumber> members) {
  const ThreadNumber self = running_number();
  const ThreadNumber highest = std::max(self, *std::ranges::max_element(members));
  if (clocks_.size() <= highest) clocks_.resize(highest + 1);
  for (const ThreadNumber member : members) {
    if (member == self) continue;
    clocks_[member].join(clocks_[self]);
    clocks_[member].advance(member);
  }
  clocks_[self].advance(self);
  switch_thread(self);  // calls of this thread are those of a rank with threads from now on
  followed_ = true;
  noted_ = 0;
  watch_all();
}

void ThreadOrder::end() {
  forget_accesses();
  released_.clear();
  calls_.clear();
  window_uses_.clear();
  if (!std::exchange(followed_, false)) return;
  watch_needed();
}

void ThreadOrder::give_up(const std::string& why) {
  end();
  report_outcomes_left_out(why);
}

void ThreadOrder::release(const void* object) {
  const ThreadNumber self = running_number();
  released_[object].join(clocks_[self]);
  clocks_[self].advance(self);
}

void ThreadOrder::acquire(const void* object) {
  if (const auto known = released_.find(object); known != released_.end())
    clocks_[running_number()].join(known->second);
}

void ThreadOrder::forget_accesses() {
  accesses_.clear();
  buffers_.clear();
}

// ---- Accesses

ThreadAccess ThreadOrder::access_now(bool stores, const void* place) const {
  const ThreadNumber self = running_number();
  return {self, clocks_[self][self], stores, place};
}

void ThreadOrder::note_access(const Span& bytes, bool stores, const void* place) {
  noted_ += static_cast<std::uint64_t>(bytes.end - bytes.begin) / 8 + 1;
  if (noted_ > words_max) return give_up("more accesses of a team of OpenMP than are followed");
  if (is_in_window(bytes)) note_window_use();
  const ThreadAccess access = access_now(stores, place);
  if (report_used_buffer(bytes, access) || !followed_) return;
  const auto other = accesses_.add(bytes, access, clocks_[access.thread]);
  if (!other) return;
  give_up(fmt::format("a race of two threads of a team: one {}{} what the other {}{}", verb_of(access), line_of(place),
                      verb_of(*other), line_of(other->place)));
}

// An MPI call may change the window's memory, or what others may do there.
void ThreadOrder::note_window_use() {
  const ThreadNumber self = running_number();
  window_uses_[self] = clocks_[self][self];
  for (const auto& [thread, step] : calls_)
    if (thread != self && step > clocks_[self][thread])
      report_outcomes_left_out("accesses to a window and MPI calls of another thread, which nothing orders");
}

// ---- Buffers of calls

bool ThreadOrder::report_used_buffer(const Span& bytes, const ThreadAccess& access) {
  bool is_reported = false;
  for (std::size_t i = 0; i < buffers_.size() && followed_; ++i) {
    const UsedBuffer& buffer = buffers_[i];
    if ((!access.stores && !buffer.access.stores) || !buffer.hull.meets(bytes)) continue;
    if (!buffer.access.is_concurrent(access.thread, clocks_[access.thread]) || !buffer.shape.meets(bytes)) continue;
    const CreationSite site = buffer.site;
    report(access, site);
    is_reported = true;
  }
  return is_reported;
}

void ThreadOrder::check_buffer(const BufferUse& use) {
  const Span hull = hull_of(use.blocks);
  if (hull.empty()) return;
  const ThreadNumber self = running_number();
  const Footprint shape(use.blocks);
  std::optional<ThreadAccess> met;
  accesses_.for_each_in(hull, [&](const Span& bytes, const ThreadAccess& access) {
    if ((!access.stores && !use.written) || !access.is_concurrent(self, clocks_[self]) || !shape.meets(bytes))
      return false;
    met = access;
    return true;
  });
  if (met) report(*met, creation_site());
}

void ThreadOrder::end_buffer(const BufferUse& use, const CreationSite& site) {
  check_buffer(use);
  const Span hull = hull_of(use.blocks);
  if (hull.empty() || !followed_) return;
  if (buffers_.size() >= buffers_max) return give_up("more MPI calls of a team of OpenMP than are followed");
  buffers_.push_back({hull, Footprint(use.blocks), site, access_now(use.written, site.return_address)});
}

void ThreadOrder::report(const ThreadAccess& access, const CreationSite& site) {
  if (!reported_.insert({access.place, site.return_address}).second) return;
  const LibraryCode not_measured;
  const std::string what = fmt::format("a thread {}{} {}, which another thread calls, and nothing orders the two",
                                       verb_of(access), line_of(access.place), text_of_buffer("a buffer", site));
  const ReportedPlace here{{"", access.place}, access.stores ? "writes here" : "reads here"};
  const std::array others{ReportedPlace{site, "uses the buffer, in another thread"}};
  report_places(access.stores ? "buffer.written" : "buffer.read", what, here, others);
}

// ---- MPI calls

void ThreadOrder::begin_call(std::string_view function) {
  ++progress_;
  yield_thread();
  if (!followed_) return;
  if (others_can_run()) {
    report_outcomes_left_out("MPI calls of a thread while other threads of its team continue");
    smpi::report(threads_overlap, Severity::note, "another thread can continue");
    if (!followed_) return;
  }
  const ThreadNumber self = running_number();
  const VectorClock& now = clocks_[self];
  for (const auto& [thread, step] : calls_)
    if (thread != self && step > now[thread]) return give_up("the order of the MPI calls of several threads of a team");
  for (const auto& [thread, step] : window_uses_)
    if (thread != self && step > now[thread])
      report_outcomes_left_out("accesses to a window and MPI calls of another thread, which nothing orders");
  calls_[self] = now[self];
  if (std::ranges::find(known_calls, function) == known_calls.end())
    report_outcomes_left_out(std::string(function) + " in a team of OpenMP");
}

// ---- Constructs that give parts to whoever comes first

bool ThreadOrder::lets_others_first() {
  const LibraryCode not_measured;
  const RankThreads& threads = per_rank<RankThreads>();
  const bool one_sleeps = std::ranges::any_of(threads.all, [](const RankThread* thread) {
    return thread->status == ThreadStatus::waiting && thread->can_run();
  });
  if (one_sleeps || choices_ >= choices_max / this_rank().world->spec.ranks) {
    report_outcomes_left_out("which thread of a team gets a part of a construct of OpenMP");
    return false;
  }
  ++choices_;
  if (ask(Choose{2, "whether another thread of the team comes first"}).completions[0].index == 0) return false;
  yield_thread();
  return true;
}

// ---- For the calling rank

bool can_follow_threads() {
  const RankState* rank = running_rank();
  return rank != nullptr && rank->world->spec.follows_threads;
}

ThreadOrder* followed_order() {
  ThreadOrder* order = find_per_rank<ThreadOrder>();
  return order != nullptr && order->is_followed() ? order : nullptr;
}

void release_to(const void* object) {
  if (ThreadOrder* order = followed_order(); order != nullptr) order->release(object);
}

void acquire_from(const void* object) {
  if (ThreadOrder* order = followed_order(); order != nullptr) order->acquire(object);
}

void note_undecided(const char* construct) {
  if (followed_order() != nullptr)
    report_outcomes_left_out(fmt::format("the order of {} in a team of OpenMP", construct));
}

}  // namespace rehearse::smpi
