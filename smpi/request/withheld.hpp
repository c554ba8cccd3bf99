// SPDX-License-Identifier: MIT
//
// Cancelled sends: both outcomes of the cancellation are explored.
//
// The outcome is chosen where the send starts, at the places of the program whose sends are known to be cancelled later
// (smpi/process.hpp, CancelSearch). If it is "cancelled", the send is withheld: the driver never sees it. If the
// program then acts in a way that only a send with a message permits (it waits for the send, or ends), the execution
// does not exist. It is dropped, because the exploration also explores the other outcome. Notes inform the judges
// (simcore/provisional.hpp).
#pragma once

#include "smpi/p2p/transfer.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {

// Limit on the consecutive tests of one withheld send with the answer "no"; then it counts as a send that continues.
inline constexpr std::uint32_t most_refusals = 100;

inline bool is_withheld(const Request& request) { return request.extra && request.extra->send.is_withheld; }

// Whether the send that starts here is withheld. Asks the driver.
bool withholds(Request& request);
// The calling rank sends another message.
void note_send(const MatchingSpace& space, int peer);
// A test of these got the answer no.
void note_refusal(Request& request);
// A withheld send would complete: the execution does not exist.
[[noreturn]] void no_execution();

// Cancels a pending send. False: its outcomes are not explored, and the caller must cancel it in the usual way.
bool cancel_explored(Request& request);

// The rank received a message here, or probed it.
void note_received(const Completion& completion);
void note_probed(const Completion& completion);
// Reports the received messages.
void report_received();

}  // namespace rehearse::smpi
