// SPDX-License-Identifier: MIT
//
// The question of an actor's next step to the execution graph, and the answer as an Observation.
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

  // The question that the actor's observation at `node` asks in this view (its events before view.limit).
  // `again`: that observation once got the answer "no" because nothing else could happen.
  Question observation(const graph::Graph& graph, const View& view, const history::Node& node, bool again) const;
  // The question of an existing observation or decision.
  Question of_event(const graph::Graph& graph, const View& view, const graph::Event& event) const;
  // The question of a decision about one posted receive.
  static Question decision(graph::EventIndex post);

  // Whether the actor got the answer "no" at this place `polls` times, up to view.limit, and did nothing since but get
  // "no", at whatever places: loops often poll for several things in turn.
  static bool is_refused_enough(const graph::Graph& graph, const View& view, const history::Node& node,
                                std::uint32_t polls);

 private:
  std::uint32_t polls_;
};

// Equal for equal answers that the actor's observation at `node` can get. Cheaper than the answer itself.
history::Hash128 reply_key(const graph::Graph& graph, std::uint32_t actor, const history::Node& node,
                           const graph::Option& option);

// The answer that the actor's observation at `node` gets with this option, which already holds in the graph.
void make_reply(const graph::Graph& graph, std::uint32_t actor, const history::Node& node, const graph::Option& option,
                history::Reply& reply);

}  // namespace rehearse::mc::reduction
