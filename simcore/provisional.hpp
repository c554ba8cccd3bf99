// SPDX-License-Identifier: MIT
//
// Reports of an actor about what is only known later to be wrong, or never.
//
// A provisional report has the id of its finding behind `provisional_mark`. It stands until the actor reports the same
// message again behind `withdrawn_mark`. The actors that it names are those that are concerned, the reporting one
// first. Judges decide what a report that stands means; nobody else reports it.
#pragma once

#include <string_view>

namespace rehearse {

inline constexpr std::string_view provisional_mark = "provisional:";
inline constexpr std::string_view withdrawn_mark = "withdrawn:";

// Provisional: the actor does not need the message of a send that it started any more, and would have it not arrive.
// The finding's message is the number of the send's request.
inline constexpr std::string_view unwanted_send = "unwanted send";

constexpr bool is_provisional(std::string_view id) {
  return id.starts_with(provisional_mark) || id.starts_with(withdrawn_mark);
}

}  // namespace rehearse
