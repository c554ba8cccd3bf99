// SPDX-License-Identifier: MIT
//
// The answer to an actor, and the objects that can be released after the actor has read it.
//
// Ownership: the observation points to messages and contributions; they stay until recycle().
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simcore/engine/actor_table.hpp"
#include "simcore/engine/contributions.hpp"
#include "simcore/engine/pool.hpp"
#include "simcore/engine/requests.hpp"
#include "simcore/engine/run_state.hpp"
#include "simcore/engine/state.hpp"
#include "simcore/observation.hpp"

namespace rehearse::engine {

class Answers {
 public:
  Answers(const RunState& run, ActorTable& actors, Pool<Message>& messages, Requests& requests)
      : run_(run), actors_(actors), messages_(messages), requests_(requests) {}

  const Observation& observation() const { return observation_; }
  void clear() { observation_ = {}; }

  void say_no() { observation_.flag = false; }
  void say_date(TimePoint now) { observation_.now = now; }
  void say_way(std::uint32_t way);
  void say_indices(std::span<const std::uint32_t> indices);
  void say_message(const Message& message);
  // `chosen`: indices of the operation's requests that are done.
  void say_done(ActorState& actor, const Observe& operation, const std::vector<std::uint32_t>& chosen);
  // All requests of the operation are done.
  void say_all_done(ActorState& actor, const Observe& operation);
  // The actor's blocking send, receive or collective is done.
  void say_finished(ActorState& actor);

  // Of a collective of known duration.
  void say_contributions(std::span<const std::span<const std::byte>> contributions) {
    observation_.contributions = contributions;
  }

  // Call it when the actor has read its answer: releases the objects of the answer.
  void recycle() {
    if (!finished_messages_.empty() || !finished_collectives_.empty()) recycle_all();
  }

 private:
  void recycle_all();
  void add_completion(std::uint32_t index, Request& request);
  void note_partner(const Request& request, TimePoint began);
  void note_partners(const Request& request);

  const RunState& run_;
  ActorTable& actors_;
  Pool<Message>& messages_;
  Requests& requests_;
  Contributions contributions_;
  Observation observation_;
  std::vector<Completion> completions_;
  std::vector<Message*> finished_messages_;     // to release once the answer is read
  std::vector<Request*> finished_collectives_;  // and accesses
};

}  // namespace rehearse::engine
