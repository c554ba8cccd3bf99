// SPDX-License-Identifier: MIT
//
// See member.hpp.
#include "simcore/real/member.hpp"

namespace rehearse::real {

std::optional<std::uint64_t> quiet_count(const std::vector<Member>& members) {
  std::uint64_t sent = 0, received = 0;
  for (const Member& member : members) {
    if (member.is_lost) continue;
    if (!member.status || !member.status->is_passive || member.status->orders_received != member.orders)
      return std::nullopt;
    for (std::size_t other = 0; other < members.size(); ++other) {
      if (members[other].is_lost) continue;
      sent += member.status->sent_to.at(other);
      received += member.status->received_from.at(other);
    }
  }
  if (sent != received) return std::nullopt;
  return sent;
}

}  // namespace rehearse::real
