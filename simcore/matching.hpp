// SPDX-License-Identifier: MIT
//
// Which receive takes which message: the non-overtaking rule for one destination in one context.
//
// Rule:    a message goes to the receive that was posted first among those that accept it; a receive
//          takes, among the messages it accepts, the one that became visible first. If the caller makes
//          the messages of one source visible in the order in which they were sent, nothing overtakes.
// Shape:   messages and receives are the caller's own numbers. Places name what is kept here and are
//          used again after removal. What is kept is in a list for each kind of question that may be
//          asked about it: by source and tag, by tag, by source, all. Those of messages for questions
//          with a wildcard are made when the first such question comes.
// Cost:    constant expected, however much is kept and whatever the patterns. (Reserved messages,
//          which only forced decisions have, are walked past.)
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

  // Takes out and returns the receive that takes this message, if there is one now.
  std::optional<Number> match_message(ActorId source, Tag tag) { return known(take_receive(source, tag)); }

  // Keeps a message that nobody takes now. A reserved one can be found but not matched.
  Place keep_message(Number message, ActorId source, Tag tag, bool is_reserved = false);

  // Takes out and returns the message that a new receive takes, if there is one now.
  std::optional<Number> match_receive(const Pattern& pattern) { return known(take_message(pattern)); }

  // Keeps a receive for which there is no message now.
  Place keep_receive(Number receive, const Pattern& pattern);

  // The message that a probe sees; it stays.
  std::optional<Number> find_message(const Pattern& pattern) { return known(see_message(pattern)); }

  void remove_message(Place place);

  // Takes out a receive that is kept.
  void remove_receive(Place place);

  // How many lists and items have been looked at or changed so far: what this has cost.
  std::uint64_t steps() const { return steps_; }

 private:
  using List = matching::List;
  static constexpr Number nobody = ~0u;

  // Here, so that nobody but the optimiser ever sees an optional: one that is returned is written in two pieces and
  // read as one, for which the processor waits.
  static std::optional<Number> known(Number number) { return number == nobody ? std::nullopt : std::optional(number); }
  Number take_receive(ActorId source, Tag tag);
  Number take_message(const Pattern& pattern);
  Number see_message(const Pattern& pattern);

  // What a question leaves open; also the index of the lists that answer it.
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
    std::uint64_t order = 0;  // of posting
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
  Place lone_ = matching::nowhere;  // the only receive, if it came when there was none: it is in no list
  std::uint64_t posted_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace rehearse
