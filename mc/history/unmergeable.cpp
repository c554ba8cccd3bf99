// SPDX-License-Identifier: MIT
//
// Names of features.
#include "mc/history/unmergeable.hpp"

#include <string>

#include "simcore/birth.hpp"

namespace rehearse::mc::history {

std::string unmergeable_in(const Node& node) {
  if (node.last_published != nullptr) return "predicates over published values";
  if (const auto* send = std::get_if<Send>(&node.operation))
    return send->mode == SendMode::ready ? "sends in ready mode" : "";
  if (std::holds_alternative<Probe>(node.operation)) return "probes";
  if (std::holds_alternative<Choose>(node.operation)) return "actors that share memory, and cancelled sends";
  if (awaits_birth(node.operation)) return started_actors;
  if (const auto* post = std::get_if<Post>(&node.operation)) return post->taken ? "matched probes" : "";
  const auto* observe = std::get_if<Observe>(&node.operation);
  if (observe == nullptr || observe->blocking) return "";
  return observe->withdraws ? "cancelled receives" : "tests of requests";
}

}  // namespace rehearse::mc::history
