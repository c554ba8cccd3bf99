// SPDX-License-Identifier: MIT
//
// The common parts of the calls on topologies: making communicators with a topology, and their checks.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "mpi.h"
#include "smpi/arguments.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/collective/disagreement.hpp"
#include "smpi/topology/topology.hpp"

namespace rehearse::smpi {

struct TopologyCall {
  const char* name;                  // MPI_Cart_create
  std::uint64_t signature = 0;       // what must agree between the members; 0: nothing
  std::string origin;                // "grid of MPI_COMM_WORLD"
  std::span<const int> remark = {};  // what the caller says of it to the others, and what compares it with theirs
  std::function<Disagreement(const Communicator&, std::span<const Remark>)> compare = {};
};

// Meets the members of the parent (of the check, which has not failed) and gives the first
// `processes` of them a communicator with this topology, the others MPI_COMM_NULL.
int make_with_topology(Arguments& check, const TopologyCall& call, int processes, Topology topology, MPI_Comm* newcomm);

// The topology of the check's communicator, or null after having raised MPI_ERR_TOPOLOGY.
template <class Kind>
const Kind* checked_topology(Arguments& check) {
  if (check.failed()) return nullptr;
  const Kind* topology = std::get_if<Kind>(&check.communicator()->topology);
  check.require(topology != nullptr, MPI_ERR_TOPOLOGY,
                check.communicator()->description() + " has no topology of this kind");
  return topology;
}

// One number for a list.
std::uint64_t signature_of_numbers(std::uint64_t start, const int* numbers, int count);

}  // namespace rehearse::smpi
