// SPDX-License-Identifier: MIT
//
// Runs actors from an answer to the place where they wait for others again, with any combination of messages: the only
// part of the proof that runs the program.
//
// Sends are complete at once. One that a policy may make wait is a place where the actor stops, and from which it can
// continue.
//
// Errors:  NoProof if the program does something that is not supported; ShortMessage (then the buffers of waiting
//          receives must count as state).
// Threads: none.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mc/flow/local_state.hpp"
#include "mc/history/local_graph.hpp"

namespace rehearse::mc::flow {

// Thrown: there is no proof.
struct NoProof {
  std::string why;
};

// Thrown: a message is shorter than the part of its receive's buffer that did not count as state.
struct ShortMessage {
  std::uint64_t bytes = 0;  // of the message
};

struct Waiting {
  bool sends = false;          // standard sends may wait until their message is taken
  bool synchronising = false;  // members of collectives wait for all members
};

// The actor stands at its next wait.
struct Arrival {
  struct Emission {
    ChannelId channel = 0;
    Content content;
    std::optional<RequestId> request;  // the one that may wait until the message is taken
  };
  LocalState state;
  std::vector<Emission> sends;  // on the way, in order
  std::string objection;        // why an execution with this step would be wrong; empty: it is not
};

class LocalRunner {
 public:
  LocalRunner(history::History& history, const history::LocalGraph& graph, Messages& messages, Waiting waiting)
      : history_(history), awaited_(graph.awaited()), messages_(messages), waiting_(waiting) {}

  Arrival start(std::uint32_t actor);

  // The request takes the message, and the actor continues if nothing else can happen to it first.
  Arrival take(const LocalState& from, std::uint32_t request, MessageId message);

  // The ways to continue without another message.
  std::vector<Arrival> continuations(const LocalState& from);

  // Whether members of some collective need not wait for all members.
  bool has_partial_collectives() const { return has_partial_collectives_; }

 private:
  void go_on(Arrival& arrival);
  bool step(Arrival& arrival);
  bool send(Arrival& arrival, const Send& send);
  bool post(Arrival& arrival, const Post& post);
  bool collective(Arrival& arrival, const Collective& collective);
  bool observe(Arrival& arrival);
  void inspect(Arrival& arrival);
  void require_agreement(const Node& node, std::uint32_t number);
  bool may_continue(const LocalState& state) const;
  void answer(Arrival& arrival, const std::vector<std::uint32_t>& positions);
  template <class Pieces>
  void tell(const LocalState& state, const std::vector<std::uint32_t>& positions, Pieces& pieces) const;
  template <class Pieces>
  void tell_parts(const LocalState& state, const StartedRequest& request, Pieces& pieces) const;
  void check_length(const StartedRequest& request) const;

  history::History& history_;
  StateImages::AwaitedBytes awaited_;
  Messages& messages_;
  Waiting waiting_;
  bool has_partial_collectives_ = false;
  // What the members of a collective, by its context and number, pass.
  std::map<std::pair<ContextId, std::uint32_t>, std::set<std::pair<std::uint64_t, std::uint64_t>>> calls_;
};

}  // namespace rehearse::mc::flow
