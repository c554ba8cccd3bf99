// SPDX-License-Identifier: MIT
//
// Cancelled sends of which both ends are explored.
//
// A send that is cancelled is one that nobody ever sees: whether it will be is chosen where it starts, at the places at
// which sends are known to start that the program cancels (smpi/process.hpp, CancelLook). A withheld send is not told
// to the driver. Where the program does something that only a send that goes on allows (it waits for it, or ends), the
// execution is none: the same with the message is explored, too. Judges are told what they need
// (simcore/provisional.hpp).
#pragma once

#include "smpi/p2p/transfer.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {

// How many tests in a row are told "no" of one withheld send, at most; then it counts as one that goes on.
inline constexpr std::uint32_t most_refusals = 100;

inline bool is_withheld(const Request& request) { return request.extra && request.extra->send.is_withheld; }

// Of a send that starts here: whether it is withheld. Asks.
bool withholds(Request& request);
// The calling rank sends something else.
void note_send(const Meeting& meeting, int peer);
// A test of these was told no.
void note_refusal(Request& request);
// The execution is none: a withheld send completes.
[[noreturn]] void no_execution();

// Of a send that is pending: cancels it, unless it has to be done as where ends are not explored.
bool cancel_explored(Request& request);

// A message was received, or seen by a probe, here.
void note_received(const Completion& completion);
void note_probed(const Completion& completion);
// Tells of those received.
void tell_received();

}  // namespace rehearse::smpi
