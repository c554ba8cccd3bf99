// SPDX-License-Identifier: MIT
//
// Which receive takes which message: the non-overtaking rule for one destination in one context.
//
// Rule:    a message goes to the receive that was posted first among those that accept it; a receive
//          takes, among the messages it accepts, the one that became visible first. If the caller makes
//          the messages of one source visible in the order in which they were sent, nothing overtakes.
// Shape:   messages and receives are the caller's own numbers. Places name what is kept here and are
//          used again after removal.
// Cost:    constant, plus the messages or receives of the same source (or of any source) that do not
//          fit by tag.
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/operation.hpp"

namespace rehearse {

struct Envelope {
  ContextId context;
  ActorId source;
  ActorId destination;
  Tag tag = 0;
};

inline bool accepts(const Pattern& pattern, const Envelope& envelope) {
  return pattern.context == envelope.context &&
         (!pattern.source || *pattern.source == envelope.source) &&
         (!pattern.tag || *pattern.tag == envelope.tag);
}

class Mailbox {
 public:
  using Number = std::uint32_t;
  using Place = std::uint32_t;

  // Takes out and returns the receive that takes this message, if there is one now.
  std::optional<Number> match_message(ActorId source, Tag tag);

  // Keeps a message that nobody takes now. A reserved one can be found but not matched.
  Place keep_message(Number message, ActorId source, Tag tag, bool is_reserved = false);

  // Takes out and returns the message that a new receive takes, if there is one now.
  std::optional<Number> match_receive(const Pattern& pattern);

  // Keeps a receive for which there is no message now.
  void keep_receive(Number receive, const Pattern& pattern);

  // The message that a probe sees; it stays.
  std::optional<Number> find_message(const Pattern& pattern) const;

  void remove_message(Place place);

  // Takes out a receive that is kept.
  void remove_receive(Number receive, const Pattern& pattern);

 private:
  static constexpr std::uint32_t none = ~0u;

  // Doubly linked lists through index pairs; a message is in two, a receive in one.
  struct Link {
    std::uint32_t previous = none;
    std::uint32_t next = none;
  };
  struct List {
    std::uint32_t first = none;
    std::uint32_t last = none;
  };
  struct Message {
    Number number = 0;
    ActorId source;
    Tag tag = 0;
    bool is_reserved = false;
    Link in_all;
    Link in_source;
  };
  struct Receive {
    Number number = 0;
    std::optional<ActorId> source;
    std::optional<Tag> tag;
    std::uint64_t order = 0;
    Link in_list;
  };
  struct Source {
    List messages;
    List receives;
  };

  template <class Item>
  static void append(std::vector<Item>& items, List& list, Link Item::*link, std::uint32_t place);
  template <class Item>
  static void unlink(std::vector<Item>& items, List& list, Link Item::*link, std::uint32_t place);
  std::uint32_t find(const Pattern& pattern, bool with_reserved) const;
  std::uint32_t first_receive(const List& list, Tag tag) const;
  Source& source(ActorId actor) { return sources_[actor.value]; }

  std::vector<Message> messages_;
  std::vector<Place> free_messages_;
  std::vector<Receive> receives_;
  std::vector<std::uint32_t> free_receives_;
  std::unordered_map<std::uint32_t, Source> sources_;
  List all_messages_;
  List any_source_receives_;
  std::uint64_t posted_ = 0;
};

}  // namespace rehearse
