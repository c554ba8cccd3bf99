// SPDX-License-Identifier: MIT
//
// The messages that an actor can still send, as far as its local graph is known.
//
// Memory: one set for each pair of a Node and a set of silent actors that was asked for; equal sets are stored once.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "mc/history/history.hpp"
#include "mc/history/local_graph.hpp"

namespace rehearse::mc::reduction {

class Futures {
 public:
  using Actors = history::LocalGraph::Actors;

  struct Envelope {
    ActorId destination;
    ContextId context;
    Tag tag = 0;
    auto operator<=>(const Envelope&) const = default;
  };

  explicit Futures(const history::LocalGraph& graph) : graph_(graph) {}

  // The messages that the actor may send after the operation of this Node, if it gets no answer that needs one of the
  // silent actors. Valid until the next call.
  std::span<const Envelope> after(const history::Node* node, Actors silent);

  // Whether every result of after() since the last forget() would be the same now, although the local graph may have
  // grown meanwhile.
  bool still_hold();

  // Forgets all results.
  void forget() {
    known_.clear();
    asked_.clear();
  }

 private:
  using Set = std::uint32_t;  // index in sets_
  struct Key {
    const history::Node* node;
    Actors silent;
    bool operator==(const Key&) const = default;
  };
  struct HashOfKey {
    std::size_t operator()(const Key& key) const {
      return (reinterpret_cast<std::uintptr_t>(key.node) >> 4) * 0x9e3779b97f4a7c15 ^ key.silent * 0xbf58476d1ce4e5b9;
    }
  };

  Set find(const history::Node* node, Actors silent);
  template <class Visit>
  void for_each_next(const history::Node* node, Actors silent, Visit&& visit) const;
  Set intern(const std::vector<Envelope>& set);

  const history::LocalGraph& graph_;
  std::unordered_map<Key, Set, HashOfKey> known_;
  std::unordered_map<Key, Set, HashOfKey> asked_;  // the results of after()
  std::vector<std::vector<Envelope>> sets_{1};     // the first one is empty
  std::map<std::vector<Envelope>, Set> by_content_;
};

}  // namespace rehearse::mc::reduction
