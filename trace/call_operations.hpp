// SPDX-License-Identifier: MIT
//
// Actions of a trace as Operations, for its replay and for its conversion into a recording.
//
// Contexts:  2k and 2k+1 are the messages and the collectives of the communicator k.
// Ownership: the Operation of a collective points to the communicators and to the lists of the action.
#pragma once

#include <cstdint>
#include <string>

#include "simcore/operation.hpp"
#include "trace/action.hpp"
#include "trace/communicators.hpp"

namespace rehearse::trace {

constexpr ContextId message_context(std::uint32_t communicator) { return {2 * std::uint64_t{communicator}}; }

Send operation_of(const SendAction& send, RequestId request, ContextId context);
Post operation_of(const ReceiveAction& receive, RequestId request, ContextId context);
Collective operation_of(const CollectiveAction& collective, RequestId request, std::uint32_t communicator,
                        const Communicators& communicators);

// Of a wait, in words: "no request from 1 to 0 with tag 5 is open".
std::string without_request(const RequestName& name);

}  // namespace rehearse::trace
