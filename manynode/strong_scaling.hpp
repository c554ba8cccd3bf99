// SPDX-License-Identifier: MIT
//
// Profiles of one problem on several numbers of ranks, interpolated: strong scaling.
//
// Method: between the two profiles around the wanted number of ranks, each quantile of each mode is a power of the
//         number of ranks. Beyond them, the same power continues, which nothing supports.
// Errors: fewer than two profiles, a number of ranks outside of them unless `extrapolates`, a marker that is not in
//         both or has other modes there.
// Threads: none.
#pragma once

#include <cstdint>
#include <span>

#include "manynode/profile.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::manynode {

Result<Profile> interpolated(std::span<const Profile> profiles, std::uint32_t ranks, bool extrapolates);

}  // namespace rehearse::manynode
