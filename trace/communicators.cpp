// SPDX-License-Identifier: MIT
//
// Making the communicators in any order in which all members of one have come to their call.
//
// Speed: members that have come to their call on a communicator are counted, so the work is proportional to the calls.
#include "trace/communicators.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace rehearse::trace {

namespace {

// The calls of all ranks, of which each stands at its next one.
class SplitOrder {
 public:
  explicit SplitOrder(const std::vector<std::vector<Split>>& splits) : splits_(splits), next_(splits.size(), 0) {
    numbers_.resize(splits.size());
    for (std::uint32_t rank = 0; rank < numbers_.size(); ++rank) {
      numbers_[rank][0] = 0;
      come(rank);
    }
  }

  bool has_next(std::uint32_t rank) const { return next_[rank] < splits_[rank].size(); }
  const Split& next(std::uint32_t rank) const { return splits_[rank][next_[rank]]; }

  // The communicator that the rank's next call splits; nothing: the rank is no member of one with this number.
  const std::uint32_t* parent_of(std::uint32_t rank) const {
    const auto found = numbers_[rank].find(next(rank).parent);
    return found == numbers_[rank].end() ? nullptr : &found->second;
  }
  // Members of the communicator that stand at a call on it.
  std::size_t standing_at(std::uint32_t communicator) const {
    return communicator < standing_.size() ? standing_[communicator] : 0;
  }

  void go_on(std::uint32_t rank, std::uint32_t made) {
    const Split& split = next(rank);
    if (const std::uint32_t* parent = parent_of(rank)) --standing_[*parent];
    if (made == 0) numbers_[rank].erase(split.number);
    else numbers_[rank][split.number] = made;
    ++next_[rank];
    come(rank);
  }

 private:
  void come(std::uint32_t rank) {
    const std::uint32_t* parent = has_next(rank) ? parent_of(rank) : nullptr;
    if (parent == nullptr) return;
    if (*parent >= standing_.size()) standing_.resize(*parent + 1);
    ++standing_[*parent];
  }

  const std::vector<std::vector<Split>>& splits_;
  std::vector<std::size_t> next_;
  std::vector<std::map<std::int64_t, std::uint32_t>> numbers_;  // by rank: communicator by number
  std::vector<std::size_t> standing_;                           // by communicator
};

std::string place_of(std::uint32_t rank, const Split& split) {
  return (split.line == 0 ? "" : "line " + std::to_string(split.line) + ": ") + "rank " + std::to_string(rank);
}

}  // namespace

Communicators::Communicators(std::uint32_t ranks) : members_(1), made_(ranks) {
  for (std::uint32_t rank = 0; rank < ranks; ++rank) members_[0].push_back({rank});
}

Communicators Communicators::of(std::vector<std::vector<ActorId>> members) {
  Communicators all(0);
  all.members_ = std::move(members);
  return all;
}

Result<Communicators> Communicators::make(const std::vector<std::vector<Split>>& splits) {
  const auto ranks = static_cast<std::uint32_t>(splits.size());
  Communicators all(ranks);
  SplitOrder order(splits);
  std::vector<std::uint32_t> todo;
  for (std::uint32_t rank = ranks; rank-- > 0;)
    if (order.has_next(rank)) todo.push_back(rank);
  std::vector<std::uint32_t> waiting;  // they stand at a call that not all members have come to
  while (!todo.empty()) {
    const std::uint32_t rank = todo.back();
    todo.pop_back();
    if (!order.has_next(rank)) continue;
    const Split& call = order.next(rank);
    const std::uint32_t* parent = order.parent_of(rank);
    if (parent == nullptr) return Error{place_of(rank, call) + ": unknown communicator " + std::to_string(call.parent)};
    if (order.standing_at(*parent) < all.members_[*parent].size()) {
      waiting.push_back(rank);
      continue;
    }
    const std::vector<ActorId> members = all.members_[*parent];            // a copy: all.members_ grows
    using Place = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;  // key, rank in the parent, world rank
    std::map<std::int64_t, std::vector<Place>> groups;
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      const Split& theirs = order.next(members[i].value);
      groups[theirs.is_duplicate ? 0 : theirs.colour].emplace_back(theirs.is_duplicate ? 0 : theirs.key, i,
                                                                   members[i].value);
    }
    for (auto& [colour, group] : groups) {
      std::ranges::sort(group);
      const bool is_made = colour >= 0;
      const auto index = is_made ? static_cast<std::uint32_t>(all.members_.size()) : 0;
      if (is_made) all.members_.emplace_back();
      for (std::uint32_t i = 0; i < group.size(); ++i) {
        const std::uint32_t world = std::get<2>(group[i]);
        if (is_made) all.members_[index].push_back({world});
        all.made_[world].push_back({index, i});
        order.go_on(world, index);
        if (order.has_next(world)) todo.push_back(world);
      }
    }
  }
  for (const std::uint32_t rank : waiting) {
    if (!order.has_next(rank)) continue;
    const Split& call = order.next(rank);
    const std::uint32_t* parent = order.parent_of(rank);
    if (parent == nullptr || all.made_[rank].size() == splits[rank].size()) continue;
    for (const ActorId member : all.members_[*parent]) {
      const bool is_here = order.has_next(member.value) && order.parent_of(member.value) != nullptr &&
                           *order.parent_of(member.value) == *parent;
      if (is_here) continue;
      return Error{place_of(rank, call) + " splits or duplicates communicator " + std::to_string(call.parent) +
                   ", but rank " + std::to_string(member.value) + ", a member, never does"};
    }
  }
  return all;
}

}  // namespace rehearse::trace
