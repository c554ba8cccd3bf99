// SPDX-License-Identifier: MIT
//
// The event loop of LogGOPS; trace/log_gops.hpp has the model.
//
// Shape:  Operations are numbered. Their class has
//           ranks()                                their number
//           operations(), progress()               vectors by number of the operation; they may grow in the calls below
//           start(rank, freed)                     before the first date
//           begin(operation, date, freed)          the operation begins; once
//           finish(operation, date, freed)         it is done from this date on; once
//           forget_message(send)                   its message was received; the last call for this operation
//           is_given_up()                          the simulation is of no use any more
//           are_few                                whether they stay in the cache
//         `freed` gets the operations that wait for nothing more; they are of the same rank.
// Speed:  an event touches its operation, its progress and its rank, about a cache line each. The loop asks for those
//         of later events of the same date beforehand.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "simcore/support/large_vector.hpp"
#include "trace/goal.hpp"
#include "trace/log_gops.hpp"
#include "trace/log_gops/event_queue.hpp"
#include "trace/log_gops/matching.hpp"
#include "trace/log_gops/progress.hpp"
#include "trace/log_gops/rank_state.hpp"
#include "trace/log_gops/sort_few.hpp"

namespace rehearse::trace::log_gops {

template <class Ranks, class Operations>
class EventLoop {
 public:
  EventLoop(Operations& operations, Ranks ranks, const LogGopsParameters& parameters)
      : source_(operations),
        operations_(operations.operations()),
        progress_(operations.progress()),
        parameters_(parameters),
        received_per_byte_(std::max(parameters.gap_per_byte, parameters.overhead_per_byte)),
        ranks_(std::move(ranks)),
        matching_(operations_, progress_) {}

  // The result has the ends of the ranks and the number of events.
  LogGopsResult run() {
    for (std::uint32_t rank = 0; rank < source_.ranks(); ++rank) {
      source_.start(rank, freed_);
      release(rank, freed_);
    }
    while (!source_.is_given_up() && events_.has_next()) {
      if constexpr (!Operations::are_few) prefetch();
      const Event event = events_.take();
      if (event.what % 2 == 0) operation(event);
      else message(event);
    }
    LogGopsResult result;
    result.events = order_;
    for (std::uint32_t rank = 0; rank < source_.ranks(); ++rank) result.ends.push_back(ranks_.end(rank));
    return result;
  }

  // Messages to the rank that no receive has taken.
  std::vector<std::uint32_t> not_received(std::uint32_t rank) {
    std::vector<std::uint32_t> sends;
    for (std::uint32_t at = ranks_.mailbox(rank).arrived.head; at != none; at = progress_[at].needs_or_next)
      sends.push_back(at);
    return sends;
  }

 private:
  void prefetch() const {
    constexpr std::size_t far = 16, near = 8;
    if (const Event* event = events_.behind_next(far)) {
      __builtin_prefetch(&operations_[event->what / 2]);
      __builtin_prefetch(&progress_[event->what / 2]);
    }
    if (const Event* event = events_.behind_next(near)) {
      const std::uint32_t number = event->what / 2;
      ranks_.prefetch(event->what % 2 == 0 ? progress_[number].rank : operations_[number].peer);
    }
  }

  // ---- dates

  std::uint64_t now() const { return events_.now(); }

  static std::uint64_t further(std::uint64_t bytes) { return bytes == 0 ? 0 : bytes - 1; }

  std::uint64_t free_from(Place at, Needed needed) { return log_gops::free_from(ranks_, at, needed); }

  // Whether the event has to wait; if so, this sees to it.
  bool must_wait(const Event& event, Place at, Needed needed) {
    const std::uint64_t until = free_from(at, needed);
    if (until <= now()) return false;
    std::uint32_t& queued = ranks_.queued(at, needed);
    if (queued < event.order) {
      ranks_.waiting(at, needed).add({event.order, event.what});
    } else {
      queued = event.order;
      events_.push({until, event.order, event.what});
    }
    return true;
  }

  // The event has begun: if others wait behind it, the first of them goes into the queue.
  void let_next_wait(const Event& event, Place at, Needed needed) {
    std::uint32_t& queued = ranks_.queued(at, needed);
    if (queued != event.order) return;
    WaitingEvents& waiting = ranks_.waiting(at, needed);
    queued = none;
    if (waiting.empty()) return;
    const auto next = waiting.take();
    queued = next.order;
    events_.push({std::max(now(), free_from(at, needed)), next.order, next.what});
  }

  // ---- dependencies

  // Queues what became free, kind by kind.
  void release(std::uint32_t rank, std::vector<std::uint32_t>& freed) {
    if (!freed.empty()) queue_all(rank, freed);
  }

  void queue_all(std::uint32_t rank, std::vector<std::uint32_t>& freed) {
    sort_few(freed, [this](std::uint32_t each) { return operations_[each].kind; });
    for (const std::uint32_t each : freed) queue(rank, each);
    freed.clear();
  }

  void queue(std::uint32_t rank, std::uint32_t number) {
    const GoalOperation& operation = operations_[number];
    const Place at{rank, operation.cpu, operation.nic};
    const bool is_send = operation.kind == GoalKind::send;
    const std::uint64_t free = free_from(at, is_send ? Needed::processor_and_way_out : Needed::processor);
    events_.push({std::max(free, progress_[number].date), order_++, 2 * number});
  }

  // ---- events

  void operation(const Event& event) {
    const std::uint32_t number = event.what / 2;
    const GoalOperation operation = operations_[number];  // it may move when others follow
    const Place at{progress_[number].rank, operation.cpu, operation.nic};
    switch (operation.kind) {
      case GoalKind::calculation: calculation(event, number, operation, at); break;
      case GoalKind::send: send(event, number, operation, at); break;
      case GoalKind::receive: receive(number, at.rank); break;
    }
  }

  void calculation(const Event& event, std::uint32_t number, const GoalOperation& operation, Place at) {
    if (must_wait(event, at, Needed::processor)) return;
    source_.begin(number, now(), freed_);
    const std::uint64_t until = ranks_.processor(at) = now() + operation.size;
    let_next_wait(event, at, Needed::processor);
    source_.finish(number, until, freed_);
    release(at.rank, freed_);
  }

  void send(const Event& event, std::uint32_t number, const GoalOperation& operation, Place at) {
    if (must_wait(event, at, Needed::processor_and_way_out)) return;
    source_.begin(number, now(), freed_);
    const std::uint64_t more = further(operation.size);
    const std::uint64_t until = now() + parameters_.overhead + more * parameters_.overhead_per_byte;
    ranks_.processor(at) = until;
    ranks_.way_out(at) = now() + parameters_.gap + more * parameters_.gap_per_byte;
    let_next_wait(event, at, Needed::processor_and_way_out);
    events_.push({now() + parameters_.overhead + parameters_.latency, order_++, 2 * number + 1});
    if (operation.size <= parameters_.eager_bytes) source_.finish(number, until, freed_);
    release(at.rank, freed_);
  }

  void receive(std::uint32_t number, std::uint32_t rank) {
    source_.begin(number, now(), freed_);
    const std::uint32_t message = matching_.take_arrived(ranks_.mailbox(rank), number);
    if (message == none) {
      matching_.post(ranks_.mailbox(rank), number);
      release(rank, freed_);
      return;
    }
    const std::uint64_t arrived = progress_[message].date;
    complete(message, number, rank, std::max(now(), arrived));
  }

  void message(const Event& event) {
    const std::uint32_t number = event.what / 2;
    const GoalOperation& send = operations_[number];  // until complete()
    const std::uint32_t rank = send.peer;
    Mailbox& mailbox = ranks_.mailbox(rank);
    const bool has_one_way_in = ranks_.has_one_way_in(rank);
    Place at{rank, 0, 0};
    if (has_one_way_in && must_wait(event, at, Needed::processor_and_way_in)) return;
    const std::uint32_t receive = matching_.find_posted(mailbox, number);
    if (!has_one_way_in) {
      if (receive != none) at = {rank, operations_[receive].cpu, operations_[receive].nic};
      const std::uint64_t until = free_from(at, Needed::processor_and_way_in);
      if (until > now()) return events_.push({until, event.order, event.what});
    }
    const std::uint64_t more = further(send.size);
    const std::uint64_t until = now() + parameters_.overhead + more * received_per_byte_;
    ranks_.processor(at) = until;
    ranks_.way_in(at) = now() + parameters_.gap + more * parameters_.gap_per_byte;
    if (has_one_way_in) let_next_wait(event, at, Needed::processor_and_way_in);
    if (receive == none) {
      progress_[number].date = until;
      matching_.add_arrived(mailbox, number);
      return;
    }
    matching_.remove_posted(mailbox, receive, number);
    complete(number, receive, rank, until);
  }

  // A receive and the message that it takes, which is there at this date.
  void complete(std::uint32_t send, std::uint32_t receive, std::uint32_t rank, std::uint64_t date) {
    const GoalOperation operation = operations_[send];
    const std::uint32_t source = progress_[send].rank;
    if (operation.size > parameters_.eager_bytes) {
      const Place at{source, operation.cpu, operation.nic};
      ranks_.processor(at) = std::max(ranks_.processor(at), now());
      ranks_.way_out(at) = std::max(ranks_.way_out(at), now());
      source_.finish(send, now(), source == rank ? freed_ : freed_at_source_);
    }
    source_.finish(receive, date, freed_);
    source_.forget_message(send);
    if (source < rank) release(source, freed_at_source_);
    release(rank, freed_);
    release(source, freed_at_source_);
  }

  Operations& source_;
  const LargeVector<GoalOperation>& operations_;
  LargeVector<Progress>& progress_;
  LogGopsParameters parameters_;
  std::uint64_t received_per_byte_;
  Ranks ranks_;
  Matching matching_;
  EventQueue events_;
  std::uint32_t order_ = 0;  // of the next event that is caused
  std::vector<std::uint32_t> freed_, freed_at_source_;
};

}  // namespace rehearse::trace::log_gops
