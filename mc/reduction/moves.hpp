// SPDX-License-Identifier: MIT
//
// The operational semantics under one policy, in moves: an actor sends, posts a receive, arrives at a collective, or
// gets an answer; a receive takes a message. The code follows the rules literally.
//
// Protocol: list() lists the moves that are possible now, make() makes one of them, take_back() undoes the last one.
#pragma once

#include <cstdint>
#include <vector>

#include "mc/buffering/policy_replay.hpp"
#include "mc/explore_options.hpp"
#include "mc/graph/graph.hpp"
#include "mc/history/history.hpp"

namespace rehearse::mc::reduction {

using graph::EventRef;

struct Move {
  enum class Kind : std::uint8_t {
    match,     // the receive takes the message
    start,     // the actor sends, posts or arrives
    complete,  // the actor's blocking send is complete
    answer,    // the actor gets the answer of the option
  } kind = Kind::match;
  std::uint32_t actor = 0;                   // of a match: the receiver
  graph::EventIndex post = graph::no_event;  // of a match
  EventRef send;                             // of a match
  graph::Option option;                      // of an answer
};

class Moves {
 public:
  Moves(history::History& history, std::uint32_t actors, const Policy& policy, std::uint32_t polls);

  void list(std::vector<Move>& moves) const;
  // Parts of list(): the moves of one actor but for its matches, and the matches of one open receive.
  void list_of_actor(std::uint32_t actor, std::vector<Move>& moves) const;
  void list_matches(std::uint32_t receiver, graph::EventIndex post, std::vector<Move>& moves) const;
  void make(const Move& move);
  void take_back();

  const graph::Graph& graph() const { return graph_; }
  const Policy& policy() const { return policy_; }
  buffering::PolicyOutcome outcome() const;  // of a state without a possible move
  // For a state without a possible move: whether an actor polls, which got the answer "no" too often to get it again.
  // Its next operation is unknown.
  bool polls_in_vain() const;
  // Whether a started request of the actor is complete.
  bool is_complete(std::uint32_t actor, RequestId request) const { return complete(actor, request); }
  // Whether the bound on polls has prevented an answer "no" in any state so far.
  bool has_left_out_refusals() const { return left_out_refusals_; }
  // Equal for states with the same observations and the same possible continuations.
  history::Hash128 state() const;

 private:
  struct Made {
    Move::Kind kind;
    std::uint32_t actor;
    graph::EventIndex post;
    EventRef send;
    const history::Node* node;  // of a complete: the node before
  };

  void list_observe(std::uint32_t actor, const Observe& op, std::vector<Move>& moves) const;
  void list_probe(std::uint32_t actor, const Probe& op, std::vector<Move>& moves) const;
  void start(std::uint32_t actor);
  void answer(std::uint32_t actor, graph::Option option);
  bool may_refuse(std::uint32_t actor) const;
  bool matched(EventRef e) const { return graph_.event(e).partner.event != graph::no_event; }
  // The first open message of the sender that the pattern accepts; without event: none.
  EventRef first_accepted(std::uint32_t receiver, const Pattern& pattern, std::uint32_t sender) const;
  // The first open receive that accepts the message.
  graph::EventIndex first_accepting(std::uint32_t receiver, EventRef send) const;
  bool send_complete(EventRef send) const;
  bool complete(std::uint32_t actor, RequestId request) const;

  history::History& history_;
  graph::Graph graph_;
  Policy policy_;
  std::uint32_t polls_;
  std::vector<std::uint32_t> all_;
  std::vector<Made> made_;
  mutable bool left_out_refusals_ = false;
  mutable std::vector<std::uint64_t> words_;  // of state(); a member because states are many
};

}  // namespace rehearse::mc::reduction
