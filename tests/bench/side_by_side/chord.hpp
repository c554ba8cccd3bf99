// SPDX-License-Identifier: MIT
//
// The ring of Chord (Stoica, Morris, Karger, Kaashoek, Balakrishnan: SIGCOMM 2001) in its steady state: every peer
// knows its successor, its predecessor and its fingers. A peer is an actor with a mailbox; it takes part in lookups
// and, when it has started one, in one round of stabilisation with its successor.
//
// Threads: actors of one simulation take turns; what they share here needs no lock.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workload.hpp"

namespace rehearse::bench {

template <class Side>
class Chord {
 public:
  // peers lookups
  Chord(Side& side, const Arguments& arguments) : side_(side), lookups_(arguments.count(1)), ids_(arguments.count(0)) {
    Generator random(11);
    for (std::size_t i = 0; i < ids_.size(); ++i) {  // sorted and distinct
      const std::uint64_t step = (std::uint64_t{1} << bits) / ids_.size();
      ids_[i] = i * step + random.below(step);
    }
    for (std::size_t i = 0; i < ids_.size(); ++i) mailboxes_.push_back(side.mailbox("peer-" + std::to_string(i)));
    done_ = side.mailbox("done");
  }

  void add_actors() {
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      side_.add_daemon("peer", i % side_.host_count(), [this, i] { serve(i); });
    }
    side_.add_actor("user", 0, [this] { ask_for_lookups(); });
  }

 private:
  static constexpr unsigned bits = 40;
  static constexpr double message_bytes = 50;
  enum class Kind { start, find_successor, answer, whose_predecessor, predecessor };
  struct Message {
    Kind kind;
    std::size_t origin;
    std::uint64_t key;
  };

  void ask_for_lookups() {
    Generator random(13);
    for (std::size_t i = 0; i < lookups_; ++i) {
      side_.sleep_for(random.between(0, 0.002));
      send(random.below(ids_.size()), {Kind::start, 0, random.below(std::uint64_t{1} << bits)});
    }
    side_.template get<Message>(done_);
  }

  void serve(std::size_t self) {
    const std::size_t successor = (self + 1) % ids_.size();
    for (;;) {
      const std::unique_ptr<Message> message(side_.template get<Message>(mailboxes_[self]));
      switch (message->kind) {
        case Kind::start:
          send(successor, {Kind::whose_predecessor, self, 0});
          forward(self, {Kind::find_successor, self, message->key});
          break;
        case Kind::find_successor: forward(self, *message); break;
        case Kind::whose_predecessor: send(message->origin, {Kind::predecessor, self, 0}); break;
        case Kind::predecessor: break;
        case Kind::answer:
          if (++answered_ == lookups_) side_.put_detached(done_, new Message{*message}, message_bytes);
          break;
      }
    }
  }

  void forward(std::size_t self, const Message& message) {
    const std::uint64_t ring = std::uint64_t{1} << bits, mask = ring - 1;
    const std::uint64_t distance = (message.key - ids_[self]) & mask;
    const std::size_t successor = (self + 1) % ids_.size();
    if (distance <= ((ids_[successor] - ids_[self]) & mask)) {
      send(message.origin, {Kind::answer, successor, message.key});
      return;
    }
    for (unsigned finger = bits; finger-- > 0;) {  // the farthest finger that is before the key
      const std::uint64_t target = (ids_[self] + (std::uint64_t{1} << finger)) & mask;
      const auto at = std::lower_bound(ids_.begin(), ids_.end(), target);
      const std::size_t next = at == ids_.end() ? 0 : static_cast<std::size_t>(at - ids_.begin());
      if (next != self && ((ids_[next] - ids_[self]) & mask) < distance) {
        send(next, message);
        return;
      }
    }
    send(successor, message);
  }

  void send(std::size_t peer, const Message& message) {
    side_.put_detached(mailboxes_[peer], new Message{message}, message_bytes);
  }

  Side& side_;
  std::size_t lookups_, answered_ = 0;
  std::vector<std::uint64_t> ids_;
  std::vector<typename Side::Mailbox> mailboxes_;
  typename Side::Mailbox done_;
};

}  // namespace rehearse::bench
