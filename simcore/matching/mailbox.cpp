// SPDX-License-Identifier: MIT
//
// The non-overtaking rule on linked lists: messages in order of visibility, over all and per source;
// receives in order of posting, per named source and for any source.
#include "simcore/matching.hpp"

#include "simcore/support/assert.hpp"

namespace rehearse {

namespace {

template <class Item>
std::uint32_t take_place(std::vector<Item>& items, std::vector<std::uint32_t>& free, Item item) {
  if (free.empty()) {
    items.push_back(std::move(item));
    return static_cast<std::uint32_t>(items.size() - 1);
  }
  const std::uint32_t place = free.back();
  free.pop_back();
  items[place] = std::move(item);
  return place;
}

}  // namespace

template <class Item>
void Mailbox::append(std::vector<Item>& items, List& list, Link Item::*link, std::uint32_t place) {
  (items[place].*link) = {list.last, none};
  (list.last == none ? list.first : (items[list.last].*link).next) = place;
  list.last = place;
}

template <class Item>
void Mailbox::unlink(std::vector<Item>& items, List& list, Link Item::*link, std::uint32_t place) {
  const Link at = items[place].*link;
  (at.previous == none ? list.first : (items[at.previous].*link).next) = at.next;
  (at.next == none ? list.last : (items[at.next].*link).previous) = at.previous;
}

std::uint32_t Mailbox::first_receive(const List& list, Tag tag) const {
  std::uint32_t place = list.first;
  while (place != none && receives_[place].tag && *receives_[place].tag != tag)
    place = receives_[place].in_list.next;
  return place;
}

std::optional<Mailbox::Number> Mailbox::match_message(ActorId from, Tag tag) {
  const auto known = sources_.find(from.value);
  List* list = known == sources_.end() ? nullptr : &known->second.receives;
  std::uint32_t place = list == nullptr ? none : first_receive(*list, tag);
  const std::uint32_t any = first_receive(any_source_receives_, tag);
  if (any != none && (place == none || receives_[any].order < receives_[place].order)) {
    place = any;
    list = &any_source_receives_;
  }
  if (place == none) return std::nullopt;
  unlink(receives_, *list, &Receive::in_list, place);
  free_receives_.push_back(place);
  return receives_[place].number;
}

Mailbox::Place Mailbox::keep_message(Number message, ActorId from, Tag tag, bool is_reserved) {
  const Place place =
      take_place(messages_, free_messages_, Message{message, from, tag, is_reserved, {}, {}});
  append(messages_, all_messages_, &Message::in_all, place);
  append(messages_, source(from).messages, &Message::in_source, place);
  return place;
}

std::uint32_t Mailbox::find(const Pattern& pattern, bool with_reserved) const {
  const auto fits = [&](const Message& message) {
    return (!pattern.tag || *pattern.tag == message.tag) &&
           (with_reserved || !message.is_reserved);
  };
  std::uint32_t place = all_messages_.first;
  if (!pattern.source) {
    while (place != none && !fits(messages_[place])) place = messages_[place].in_all.next;
    return place;
  }
  if (place == none) return none;
  const auto known = sources_.find(pattern.source->value);
  if (known == sources_.end()) return none;
  place = known->second.messages.first;
  while (place != none && !fits(messages_[place])) place = messages_[place].in_source.next;
  return place;
}

std::optional<Mailbox::Number> Mailbox::match_receive(const Pattern& pattern) {
  const std::uint32_t place = find(pattern, false);
  if (place == none) return std::nullopt;
  const Number number = messages_[place].number;
  remove_message(place);
  return number;
}

void Mailbox::keep_receive(Number receive, const Pattern& pattern) {
  const std::uint32_t place = take_place(
      receives_, free_receives_, Receive{receive, pattern.source, pattern.tag, posted_++, {}});
  append(receives_, pattern.source ? source(*pattern.source).receives : any_source_receives_,
         &Receive::in_list, place);
}

std::optional<Mailbox::Number> Mailbox::find_message(const Pattern& pattern) const {
  const std::uint32_t place = find(pattern, true);
  if (place == none) return std::nullopt;
  return messages_[place].number;
}

void Mailbox::remove_message(Place place) {
  unlink(messages_, all_messages_, &Message::in_all, place);
  unlink(messages_, source(messages_[place].source).messages, &Message::in_source, place);
  free_messages_.push_back(place);
}

void Mailbox::remove_receive(Number receive, const Pattern& pattern) {
  List& list = pattern.source ? source(*pattern.source).receives : any_source_receives_;
  std::uint32_t place = list.first;
  while (place != none && receives_[place].number != receive) place = receives_[place].in_list.next;
  REHEARSE_ASSERT(place != none, "a receive that is removed was kept");
  unlink(receives_, list, &Receive::in_list, place);
  free_receives_.push_back(place);
}

}  // namespace rehearse
