// SPDX-License-Identifier: MIT
//
// Finds equal lists.
#include "simcore/actor_lists.hpp"

#include <algorithm>

#include "simcore/support/hash.hpp"

namespace rehearse {
const ActorList& ActorLists::first(std::uint32_t count) {
  const ActorList*& known = first_[count];
  if (known != nullptr) return *known;
  std::vector<ActorId> actors(count);
  for (std::uint32_t i = 0; i < count; ++i) actors[i] = ActorId{i};
  known = &share(actors);
  return *known;
}

const ActorList& ActorLists::share(std::span<const ActorId> actors) {
  const std::uint64_t hash = hash_in_memory(actors.data(), actors.size_bytes());
  const auto [begin, end] = lists_.equal_range(hash);
  for (auto known = begin; known != end; ++known)
    if (std::ranges::equal(known->second->actors, actors)) return *known->second;
  auto list = std::make_unique<ActorList>();
  list->actors.assign(actors.begin(), actors.end());
  for (std::uint32_t i = 0; i < actors.size(); ++i) list->places.emplace_back(actors[i], i);
  const bool is_identity = std::ranges::all_of(list->places, [](auto& p) { return p.first.value == p.second; });
  if (is_identity) list->places.clear();
  std::ranges::sort(list->places);
  return *lists_.emplace(hash, std::move(list))->second;
}

}  // namespace rehearse
