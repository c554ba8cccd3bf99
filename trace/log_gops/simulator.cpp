// SPDX-License-Identifier: MIT
//
// The event loop of LogGOPS; log_gops.hpp has the model.
//
// Speed:  an event touches its operation, its progress and its rank, about a cache line each. The loop asks for those
//         of later events of the same date beforehand.
#include "trace/log_gops/simulator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "trace/log_gops/date_queue.hpp"
#include "trace/log_gops/rank_state.hpp"

namespace rehearse::trace::log_gops {

namespace {

template <class Ranks>
class Simulator {
 public:
  Simulator(const GoalSchedule& schedule, const LogGopsParameters& parameters)
      : schedule_(schedule),
        operations_(schedule.operations.data()),
        parameters_(parameters),
        received_per_byte_(std::max(parameters.gap_per_byte, parameters.overhead_per_byte)),
        ranks_(schedule),
        progress_(schedule.operations.size()),
        matching_(schedule, progress_) {}

  LogGopsResult run() {
    begin();
    while (at_ < batch_.size() || take_batch()) {
      while (at_ < batch_.size()) {
        prefetch();
        const Event event = batch_[at_++];
        if (event.what % 2 == 0) operation(event);
        else message(event);
      }
    }
    return result();
  }

 private:
  void begin() {
    for (std::uint32_t rank = 0; rank < schedule_.ranks(); ++rank) {
      const GoalSchedule::Block& block = schedule_.blocks[rank];
      for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
        progress_[i].rank = rank;
        progress_[i].needs_or_next = operations_[i].needs;
        if (operations_[i].needs == 0) freed_.push_back(i);
      }
      release(rank, freed_);
    }
  }

  bool take_batch() {
    at_ = 0;
    if (!queue_.take(batch_)) return false;
    now_ = batch_.front().date;
    return true;
  }

  void prefetch() const {
    constexpr std::size_t far = 16, near = 8;
    if (at_ + far < batch_.size()) {
      const std::uint32_t operation = batch_[at_ + far].what / 2;
      __builtin_prefetch(&operations_[operation]);
      __builtin_prefetch(&progress_[operation]);
    }
    if (at_ + near < batch_.size()) {
      const std::uint32_t what = batch_[at_ + near].what;
      ranks_.prefetch(what % 2 == 0 ? progress_[what / 2].rank : operations_[what / 2].peer);
    }
  }

  // ---- dates

  static std::uint64_t further(std::uint64_t bytes) { return bytes == 0 ? 0 : bytes - 1; }

  std::uint64_t free_from(Place at, Needed needed) {
    const std::uint64_t processor = ranks_.processor(at);
    switch (needed) {
      case Needed::processor: return processor;
      case Needed::processor_and_way_out: return std::max(processor, ranks_.way_out(at));
      case Needed::processor_and_way_in: return std::max(processor, ranks_.way_in(at));
    }
    return processor;
  }

  // The batch is that of the current date, in order.
  void push(const Event& event) {
    if (event.date != now_) return queue_.push(event);
    if (batch_.empty() || batch_.back().order < event.order) return batch_.push_back(event);
    const auto later = std::ranges::upper_bound(batch_.begin() + static_cast<std::ptrdiff_t>(at_), batch_.end(),
                                                event.order, {}, &Event::order);
    batch_.insert(later, event);
  }

  // Whether the event has to wait; if so, this sees to it.
  bool must_wait(const Event& event, Place at, Needed needed) {
    const std::uint64_t until = free_from(at, needed);
    if (until <= now_) return false;
    std::uint32_t& queued = ranks_.queued(at, needed);
    if (queued < event.order) {
      ranks_.waiting(at, needed).add({event.order, event.what});
    } else {
      queued = event.order;
      push({until, event.order, event.what});
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
    push({std::max(now_, free_from(at, needed)), next.order, next.what});
  }

  // ---- dependencies

  void satisfy(std::span<const std::uint32_t> successors, std::uint64_t date, std::vector<std::uint32_t>& freed) {
    for (const std::uint32_t each : successors) {
      Progress& progress = progress_[each];
      progress.date = std::max(progress.date, date);
      if (--progress.needs_or_next == 0) freed.push_back(each);
    }
  }

  void finish(std::uint32_t operation, std::uint64_t date, std::vector<std::uint32_t>& freed) {
    progress_[operation].is_done = 1;
    satisfy(schedule_.after_done(operation), date, freed);
  }

  // Queues what became free, kind by kind.
  void release(std::uint32_t rank, std::vector<std::uint32_t>& freed) {
    if (freed.empty()) return;
    const auto kind_of = [this](std::uint32_t each) { return operations_[each].kind; };
    if (!std::ranges::is_sorted(freed, {}, kind_of)) std::ranges::stable_sort(freed, {}, kind_of);
    for (const std::uint32_t each : freed) {
      const GoalOperation& operation = operations_[each];
      const Place at{rank, operation.cpu, operation.nic};
      const bool is_send = operation.kind == GoalKind::send;
      const std::uint64_t free = free_from(at, is_send ? Needed::processor_and_way_out : Needed::processor);
      push({std::max(free, progress_[each].date), order_++, 2 * each});
    }
    freed.clear();
  }

  // ---- events

  void operation(const Event& event) {
    const std::uint32_t number = event.what / 2;
    const GoalOperation& operation = operations_[number];
    const Place at{progress_[number].rank, operation.cpu, operation.nic};
    switch (operation.kind) {
      case GoalKind::calculation: calculation(event, number, operation, at); break;
      case GoalKind::send: send(event, number, operation, at); break;
      case GoalKind::receive: receive(number, at.rank); break;
    }
  }

  void calculation(const Event& event, std::uint32_t number, const GoalOperation& operation, Place at) {
    if (must_wait(event, at, Needed::processor)) return;
    begin_operation(number);
    const std::uint64_t until = ranks_.processor(at) = now_ + operation.size;
    let_next_wait(event, at, Needed::processor);
    finish(number, until, freed_);
    release(at.rank, freed_);
  }

  void send(const Event& event, std::uint32_t number, const GoalOperation& operation, Place at) {
    if (must_wait(event, at, Needed::processor_and_way_out)) return;
    begin_operation(number);
    const std::uint64_t more = further(operation.size);
    const std::uint64_t until = now_ + parameters_.overhead + more * parameters_.overhead_per_byte;
    ranks_.processor(at) = until;
    ranks_.way_out(at) = now_ + parameters_.gap + more * parameters_.gap_per_byte;
    let_next_wait(event, at, Needed::processor_and_way_out);
    push({now_ + parameters_.overhead + parameters_.latency, order_++, 2 * number + 1});
    if (operation.size <= parameters_.eager_bytes) finish(number, until, freed_);
    release(at.rank, freed_);
  }

  void receive(std::uint32_t number, std::uint32_t rank) {
    begin_operation(number);
    const std::uint32_t message = matching_.take_arrived(ranks_.mailbox(rank), number);
    if (message == none) {
      matching_.post(ranks_.mailbox(rank), number);
      release(rank, freed_);
      return;
    }
    const std::uint64_t arrived = progress_[message].date;
    complete(message, number, rank, std::max(now_, arrived));
  }

  void message(const Event& event) {
    const std::uint32_t number = event.what / 2;
    const GoalOperation& send = operations_[number];
    const std::uint32_t rank = send.peer;
    Mailbox& mailbox = ranks_.mailbox(rank);
    const bool has_one_way_in = ranks_.has_one_way_in(rank);
    Place at{rank, 0, 0};
    if (has_one_way_in && must_wait(event, at, Needed::processor_and_way_in)) return;
    const std::uint32_t receive = matching_.find_posted(mailbox, number);
    if (!has_one_way_in) {
      if (receive != none) at = {rank, operations_[receive].cpu, operations_[receive].nic};
      const std::uint64_t until = free_from(at, Needed::processor_and_way_in);
      if (until > now_) return push({until, event.order, event.what});
    }
    const std::uint64_t more = further(send.size);
    const std::uint64_t until = now_ + parameters_.overhead + more * received_per_byte_;
    ranks_.processor(at) = until;
    ranks_.way_in(at) = now_ + parameters_.gap + more * parameters_.gap_per_byte;
    if (has_one_way_in) let_next_wait(event, at, Needed::processor_and_way_in);
    if (receive == none) {
      progress_[number].date = until;
      matching_.add_arrived(mailbox, number);
      return;
    }
    matching_.remove_posted(mailbox, receive, number);
    complete(number, receive, rank, until);
  }

  void begin_operation(std::uint32_t number) {
    progress_[number].has_begun = 1;
    satisfy(schedule_.after_begun(number), now_, freed_);
  }

  // A receive and the message that it takes, which is there at this date.
  void complete(std::uint32_t send, std::uint32_t receive, std::uint32_t rank, std::uint64_t date) {
    const GoalOperation& operation = operations_[send];
    const std::uint32_t source = progress_[send].rank;
    if (operation.size > parameters_.eager_bytes) {
      const Place at{source, operation.cpu, operation.nic};
      ranks_.processor(at) = std::max(ranks_.processor(at), now_);
      ranks_.way_out(at) = std::max(ranks_.way_out(at), now_);
      finish(send, now_, source == rank ? freed_ : freed_at_source_);
    }
    finish(receive, date, freed_);
    if (source < rank) release(source, freed_at_source_);
    release(rank, freed_);
    release(source, freed_at_source_);
  }

  LogGopsResult result() {
    LogGopsResult result;
    result.events = order_;
    for (std::uint32_t rank = 0; rank < schedule_.ranks(); ++rank) {
      result.ends.push_back(ranks_.end(rank));
      const GoalSchedule::Block& block = schedule_.blocks[rank];
      for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
        if (progress_[i].is_done) continue;
        (progress_[i].has_begun ? result.begun : result.not_begun).push_back(i);
      }
      for (std::uint32_t at = ranks_.mailbox(rank).arrived.head; at != none; at = progress_[at].needs_or_next)
        result.not_received.push_back(at);
    }
    return result;
  }

  const GoalSchedule& schedule_;
  const GoalOperation* operations_;
  LogGopsParameters parameters_;
  std::uint64_t received_per_byte_;
  Ranks ranks_;
  std::vector<Progress> progress_;  // by operation
  Matching matching_;
  DateQueue queue_;
  std::vector<Event> batch_;  // of the current date
  std::size_t at_ = 0;        // the next one of them
  std::uint64_t now_ = 0;
  std::uint32_t order_ = 0;  // of the next event that is caused
  std::vector<std::uint32_t> freed_, freed_at_source_;
};

bool has_one_processor_per_rank(const GoalSchedule& schedule) {
  return std::ranges::all_of(schedule.operations,
                             [](const GoalOperation& operation) { return operation.cpu == 0 && operation.nic == 0; });
}

}  // namespace

LogGopsResult run_simulation(const GoalSchedule& schedule, const LogGopsParameters& parameters) {
  if (has_one_processor_per_rank(schedule)) return Simulator<SingleRanks>(schedule, parameters).run();
  return Simulator<GeneralRanks>(schedule, parameters).run();
}

}  // namespace rehearse::trace::log_gops
