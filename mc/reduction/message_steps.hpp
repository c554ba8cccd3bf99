// SPDX-License-Identifier: MIT
//
// The steps of actors that share only messages, under one policy. The doers are the actors, with the steps of their
// programs, and the posted receives, each with one step: it chooses a message and takes it. The rules of matching
// define the dependence of steps; see docs/soundness.md, "Orders of steps".
#pragma once

#include <cstdint>
#include <vector>

#include "mc/reduction/moves.hpp"
#include "mc/reduction/steps.hpp"

namespace rehearse::mc::reduction {

class MessageSteps final : public Steps {
 public:
  // recalling: by actor, whether some execution is known in which it polls with a probe after an earlier probe of it
  // found a message. The class adds actors.
  MessageSteps(history::History& history, std::uint32_t actors, const Policy& policy, std::uint32_t polls,
               std::vector<bool>& recalling);

  void list(std::vector<Step>& steps) override;
  void take(Step& step) override;
  void take_back() override { moves_.take_back(); }
  bool doers_choose() const override { return true; }

  const Moves& moves() const { return moves_; }
  // Whether an actor turned out to be recalling: the exploration so far assumed too few dependences and must be
  // repeated.
  bool is_outdated() const { return outdated_; }
  void forget_what_is_behind();  // drops local histories, if the History is full

 private:
  void name(const Move& move, Step& step) const;
  void add_footprint(const Move& move, Footprint& footprint) const;
  void add_match(const Move& move, Footprint& footprint) const;
  void add_completion(graph::EventRef send, Footprint& footprint) const;
  void add_request(std::uint32_t actor, RequestId request, Footprint& footprint) const;
  void add_observe(const Move& move, const Observe& op, Footprint& footprint) const;
  void add_probe(const Move& move, const Probe& op, Footprint& footprint) const;
  void add_view(std::uint32_t actor, const Pattern& pattern, graph::EventIndex posts_before, graph::EventRef send,
                Footprint& footprint) const;
  bool recalls(const Move& move) const;

  history::History& history_;
  Moves moves_;
  std::vector<bool>& recalling_;
  bool outdated_ = false;
  std::vector<Move> listed_;
};

}  // namespace rehearse::mc::reduction
