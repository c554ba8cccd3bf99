// SPDX-License-Identifier: MIT
//
// Matches messages with receives by the non-overtaking rule, for one destination in one context.
//
// Rule:    a message goes to the receive that was posted first among those that accept it; a receive
//          takes, among the messages it accepts, the one that became visible first. If the caller makes
//          the messages of one source visible in the order in which they were sent, nothing overtakes.
// Shape:   messages and receives are numbers of the caller. A Place identifies an item here, and is reused after the
//          item is removed. An item is in a list for each kind of query that can find it: by source and tag, by tag,
//          by source, all. The lists of messages for queries with a wildcard are made at the first such query.
// Cost:    constant expected time, independent of the number of items and of the patterns. (Queries skip reserved
//          messages one by one; only forced decisions have them.)
// Threads: none.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/matching/keyed_lists.hpp"
#include "simcore/operation.hpp"

namespace rehearse {

struct Envelope {
  ContextId context;
  ActorId source;
  ActorId destination;
  Tag tag = 0;
};

inline bool accepts(const Pattern& pattern, const Envelope& envelope) {
  return pattern.context == envelope.context && (!pattern.source || *pattern.source == envelope.source) &&
         (!pattern.tag || *pattern.tag == envelope.tag);
}

class Mailbox {
 public:
  using Number = std::uint32_t;
  using Place = std::uint32_t;

  // Removes and returns the receive that takes this message, if there is one.
  std::optional<Number> match_message(ActorId source, Tag tag) { return known(take_receive(source, tag)); }

  // The same without removing it.
  std::optional<Number> find_receive(ActorId source, Tag tag) { return known(see_receive(source, tag)); }

  // Adds a message without a receive. A reserved message can be found but not matched.
  Place keep_message(Number message, ActorId source, Tag tag, bool is_reserved = false);

  // Removes and returns the message that a new receive takes, if there is one.
  std::optional<Number> match_receive(const Pattern& pattern) { return known(take_message(pattern)); }

  // Adds a receive without a message.
  Place keep_receive(Number receive, const Pattern& pattern);

  // The message that a probe finds; it stays.
  std::optional<Number> find_message(const Pattern& pattern) { return known(see_message(pattern)); }

  void remove_message(Place place);

  // Removes a receive.
  void remove_receive(Place place);

  // The cost so far: the number of lists and items examined or changed.
  std::uint64_t steps() const { return steps_; }

 private:
  using List = matching::List;
  static constexpr Number nobody = ~0u;

  // Inline, so that the optimiser removes the optional. A returned optional is written in two parts and read as one,
  // which stalls the processor.
  static std::optional<Number> known(Number number) { return number == nobody ? std::nullopt : std::optional(number); }
  struct Found {
    matching::KeyedLists* lists = nullptr;
    List* list = nullptr;
    std::uint32_t place = matching::nowhere;
  };
  Found first_receive(ActorId source, Tag tag);
  Number see_receive(ActorId source, Tag tag);
  Number take_receive(ActorId source, Tag tag);
  Number take_message(const Pattern& pattern);
  Number see_message(const Pattern& pattern);

  // The wildcards of a query; also the index of the lists that answer it.
  enum Openness : std::uint8_t { nothing = 0, source = 1, tag = 2, both = 3 };
  static constexpr std::uint32_t kinds = 4;

  struct Link {
    std::uint32_t previous = matching::nowhere;
    std::uint32_t next = matching::nowhere;
  };
  struct Message {
    Number number = 0;
    ActorId from;
    Tag tag = 0;
    bool is_reserved = false;
    std::array<Link, kinds> links;
  };
  struct Receive {
    Number number = 0;
    Openness open = nothing;
    std::uint64_t key = 0;
    std::uint64_t order = 0;  // order of posting
    std::array<Link, 1> links;
  };

  static Openness openness(const Pattern& pattern);
  static std::uint64_t key_of(Openness open, ActorId from, Tag tag);
  static std::uint64_t key_of(const Pattern& pattern);
  template <class Item>
  void append(std::vector<Item>& items, List& list, std::size_t link, std::uint32_t place);
  template <class Item>
  void unlink(std::vector<Item>& items, List& list, std::size_t link, std::uint32_t place);
  void list_receive(Place place);
  Number forget_receive(Place place);
  void list_message(Openness open, Place place);
  void unlist_message(Openness open, Place place);
  void list_all(Openness open);
  std::uint32_t find(const Pattern& pattern, bool with_reserved);

  std::vector<Message> messages_;
  std::vector<Place> free_messages_;
  std::array<matching::KeyedLists, kinds - 1> message_lists_;
  List all_messages_;
  std::array<bool, kinds> is_listed_{true, false, false, true};

  std::vector<Receive> receives_;
  std::vector<Place> free_receives_;
  std::array<matching::KeyedLists, kinds> receive_lists_;
  std::array<std::uint32_t, kinds> receive_counts_{};
  std::uint32_t kept_receives_ = 0;
  Place lone_ = matching::nowhere;  // a receive posted while there was no other; it is in no list
  std::uint64_t posted_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace rehearse
