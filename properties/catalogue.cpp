// SPDX-License-Identifier: MIT
//
// The table of checks.
#include "properties/catalogue.hpp"

#include <array>

namespace rehearse::properties {
namespace {

constexpr std::array table = {
    Check{"deadlock.cycle", "ranks wait for each other"},
    Check{"deadlock.collective", "a rank waits in a collective for ranks that never come"},
    Check{"deadlock.actors", "actors of one group wait for each other or for what never comes"},
    Check{"deadlock.orphan", "a rank waits for ranks that have ended"},
    Check{"progress.polling", "a rank polls for what can never happen"},
    Check{"progress.step", "a rank computes for ever, or waits for something outside, and comes to no call"},
    Check{"assertion.failed", "assert() failed"},
    Check{"crash.abort", "a rank called abort()"},
    Check{"crash.exception", "an exception left a rank's main()"},
    Check{"crash.exit_status", "a rank ended with a status other than 0"},
    Check{"crash.fpe", "an arithmetic error, such as a division by zero"},
    Check{"crash.heap", "the heap was misused: freed twice, or never allocated"},
    Check{"crash.illegal_instruction", "an instruction that does not exist"},
    Check{"crash.memory", "a rank uses up the memory"},
    Check{"crash.mpi_abort", "a rank called MPI_Abort"},
    Check{"crash.segfault", "access to memory that is not there"},
    Check{"crash.signal", "another signal ended a rank"},
    Check{"crash.stack_overflow", "the stack is used up"},
    Check{"crash.stack_smashing", "an array on the stack was overrun"},
    Check{"crash.unknown", "a rank ended in a way that has no other name"},
    Check{"message.lost", "a message was sent and never received"},
    Check{"message.not_ready", "a message in ready mode may arrive before its receive is posted"},
    Check{"message.truncated", "a message is longer than the receive's buffer"},
    Check{"message.type", "sender and receiver disagree on the element type"},
    Check{"collective.operation", "members of a communicator call different collectives"},
    Check{"collective.root", "members of a collective disagree on the root"},
    Check{"collective.signature", "members of a collective disagree on operator or element type"},
    Check{"collective.count", "members of a collective disagree on the count"},
    Check{"argument.buffer", "a buffer that cannot be"},
    Check{"argument.communicator", "a communicator that is none, or of the wrong kind"},
    Check{"argument.count", "a count that cannot be"},
    Check{"argument.datatype", "a datatype that is none, or not committed"},
    Check{"argument.dimensions", "dimensions that cannot be"},
    Check{"argument.error_handler", "an error handler that is none"},
    Check{"argument.file", "a file handle that is none"},
    Check{"argument.group", "a group that is none"},
    Check{"argument.info", "an info object, key or value that cannot be"},
    Check{"argument.keyval", "an attribute key that is none"},
    Check{"argument.misuse", "an argument that this call does not take"},
    Check{"argument.operator", "an operator that is none, or does not fit the datatype"},
    Check{"argument.rank", "a rank outside of the communicator"},
    Check{"argument.request", "a request that is none"},
    Check{"argument.root", "a root outside of the communicator"},
    Check{"argument.tag", "a tag that cannot be"},
    Check{"argument.topology", "a topology that is none, or of the wrong kind"},
    Check{"argument.value", "another wrong argument"},
    Check{"argument.window", "a window that is none"},
    Check{"request.active", "a request is started, or freed, while it is active"},
    Check{"request.never_complete", "a wait for what only the waiting rank itself could complete"},
    Check{"buffer.attached", "buffered sends and the attached buffer do not fit"},
    Check{"lifecycle.not_initialized", "a call before MPI_Init"},
    Check{"lifecycle.initialized_twice", "MPI_Init more than once"},
    Check{"lifecycle.finalized", "a call after MPI_Finalize, or an end without it"},
    Check{"resource.communicator", "a communicator that is never freed"},
    Check{"resource.datatype", "a datatype that is never freed"},
    Check{"resource.error_handler", "an error handler that is never freed"},
    Check{"resource.group", "a group that is never freed"},
    Check{"resource.info", "an info object that is never freed"},
    Check{"resource.message", "a message of a matched probe that is never received"},
    Check{"resource.memory", "memory of MPI_Alloc_mem that is never freed"},
    Check{"resource.operator", "an operator that is never freed"},
    Check{"resource.session", "a session that is never finalized"},
    Check{"resource.request", "a request that is never completed"},
    Check{"unsupported.function", "an MPI function that is not there yet (no finding: makes it inconclusive)"},
    Check{"unsupported.outcomes", "a call of which not all outcomes are explored (no finding: makes it inconclusive)"},
    Check{"unsupported.feature", "something else that is not there yet (no finding: makes it inconclusive)"},
};

}  // namespace

std::span<const Check> catalogue() { return table; }

}  // namespace rehearse::properties
