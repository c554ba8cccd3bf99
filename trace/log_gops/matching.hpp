// SPDX-License-Identifier: MIT
//
// Posted receives and arrived messages of all ranks; each takes the first one of the other kind that fits.
//
// Shape:  a list for each rank and kind, linked through the operations. A rank of which a list was searched for long
//         gets an index by source and tag; receives from any source or with any tag stay in a list of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simcore/support/large_vector.hpp"
#include "trace/goal.hpp"
#include "trace/log_gops/progress.hpp"

namespace rehearse::trace::log_gops {

struct List {
  std::uint32_t head = none;
  std::uint32_t tail = none;
};

// Of one rank. With an index: only receives from any source or with any tag; all messages.
struct Mailbox {
  List posted, arrived;
  bool has_posted_index = false;
  bool has_arrived_index = false;
};

struct Envelope {
  std::uint32_t receiver = 0;
  std::uint32_t source = 0;
  std::uint32_t tag = 0;
  bool operator==(const Envelope&) const = default;
};

// Lists by envelope.
class EnvelopeTable {
 public:
  List& at(const Envelope& envelope);
  List* find(const Envelope& envelope);  // null: there never was one

 private:
  struct Entry {
    Envelope envelope{none, 0, 0};  // receiver `none`: free
    List list;
  };

  std::size_t place_of(const Envelope& envelope) const;
  void grow();

  LargeVector<Entry> entries_ = LargeVector<Entry>(1024);
  std::size_t used_ = 0;
};

class Matching {
 public:
  // Both by operation; they may grow.
  Matching(const LargeVector<GoalOperation>& operations, LargeVector<Progress>& progress)
      : operations_(operations), progress_(progress) {}

  // The receive of this rank that takes the message of this send; `none`.
  std::uint32_t find_posted(Mailbox& mailbox, std::uint32_t send);
  // Removes it, which find_posted() has returned last.
  void remove_posted(Mailbox& mailbox, std::uint32_t receive, std::uint32_t send);
  void post(Mailbox& mailbox, std::uint32_t receive);

  // The message that the receive takes, by its send, removed; `none`.
  std::uint32_t take_arrived(Mailbox& mailbox, std::uint32_t receive);
  void add_arrived(Mailbox& mailbox, std::uint32_t send);

 private:
  static constexpr std::uint32_t longest_search = 24;

  bool fits(std::uint32_t receive, std::uint32_t send) const {
    const GoalOperation& wish = operations_[receive];
    return (wish.peer == goal_any || wish.peer == progress_[send].rank) &&
           (wish.tag == goal_any || wish.tag == operations_[send].tag);
  }
  bool is_exact(std::uint32_t receive) const {
    return operations_[receive].peer != goal_any && operations_[receive].tag != goal_any;
  }
  Envelope envelope_of_receive(std::uint32_t receive) const {
    return {progress_[receive].rank, operations_[receive].peer, operations_[receive].tag};
  }
  Envelope envelope_of_send(std::uint32_t send) const {
    return {operations_[send].peer, progress_[send].rank, operations_[send].tag};
  }
  std::uint32_t& next(std::uint32_t operation) { return progress_[operation].needs_or_next; }

  void append(List& list, std::uint32_t operation) {
    next(operation) = none;
    (list.head == none ? list.head : next(list.tail)) = operation;
    list.tail = operation;
  }
  void remove_behind(List& list, std::uint32_t before, std::uint32_t operation) {
    (before == none ? list.head : next(before)) = next(operation);
    if (list.tail == operation) list.tail = before;
  }
  std::uint32_t find_posted_in_index(Mailbox& mailbox, std::uint32_t send);
  std::uint32_t take_arrived_from_index(Mailbox& mailbox, std::uint32_t receive);
  void index_posted(Mailbox& mailbox);
  void index_arrived(Mailbox& mailbox);
  void add_to_arrived_index(Mailbox& mailbox, std::uint32_t send);

  const LargeVector<GoalOperation>& operations_;
  LargeVector<Progress>& progress_;
  std::uint64_t posted_ = 0;           // number of receives that were posted
  std::uint32_t found_behind_ = none;  // in the list that find_posted() has searched last
  EnvelopeTable posted_index_, arrived_index_;
  // Of messages in an index: the one before in order of arrival, and the next one with the same envelope.
  LargeVector<std::uint32_t> previous_, next_same_;
};

inline std::uint32_t Matching::find_posted(Mailbox& mailbox, std::uint32_t send) {
  if (mailbox.has_posted_index) return find_posted_in_index(mailbox, send);
  std::uint32_t steps = 0;
  found_behind_ = none;
  for (std::uint32_t at = mailbox.posted.head; at != none; at = next(at)) {
    if (fits(at, send)) return at;
    found_behind_ = at;
    if (++steps < longest_search) continue;
    index_posted(mailbox);
    return find_posted_in_index(mailbox, send);
  }
  return none;
}

inline void Matching::remove_posted(Mailbox& mailbox, std::uint32_t receive, std::uint32_t send) {
  if (mailbox.has_posted_index && is_exact(receive)) {
    List& list = posted_index_.at(envelope_of_send(send));
    remove_behind(list, none, receive);
  } else {
    remove_behind(mailbox.posted, found_behind_, receive);
  }
}

inline void Matching::post(Mailbox& mailbox, std::uint32_t receive) {
  progress_[receive].date = posted_++;
  const bool in_index = mailbox.has_posted_index && is_exact(receive);
  append(in_index ? posted_index_.at(envelope_of_receive(receive)) : mailbox.posted, receive);
}

inline std::uint32_t Matching::take_arrived(Mailbox& mailbox, std::uint32_t receive) {
  if (mailbox.has_arrived_index) return take_arrived_from_index(mailbox, receive);
  std::uint32_t steps = 0, before = none;
  for (std::uint32_t at = mailbox.arrived.head; at != none; at = next(at)) {
    if (fits(receive, at)) {
      remove_behind(mailbox.arrived, before, at);
      return at;
    }
    before = at;
    if (++steps < longest_search) continue;
    index_arrived(mailbox);
    return take_arrived_from_index(mailbox, receive);
  }
  return none;
}

inline void Matching::add_arrived(Mailbox& mailbox, std::uint32_t send) {
  if (mailbox.has_arrived_index) return add_to_arrived_index(mailbox, send);
  append(mailbox.arrived, send);
}

}  // namespace rehearse::trace::log_gops
