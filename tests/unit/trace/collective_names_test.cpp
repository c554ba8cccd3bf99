// SPDX-License-Identifier: MIT
//
// Names of collectives.
#include "trace/collective_names.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

namespace rehearse::trace {
namespace {

TEST_CASE("collective names: every kind has an action and a function, blocking and not") {
  CHECK(action_name(CollectiveKind::broadcast, true) == "bcast");
  CHECK(action_name(CollectiveKind::broadcast, false) == "ibcast");
  CHECK(action_name(CollectiveKind::reduce_scatter_block, false) == "ireducescatter");
  CHECK(action_name(CollectiveKind::reduce_scatter, true) == "reducescatter");
  CHECK(mpi_name(CollectiveKind::alltoallv, true) == "MPI_Alltoallv");
  CHECK(mpi_name(CollectiveKind::alltoallv, false) == "MPI_Ialltoallv");
  CHECK(mpi_name(CollectiveKind::reduce_scatter_block, false) == "MPI_Ireduce_scatter_block");
  CHECK(action_name(CollectiveKind::by_flow, true).empty());
  CHECK(mpi_name(CollectiveKind::by_flow, false).empty());
  std::set<std::string> functions;
  for (std::size_t kind = 1; kind < nonblocking_names.size(); ++kind)
    for (const bool blocking : {false, true}) functions.insert(mpi_name(static_cast<CollectiveKind>(kind), blocking));
  CHECK(functions.size() == 2 * (nonblocking_names.size() - 1));
}

}  // namespace
}  // namespace rehearse::trace
