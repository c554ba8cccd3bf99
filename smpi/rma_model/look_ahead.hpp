// SPDX-License-Identifier: MIT
//
// Whether a rank that polls a window will poll forever if the answer never changes.
//
// Method:  runs the rank with that answer until its memory at a poll is the same as at the poll before, and restores
// the
//          rank. The rank is a function of its memory and of the answers. Numbers that count operations may differ,
//          because nothing depends on their values.
// Limits:  loops of one atomic operation and one flush, which make no other request, of ranks without threads: another
//          thread could end the loop. Others: unknown.
// Threads: none.
#pragma once

#include <cstddef>
#include <span>

#include "simcore/ids.hpp"
#include "smpi/process.hpp"

namespace rehearse::smpi::model {

// `rank` is paused at an atomic operation that reads a window. `answer`: to the same operation before. False: unknown.
bool polls_forever(LoadedProgram& program, ActorId rank, std::span<const std::byte> answer);

}  // namespace rehearse::smpi::model
