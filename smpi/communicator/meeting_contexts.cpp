// SPDX-License-Identifier: MIT
//
// See smpi/ports.hpp.
#include "smpi/ports.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint64_t meeting_contexts = 0xb000'0000'0000'0000, meeting_mask = 0xf000'0000'0000'0000;

}  // namespace

ContextId meeting_context(ActorId owner, std::uint32_t number, MeetingStep step) {
  return {meeting_contexts | std::uint64_t{owner.value} << 28 | std::uint64_t{number} << 4 |
          static_cast<std::uint64_t>(step)};
}

bool is_of_meeting(ContextId context) {
  return (context.value & meeting_mask) == meeting_contexts &&
         (context.value & 0xf) <= static_cast<std::uint64_t>(MeetingStep::from_server);
}

}  // namespace rehearse::smpi
