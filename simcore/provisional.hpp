// SPDX-License-Identifier: MIT
//
// Reports of an actor that are errors only if a later event does not happen.
//
// A provisional report consists of `provisional_mark` and the id of its finding. It is valid until the actor reports
// the same message again with `withdrawn_mark`. It names the actors concerned, the reporting one first. Judges
// interpret valid reports; nobody else shows them.
#pragma once

#include <string_view>

namespace rehearse {

inline constexpr std::string_view provisional_mark = "provisional:";
inline constexpr std::string_view withdrawn_mark = "withdrawn:";

// Provisional: the actor no longer needs the message of a send that it started, and prefers that it does not arrive.
// The message of the finding is the number of the send's request.
inline constexpr std::string_view unwanted_send = "unwanted send";

// Another thread of the actor could continue while the actor waits: what it waits for cannot be judged.
inline constexpr std::string_view threads_overlap = "threads overlap";

// Reports about cancelled sends, if both results of the cancellation are explored: ids, followed by a blank and
// numbers. A withheld send is invisible to all receivers, because it will be cancelled; the execution is legal only if
// a later report cancels it. A send that is cancelled without success must be received.
inline constexpr std::string_view withheld_send = "withheld send";    // the send is started
inline constexpr std::string_view cancelled_send = "cancelled send";  // the withheld send is cancelled
inline constexpr std::string_view overtaken_send =
    "overtaken send";                                       // instead, if other messages were sent there meanwhile
inline constexpr std::string_view kept_send = "kept send";  // cancelled without success: request, receiver, tag
inline constexpr std::string_view long_tested_send = "tested send";  // of a kept send: too many tests before
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
