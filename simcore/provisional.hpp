// SPDX-License-Identifier: MIT
//
// Reports of an actor that are errors only if a later event does not happen.
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

// What actors say of sends that they cancel, where either end of it is explored; the ids, with numbers behind a blank.
// A withheld send is one that nobody sees, since it is cancelled: the execution is legal if that is said later. One
// that is cancelled without success must be received.
inline constexpr std::string_view withheld_send = "withheld send";    // is started
inline constexpr std::string_view cancelled_send = "cancelled send";  // of a withheld one: it is cancelled
inline constexpr std::string_view overtaken_send = "overtaken send";  // instead, if others were sent there meanwhile
inline constexpr std::string_view kept_send = "kept send";  // cancelled without success: request, receiver, tag
inline constexpr std::string_view long_tested_send = "tested send";  // of a kept one: too many tests before
inline constexpr std::string_view received_send = "received send";   // by its receiver: sender, tag
inline constexpr std::string_view probed_send = "probed send";       // a probe has seen a message: sender, tag

constexpr bool is_about_cancelling(std::string_view id) {
  for (const std::string_view known :
       {withheld_send, cancelled_send, overtaken_send, kept_send, long_tested_send, received_send, probed_send})
    if (id.starts_with(known)) return true;
  return false;
}

constexpr bool is_provisional(std::string_view id) {
  return id.starts_with(provisional_mark) || id.starts_with(withdrawn_mark);
}

}  // namespace rehearse
