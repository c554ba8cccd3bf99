// SPDX-License-Identifier: MIT
//
// See split_lines.hpp.
#include "trace/ti/split_lines.hpp"

#include <algorithm>

namespace rehearse::trace::ti {

SplitLines::SplitLines(const Communicators& communicators, std::uint32_t ranks) {
  const auto world = communicators.members(0);
  for (std::uint32_t index = 1; index < communicators.size(); ++index) {
    const auto members = communicators.members(index);
    if (std::ranges::equal(members, world)) {
      calls_.push_back({index, {}});
      continue;
    }
    const auto is_taken = [this](ActorId member) { return calls_.back().by_rank[member.value].communicator != 0; };
    const bool fits = !calls_.empty() && !calls_.back().by_rank.empty() && std::ranges::none_of(members, is_taken);
    if (!fits) calls_.push_back({index, std::vector<Membership>(ranks)});
    for (std::uint32_t i = 0; i < members.size(); ++i) calls_.back().by_rank[members[i].value] = {index, i};
  }
}

void SplitLines::append(std::uint32_t rank, std::string& text) const {
  const std::string prefix = std::to_string(rank) + " ";
  for (const Call& call : calls_) {
    if (call.by_rank.empty()) {
      text += prefix + "comm_dup 0 " + std::to_string(call.first) + "\n";
      continue;
    }
    const Membership& own = call.by_rank[rank];
    const bool is_member = own.communicator != 0;
    const std::uint32_t colour = own.communicator - call.first;
    text += prefix + "comm_split 0 " + (is_member ? std::to_string(colour) : "-1") + " " + std::to_string(own.member) +
            " " + std::to_string(is_member ? own.communicator : call.first) + "\n";
  }
}

}  // namespace rehearse::trace::ti
