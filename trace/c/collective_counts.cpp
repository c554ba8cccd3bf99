// SPDX-License-Identifier: MIT
//
// See collective_counts.hpp.
#include "trace/c/collective_counts.hpp"

#include <unordered_map>
#include <variant>

namespace rehearse::trace::c {

Result<CollectiveCounts> CollectiveCounts::make(const Trace& trace) {
  CollectiveCounts counts;
  for (std::uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    const auto reader = trace.read(rank);
    std::unordered_map<std::uint32_t, std::uint64_t> numbers;
    Action action;
    while (reader->next(action)) {
      const auto* collective = std::get_if<CollectiveAction>(&action.what);
      if (collective == nullptr) continue;
      const std::uint64_t number = numbers[action.communicator]++;
      const CollectiveKind kind = collective->kind;
      const bool is_needed = kind == CollectiveKind::gatherv || kind == CollectiveKind::scatter ||
                             kind == CollectiveKind::scatterv || kind == CollectiveKind::alltoallv;
      if (!is_needed || (collective->flow == Flow::root_to_all && action.member != collective->root)) continue;
      counts.sizes_[{action.communicator, number}][action.member] = {
          collective->bytes, {collective->segments.begin(), collective->segments.end()}};
    }
    if (reader->problem()) return *reader->problem();
  }
  return counts;
}

std::vector<std::uint64_t> CollectiveCounts::received(const Action& action, std::uint64_t number,
                                                      std::size_t members) const {
  std::vector<std::uint64_t> result(members, 0);
  const auto found = sizes_.find({action.communicator, number});
  if (found == sizes_.end()) return result;
  for (const auto& [member, sizes] : found->second)
    result[member] = action.member < sizes.segments.size() ? sizes.segments[action.member] : sizes.bytes;
  return result;
}

}  // namespace rehearse::trace::c
