// SPDX-License-Identifier: MIT
//
// The names of collectives in the formats of traces.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "simcore/operation.hpp"

namespace rehearse::trace {

// By CollectiveKind, of nonblocking calls; those of blocking ones follow the first letter.
inline constexpr std::array<std::string_view, 17> nonblocking_names = {
    "",           "ibarrier", "ibcast",    "ireduce",         "iallreduce",           "igather",
    "igatherv",   "iscatter", "iscatterv", "iallgather",      "iallgatherv",          "ialltoall",
    "ialltoallv", "iscan",    "iexscan",   "ireduce_scatter", "ireduce_scatter_block"};
static_assert(static_cast<std::size_t>(CollectiveKind::reduce_scatter_block) + 1 == nonblocking_names.size());

// As actions are called in time-independent traces: "bcast", or "ibcast" unless blocking. Both kinds of reduce-scatter
// have one name there. Empty: by_flow has none. Static storage.
constexpr std::string_view action_name(CollectiveKind kind, bool blocking) {
  const bool has_other = kind == CollectiveKind::reduce_scatter || kind == CollectiveKind::reduce_scatter_block;
  const std::string_view name = has_other ? "ireducescatter" : nonblocking_names[static_cast<std::size_t>(kind)];
  return blocking && !name.empty() ? name.substr(1) : name;
}

// The function of MPI: "MPI_Bcast", or "MPI_Ibcast" unless blocking. Empty: by_flow has none.
std::string mpi_name(CollectiveKind kind, bool blocking);

}  // namespace rehearse::trace
