// SPDX-License-Identifier: MIT
//
// The options about ranks that others start (MPI_Comm_spawn).
#pragma once

#include <cstdint>

namespace rehearse::cli {

class OptionSet;

// --max-ranks. The value is the default.
void declare_most_ranks(OptionSet& app, std::uint32_t& most_ranks);

}  // namespace rehearse::cli
