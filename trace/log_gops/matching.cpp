// SPDX-License-Identifier: MIT
//
// The indices of ranks with many open receives or messages.
#include "trace/log_gops/matching.hpp"

namespace rehearse::trace::log_gops {

std::size_t EnvelopeTable::place_of(const Envelope& envelope) const {
  std::uint64_t hash = (std::uint64_t{envelope.receiver} << 32 | envelope.source) * 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 32) ^ envelope.tag) * 0xd6e8feb86659fd93;
  const std::size_t mask = entries_.size() - 1;
  std::size_t at = static_cast<std::size_t>(hash ^ (hash >> 32)) & mask;
  while (entries_[at].envelope.receiver != none && entries_[at].envelope != envelope) at = (at + 1) & mask;
  return at;
}

List* EnvelopeTable::find(const Envelope& envelope) {
  Entry& entry = entries_[place_of(envelope)];
  return entry.envelope.receiver == none ? nullptr : &entry.list;
}

List& EnvelopeTable::at(const Envelope& envelope) {
  if (2 * (used_ + 1) > entries_.size()) grow();
  Entry& entry = entries_[place_of(envelope)];
  if (entry.envelope.receiver == none) {
    entry.envelope = envelope;
    ++used_;
  }
  return entry.list;
}

// Entries with empty lists are left out.
void EnvelopeTable::grow() {
  std::size_t filled = 0;
  for (const Entry& entry : entries_) filled += entry.list.head == none ? 0 : 1;
  LargeVector<Entry> old(4 * filled > entries_.size() ? 2 * entries_.size() : entries_.size());
  old.swap(entries_);
  used_ = filled;
  for (const Entry& entry : old)
    if (entry.list.head != none) entries_[place_of(entry.envelope)] = entry;
}

// ---- receives

void Matching::index_posted(Mailbox& mailbox) {
  List all = mailbox.posted;
  mailbox.posted = {};
  mailbox.has_posted_index = true;
  for (std::uint32_t at = all.head; at != none;) {
    const std::uint32_t following = next(at);
    append(is_exact(at) ? posted_index_.at(envelope_of_receive(at)) : mailbox.posted, at);
    at = following;
  }
}

std::uint32_t Matching::find_posted_in_index(Mailbox& mailbox, std::uint32_t send) {
  const List* list = posted_index_.find(envelope_of_send(send));
  const std::uint32_t exact = list == nullptr ? none : list->head;
  found_behind_ = none;
  for (std::uint32_t at = mailbox.posted.head; at != none; at = next(at)) {
    if (exact != none && progress_[exact].date < progress_[at].date) break;
    if (fits(at, send)) return at;
    found_behind_ = at;
  }
  return exact;
}

// ---- messages

void Matching::index_arrived(Mailbox& mailbox) {
  List all = mailbox.arrived;
  mailbox.arrived = {};
  mailbox.has_arrived_index = true;
  for (std::uint32_t at = all.head; at != none;) {
    const std::uint32_t following = next(at);
    add_to_arrived_index(mailbox, at);
    at = following;
  }
}

void Matching::add_to_arrived_index(Mailbox& mailbox, std::uint32_t send) {
  if (send >= previous_.size()) {
    previous_.resize(progress_.size());
    next_same_.resize(progress_.size());
  }
  previous_[send] = mailbox.arrived.tail;
  append(mailbox.arrived, send);
  next_same_[send] = none;
  List& same = arrived_index_.at(envelope_of_send(send));
  (same.head == none ? same.head : next_same_[same.tail]) = send;
  same.tail = send;
}

// The first message that fits is also the first with its envelope.
std::uint32_t Matching::take_arrived_from_index(Mailbox& mailbox, std::uint32_t receive) {
  std::uint32_t found = none;
  if (is_exact(receive)) {
    if (const List* same = arrived_index_.find(envelope_of_receive(receive))) found = same->head;
  } else {
    for (found = mailbox.arrived.head; found != none && !fits(receive, found);) found = next(found);
  }
  if (found == none) return none;
  List& same = *arrived_index_.find(envelope_of_send(found));
  same.head = next_same_[found];
  const std::uint32_t before = previous_[found], behind = next(found);
  remove_behind(mailbox.arrived, before, found);
  if (behind != none) previous_[behind] = before;
  return found;
}

}  // namespace rehearse::trace::log_gops
