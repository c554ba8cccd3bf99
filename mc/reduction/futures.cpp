// SPDX-License-Identifier: MIT
//
// Unites the sets of the following Nodes, from the end to the beginning: the local graph has no cycles.
#include "mc/reduction/futures.hpp"

#include <algorithm>

namespace rehearse::mc::reduction {

using history::Node;

std::span<const Futures::Envelope> Futures::after(const Node* node, Actors silent) {
  const auto [asked, is_new] = asked_.emplace(Key{node, silent}, 0);
  if (is_new) asked->second = find(node, silent);
  return sets_[asked->second];
}

bool Futures::still_hold() {
  known_.clear();
  return std::ranges::all_of(asked_, [this](const auto& asked) {
    return find(asked.first.node, asked.first.silent) == asked.second;
  });
}

// Calls visit(node) for each Node that may follow.
template <class Visit>
void Futures::for_each_next(const Node* node, Actors silent, Visit&& visit) const {
  if (node->after_nothing != nullptr) visit(node->after_nothing);
  for (const history::LocalGraph::Edge& edge : graph_.edges(node))
    if ((edge.sources & silent) == 0) visit(edge.to);
}

Futures::Set Futures::find(const Node* node, Actors silent) {
  std::vector<const Node*> pending{node};
  while (!pending.empty()) {
    const Node* at = pending.back();
    if (known_.contains({at, silent})) {
      pending.pop_back();
      continue;
    }
    const std::size_t before = pending.size();
    for_each_next(at, silent, [&](const Node* next) {
      if (!known_.contains({next, silent})) pending.push_back(next);
    });
    if (pending.size() > before) continue;
    pending.pop_back();
    std::vector<Envelope> all;
    for_each_next(at, silent, [&](const Node* next) {
      if (const auto* send = std::get_if<Send>(&next->operation))
        all.push_back({send->destination, send->context, send->tag});
      const std::vector<Envelope>& more = sets_[known_.at({next, silent})];
      all.insert(all.end(), more.begin(), more.end());
    });
    std::ranges::sort(all);
    const auto same = std::ranges::unique(all);
    all.erase(same.begin(), same.end());
    known_.emplace(Key{at, silent}, intern(all));
  }
  return known_.at({node, silent});
}

Futures::Set Futures::intern(const std::vector<Envelope>& set) {
  if (set.empty()) return 0;
  const auto [known, is_new] = by_content_.emplace(set, static_cast<Set>(sets_.size()));
  if (is_new) sets_.push_back(set);
  return known->second;
}

}  // namespace rehearse::mc::reduction
