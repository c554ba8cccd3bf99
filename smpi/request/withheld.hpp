// SPDX-License-Identifier: MIT
//
// Cancelled sends: both outcomes of the cancellation are explored.
//
// The outcome is chosen when the send starts, at the places of the program whose sends are known to be cancelled later
// (smpi/process.hpp, CancelSearch). If it is "cancelled", the send is withheld: the driver never sees it. If the
// program then acts in a way that only a send with a message permits (it waits for the send, or ends), the execution
// does not exist. It is dropped, because the exploration also explores the other outcome. Notes inform the judges
// (simcore/provisional.hpp).
#pragma once

#include "smpi/p2p/transfer.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {

// Limit on the tests of one withheld send that answer "not complete". Above it, the send counts as not cancelled.
inline constexpr std::uint32_t max_refusals = 100;

inline bool is_withheld(const Request& request) { return request.extra && request.extra->send.is_withheld; }

// Asks the driver whether the send that starts here is withheld.
bool withholds(Request& request);
// Called when the rank sends another message.
void note_send(const MatchingSpace& space, int peer);
// Called when a test of the request answers "not complete".
void note_refusal(Request& request);
// Ends the execution, because a withheld send would complete: no such execution exists.
[[noreturn]] void no_execution();

// Cancels a pending send. False: its outcomes are not explored, and the caller must cancel it in the usual way.
bool cancel_explored(Request& request);

// Called when the rank has received or probed a message.
void note_received(const Completion& completion);
void note_probed(const Completion& completion);
// Reports the received messages.
void report_received();

}  // namespace rehearse::smpi
