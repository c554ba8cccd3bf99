// SPDX-License-Identifier: MIT
//
// The non-overtaking rule on linked lists: messages in order of visibility, receives in order of posting. A receive is
// in the list of its pattern, except a receive posted while there was no other. A message is in one list for each kind
// of pattern that can match it.
#include "simcore/matching.hpp"

#include <utility>

#include "simcore/support/assert.hpp"

namespace rehearse {

using matching::KeyedLists;
using matching::nowhere;

namespace {

template <class Item>
std::uint32_t take_place(std::vector<Item>& items, std::vector<std::uint32_t>& free) {
  if (free.empty()) {
    items.emplace_back();
    return static_cast<std::uint32_t>(items.size() - 1);
  }
  const std::uint32_t place = free.back();
  free.pop_back();
  return place;
}

}  // namespace

Mailbox::Openness Mailbox::openness(const Pattern& pattern) {
  return static_cast<Openness>((pattern.source ? nothing : source) | (pattern.tag ? nothing : tag));
}

std::uint64_t Mailbox::key_of(Openness open, ActorId from, Tag wanted) {
  const std::uint64_t high = (open & source) != 0 ? 0 : from.value;
  const std::uint64_t low = (open & tag) != 0 ? 0 : static_cast<std::uint32_t>(wanted);
  return high << 32 | low;
}

std::uint64_t Mailbox::key_of(const Pattern& pattern) {
  return key_of(openness(pattern), pattern.source.value_or(ActorId{}), pattern.tag.value_or(0));
}

template <class Item>
void Mailbox::append(std::vector<Item>& items, List& list, std::size_t link, std::uint32_t place) {
  ++steps_;
  items[place].links[link] = {list.last, nowhere};
  (list.empty() ? list.first : items[list.last].links[link].next) = place;
  list.last = place;
}

template <class Item>
void Mailbox::unlink(std::vector<Item>& items, List& list, std::size_t link, std::uint32_t place) {
  ++steps_;
  const Link at = items[place].links[link];
  (at.previous == nowhere ? list.first : items[at.previous].links[link].next) = at.next;
  (at.next == nowhere ? list.last : items[at.next].links[link].previous) = at.previous;
}

// Of the receives in lists.
inline Mailbox::Found Mailbox::first_receive(ActorId from, Tag wanted) {
  Found found;
  for (std::uint32_t open = 0; open < kinds; ++open) {
    if (receive_counts_[open] == 0) continue;
    ++steps_;
    List* candidates = receive_lists_[open].find(key_of(Openness(open), from, wanted));
    if (candidates == nullptr) continue;
    const std::uint32_t first = candidates->first;
    if (found.place != nowhere && receives_[found.place].order < receives_[first].order) continue;
    found = {&receive_lists_[open], candidates, first};
  }
  return found;
}

Mailbox::Number Mailbox::take_receive(ActorId from, Tag wanted) {
  if (kept_receives_ == 0) return nobody;
  if (lone_ != nowhere) {
    ++steps_;
    const Receive& receive = receives_[lone_];
    if (key_of(receive.open, from, wanted) != receive.key) return nobody;
    return forget_receive(std::exchange(lone_, nowhere));
  }
  const Found found = first_receive(from, wanted);
  if (found.place == nowhere) return nobody;
  const Receive& receive = receives_[found.place];
  unlink(receives_, *found.list, 0, found.place);
  if (found.list->empty()) found.lists->remove(receive.key);
  --receive_counts_[receive.open];
  return forget_receive(found.place);
}

Mailbox::Number Mailbox::see_receive(ActorId from, Tag wanted) {
  if (kept_receives_ == 0) return nobody;
  const std::uint32_t place = lone_ != nowhere ? lone_ : first_receive(from, wanted).place;
  if (place == nowhere || key_of(receives_[place].open, from, wanted) != receives_[place].key) return nobody;
  return receives_[place].number;
}

// Removes a receive that is in no list.
Mailbox::Number Mailbox::forget_receive(Place place) {
  --kept_receives_;
  free_receives_.push_back(place);
  return receives_[place].number;
}

void Mailbox::list_message(Openness open, Place place) {
  const Message& message = messages_[place];
  List& list = open == both ? all_messages_ : message_lists_[open].make(key_of(open, message.from, message.tag));
  append(messages_, list, open, place);
}

void Mailbox::unlist_message(Openness open, Place place) {
  if (open == both) return unlink(messages_, all_messages_, open, place);
  const std::uint64_t key = key_of(open, messages_[place].from, messages_[place].tag);
  List& list = *message_lists_[open].find(key);
  unlink(messages_, list, open, place);
  if (list.empty()) message_lists_[open].remove(key);
}

// Adds the waiting messages to the lists of a kind of pattern that is used for the first time.
void Mailbox::list_all(Openness open) {
  is_listed_[open] = true;
  for (Place place = all_messages_.first; place != nowhere; place = messages_[place].links[both].next)
    list_message(open, place);
}

Mailbox::Place Mailbox::keep_message(Number message, ActorId from, Tag with, bool is_reserved) {
  const Place place = take_place(messages_, free_messages_);
  messages_[place] = {message, from, with, is_reserved, {}};
  for (std::uint32_t open = 0; open < kinds; ++open)
    if (is_listed_[open]) list_message(Openness(open), place);
  return place;
}

std::uint32_t Mailbox::find(const Pattern& pattern, bool with_reserved) {
  if (all_messages_.empty()) return nowhere;
  const Openness open = openness(pattern);
  if (!is_listed_[open]) list_all(open);
  ++steps_;
  const List* list = open == both ? &all_messages_ : message_lists_[open].find(key_of(pattern));
  std::uint32_t place = list == nullptr ? nowhere : list->first;
  while (place != nowhere && messages_[place].is_reserved && !with_reserved) {
    ++steps_;
    place = messages_[place].links[open].next;
  }
  return place;
}

Mailbox::Number Mailbox::take_message(const Pattern& pattern) {
  const std::uint32_t place = find(pattern, false);
  if (place == nowhere) return nobody;
  const Number number = messages_[place].number;
  remove_message(place);
  return number;
}

Mailbox::Place Mailbox::keep_receive(Number receive, const Pattern& pattern) {
  const Place place = take_place(receives_, free_receives_);
  receives_[place] = {receive, openness(pattern), key_of(pattern), posted_++, {}};
  if (kept_receives_++ == 0) {
    lone_ = place;
    return place;
  }
  if (lone_ != nowhere) list_receive(std::exchange(lone_, nowhere));
  list_receive(place);
  return place;
}

void Mailbox::list_receive(Place place) {
  const Receive& receive = receives_[place];
  append(receives_, receive_lists_[receive.open].make(receive.key), 0, place);
  ++receive_counts_[receive.open];
}

Mailbox::Number Mailbox::see_message(const Pattern& pattern) {
  const std::uint32_t place = find(pattern, true);
  if (place == nowhere) return nobody;
  return messages_[place].number;
}

void Mailbox::remove_message(Place place) {
  for (std::uint32_t open = 0; open < kinds; ++open)
    if (is_listed_[open]) unlist_message(Openness(open), place);
  free_messages_.push_back(place);
  // A single query with a wildcard must not slow down all later messages.
  if (all_messages_.empty()) is_listed_ = {true, false, false, true};
}

void Mailbox::remove_receive(Place place) {
  if (place == lone_) {
    lone_ = nowhere;
    forget_receive(place);
    return;
  }
  const Receive& receive = receives_[place];
  List* list = receive_lists_[receive.open].find(receive.key);
  REHEARSE_ASSERT(list != nullptr, "a removed receive is in a list");
  unlink(receives_, *list, 0, place);
  if (list->empty()) receive_lists_[receive.open].remove(receive.key);
  --receive_counts_[receive.open];
  forget_receive(place);
}

}  // namespace rehearse
