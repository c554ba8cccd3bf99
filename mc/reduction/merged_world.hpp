// SPDX-License-Identifier: MIT
//
// One state of all actors whose local histories are merged: its moves, and a hash of all that its future depends on.
//
// Moves that exclude no other one and that nothing can change are made at once (settle): starts, the completion of
// sends, answers without a choice, and matches of receives that name their source. The others are choices.
//
// Errors:   what merging does not support is thrown (NotMergeable, ShortMessage).
// Protocol: moves are undone in the opposite order.
// Threads:  none.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "mc/history/local_graph.hpp"
#include "mc/reduction/moves.hpp"

namespace rehearse::mc::reduction {

// Thrown: merging does not support this feature.
struct NotMergeable {
  std::string feature;
};

// Thrown: a message is shorter than the part of its receive's buffer that did not count as state.
struct ShortMessage {
  std::uint64_t bytes = 0;  // of the message
};

class MergedWorld {
 public:
  using Actors = history::LocalGraph::Actors;

  MergedWorld(history::History& history, history::LocalGraph& graph, std::uint32_t actors, const Policy& policy);

  // Makes moves until only choices are possible.
  void settle();
  // Any actor may have a move that settle() makes.
  void mark_all();
  // The choices of the actor, in a settled state: the messages that its receives can take, and the answers that it can
  // get.
  void list_choices(std::uint32_t actor, std::vector<Move>& moves) const;
  // Makes a choice.
  void make(const Move& move);

  std::size_t made() const { return made_.size(); }
  // Undoes moves until only `count` are made.
  void take_back(std::size_t count);

  // Of a settled state. Equal for states with the same future.
  history::Hash128 state();

  const graph::Graph& graph() const { return moves_.graph(); }
  const Moves& moves() const { return moves_; }
  const history::Node& node(std::uint32_t actor) const { return *graph().actor(actor).node; }
  bool is_over(std::uint32_t actor) const;
  bool is_complete(std::uint32_t actor, RequestId request) const { return moves_.is_complete(actor, request); }
  graph::EventKind kind_of(std::uint32_t actor, RequestId request) const;
  // The actors with data that this actor may still get although they stand still: messages that it has not observed,
  // and arrivals at collectives.
  Actors under_way_to(std::uint32_t actor) const;

 private:
  using Requests = boost::container::small_vector<RequestId, 4>;

  // A collective that some member has not completed yet.
  struct Open {
    const graph::CollectiveInstance* instance = nullptr;
    Actors done = 0;  // members that have completed it
  };
  struct Undo {
    std::uint32_t actor = 0;
    bool changes_requests = false, changes_collectives = false;
    Requests requests;        // before
    std::vector<Open> opens;  // before
  };

  bool settle(std::uint32_t actor);
  bool settle_matches(std::uint32_t actor);
  void require_support(const history::Node& node) const;
  void apply(const Move& move);
  void note_start(std::uint32_t actor, Undo& undo);
  void note_answer(const Move& move, const history::Node& before, Undo& undo);
  void forget_requests(const Move& move, const Observe& observe, Undo& undo);
  void complete_collective(std::uint32_t actor, RequestId request, Undo& undo);
  Actors sources_of(const Move& move, const history::Node& before) const;
  Actors sources_of(std::uint32_t actor, RequestId request) const;
  void check_length(std::uint32_t actor, RequestId request) const;
  template <class Visit>
  void for_each_match(std::uint32_t actor, graph::EventIndex post, Visit&& visit) const;
  bool may_wait(const Send& send) const;
  void mark(std::uint32_t actor) { dirty_ |= Actors{1} << actor; }

  void add_actor_state(std::uint32_t actor);
  void add_channels(std::uint32_t actor);
  void add_collectives();
  void add(std::uint64_t word) { words_.push_back(word); }
  void add(const history::Hash128& hash) { words_.insert(words_.end(), {hash.low, hash.high}); }

  Moves moves_;
  history::LocalGraph& local_;
  Policy policy_;
  Actors dirty_ = 0;                // actors that may have a move that settle() makes
  std::vector<Requests> requests_;  // by actor: its started requests that it has not observed
  std::vector<Open> opens_;         // in the order of their first arrivals
  std::vector<Undo> made_;
  std::vector<std::uint64_t> words_;  // scratch memory of state()
};

}  // namespace rehearse::mc::reduction
