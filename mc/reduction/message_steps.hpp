// SPDX-License-Identifier: MIT
//
// The steps of actors that share only messages, under one policy. Doers are the actors, each with the steps of its
// program, and the posted receives: each takes one message, and chooses which. The dependences follow from the rules of
// matching; see docs/soundness.md, "Orders of steps".
#pragma once

#include <cstdint>
#include <vector>

#include "mc/reduction/moves.hpp"
#include "mc/reduction/steps.hpp"

namespace rehearse::mc::reduction {

class MessageSteps final : public Steps {
 public:
  // recalling: of these actors it is known that they probe again, in some execution, after a probe found something.
  MessageSteps(history::History& history, std::uint32_t actors, const Policy& policy, std::uint32_t polls,
               std::vector<bool>& recalling);

  void list(std::vector<Step>& steps) override;
  void take(Step& step) override;
  void take_back() override { moves_.take_back(); }
  bool doers_choose() const override { return true; }

  const Moves& moves() const { return moves_; }
  // An actor was found to be recalling that was not known to be: what was explored so far may have missed something.
  bool is_outdated() const { return outdated_; }
  void forget_what_is_behind();  // of the history, if it is full

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
