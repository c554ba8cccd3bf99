// SPDX-License-Identifier: MIT
//
// Local histories with equal states are one Node: the trie of an actor becomes a graph without cycles.
//
// Two Nodes are equal if all of these are: the actor, the number of operations so far, the operation with its data, the
// place in the program, the clock, the reports and released requests so far, and the image of the actor's state. Then
// everything that follows them is equal, too. The first of equal Nodes represents them.
//
// Repeated:  with Numbers::left_out, the number of operations, the clock and the reports do not count, and states at
//            all operations are compared: a Node can follow itself. Then the graph has cycles, no Edges are noted, and
//            the owner sees to actors that read the clock.
// Images:    only states in which the actor waits are compared; in between, states usually differ by what the last
//            message left behind. A state without an image equals no other.
// Edges:     each edge has the actors without which the actor cannot get its answer.
// Ownership: the Nodes belong to the History.
// Source:    Katz and Peled, "Defining conditional independence using collapses", TCS 1992, for the limits of merging;
//            docs/soundness.md has the argument.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "mc/history/hash128.hpp"
#include "simcore/program.hpp"
#include "simcore/state_image.hpp"

namespace rehearse::mc::history {

struct Node;

class LocalGraph {
 public:
  enum class Numbers : std::uint8_t { counted, left_out };

  // `program` must have StateImages.
  LocalGraph(Program& program, StateImages::AwaitedBytes awaited, Numbers numbers = Numbers::counted);

  // The Node that represents this new one, which its actor has just reached: the new one itself if it equals no other.
  const Node* representative(const Node& fresh);

  // Only counts a Node that could be represented by another one; each history once, although its Node may be dropped
  // and made again.
  void count(const Node& fresh);

  // Sets of actors: bit a is set for actor a.
  using Actors = std::uint64_t;
  static constexpr std::uint32_t actors_max = 64;

  struct Edge {
    const Node* to = nullptr;
    Actors sources = 0;
  };
  // The actor continued from one Node to the other with an answer that it cannot get without these actors.
  void note_edge(const Node* from, const Node* to, Actors sources);
  std::span<const Edge> edges(const Node* from) const;

  StateImages::AwaitedBytes awaited() const { return awaited_; }

  // Grows with each edge that becomes known, noted or not.
  std::uint64_t edge_count() const { return edge_count_; }
  std::uint64_t merged() const { return merged_; }      // number of Nodes that another one represents
  std::uint64_t compared() const { return compared_; }  // number of Nodes that were compared with others
  std::uint64_t steps() const { return steps_; }        // number of steps from one Node to the next

  // With Numbers::left_out: whether some state had no image, and so equals no other.
  bool lacks_images() const { return lacks_images_; }

 private:
  std::optional<Hash128> key_of(const Node& fresh);
  std::optional<Hash128> repeated_key_of(const Node& fresh);
  const Node* represented(const Node& fresh, const std::optional<Hash128>& key);
  void note_released(const Node& fresh);

  Program& program_;
  StateImages& images_;
  StateImages::AwaitedBytes awaited_;
  Numbers numbers_;
  bool lacks_images_ = false;
  std::unordered_map<Hash128, const Node*, HashOfHash> by_key_;
  std::unordered_map<const Node*, std::vector<Edge>> edges_;
  std::unordered_map<const Node*, Hash128> released_;  // of all Nodes with released requests up to them: their hash
  std::unordered_set<std::uint64_t> counted_;          // names of Nodes
  std::uint64_t edge_count_ = 0, steps_ = 0, merged_ = 0, compared_ = 0;
};

}  // namespace rehearse::mc::history
