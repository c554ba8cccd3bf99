// SPDX-License-Identifier: MIT
//
// The question that an actor's observation asks, in terms of the execution graph, and its answer as a Reply.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mc/graph/graph.hpp"
#include "mc/reduction/options.hpp"

namespace rehearse::mc::reduction {

class Questions {
 public:
  explicit Questions(std::uint32_t polls) : polls_(polls) {}

  // The question of the actor's observation at `node` in this view. `again`: the graph has this observation, with the
  // answer "no" because nothing else could happen (Event::forced).
  Question observation(const graph::Graph& graph, const View& view, const history::Node& node, bool again) const;
  // The question of an observation or decision in the graph.
  Question of_event(const graph::Graph& graph, const View& view, const graph::Event& event) const;
  // The question of a decision about one posted receive.
  static Question decision(graph::EventIndex post);

  // Whether the actor got the answer "no" at this place `polls` times, in a row of answers "no" that ends at
  // view.limit. The row may contain polls at other places, because loops often poll for several things in turn.
  static bool is_refused_enough(const graph::Graph& graph, const View& view, const history::Node& node,
                                std::uint32_t polls);

 private:
  std::uint32_t polls_;
};

// Identifies the answer of this option to the actor's observation at `node`. Cheaper to compute than the answer.
history::Hash128 reply_key(const graph::Graph& graph, std::uint32_t actor, const history::Node& node,
                           const graph::Option& option);

// The answer of this option to the actor's observation at `node`. The graph must have the matches of the option.
void make_reply(const graph::Graph& graph, std::uint32_t actor, const history::Node& node, const graph::Option& option,
                history::Reply& reply);

}  // namespace rehearse::mc::reduction
