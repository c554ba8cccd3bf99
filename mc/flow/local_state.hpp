// SPDX-License-Identifier: MIT
//
// Where an actor stands, apart from its counters: its Node, and the requests that it has started and not observed.
//
// Receives take their messages late: only when the actor waits, and only those that the wait depends on (closure in
// LocalState::active). Nobody can observe when a receive took its message, and docs/soundness.md argues that late
// matches permit everything that early ones do.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mc/flow/messages.hpp"

namespace rehearse::mc::flow {

struct StartedRequest {
  RequestId id;
  const Node* started = nullptr;       // its Send, Post or Collective
  std::vector<MessageId> got;          // of a receive: its message; of a collective: of the first members in `awaited`
  std::vector<std::uint32_t> awaited;  // of a collective: the other members that it waits for
  std::uint32_t number = 0;            // of a collective: calls in its context before
  bool may_wait = false;               // a send that may wait until its message is taken
  MessageId sent = no_message;         // its message

  bool is_receive() const { return std::holds_alternative<Post>(started->operation); }
  bool is_open_receive() const { return is_receive() && got.empty(); }
  bool is_collective() const { return std::holds_alternative<Collective>(started->operation); }
  // It has all messages that it needs. A send has.
  bool is_complete() const { return is_receive() ? !got.empty() : got.size() == awaited.size(); }
  const Pattern& pattern() const { return std::get<Post>(started->operation).pattern; }
};

// Rules that can be left out, to show in tests that each is necessary.
struct LocalRules {
  bool takes_overlapping = true;  // false: a wait never lets other receives take messages
};

struct LocalState {
  std::uint32_t actor = 0;
  const Node* node = nullptr;
  std::vector<StartedRequest> requests;                          // in the order in which they were started
  std::vector<std::pair<ContextId, std::uint32_t>> collectives;  // number of calls in each context so far

  // What its operation waits for.
  struct Wait {
    std::vector<std::uint32_t> requests;  // indices into `requests`
    bool for_all = true;                  // otherwise for one, or for some
  };
  Wait wait() const;
  bool is_over() const;

  // The indices of requests that may take a message here. `all`: not only those that the wait depends on.
  std::vector<std::uint32_t> active(bool all, const LocalRules& rules) const;

  // Equal for states with the same future.
  Hash128 key() const;
};

// Whether both receives accept some message.
bool overlap(const Pattern& a, const Pattern& b);

}  // namespace rehearse::mc::flow
