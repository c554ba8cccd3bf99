// SPDX-License-Identifier: MIT
//
// The common parts of the calls on topologies: the creation of communicators with a topology, and their checks.
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
  std::uint64_t signature = 0;       // must agree between the members; 0: nothing to compare
  std::string origin;                // "grid of MPI_COMM_WORLD"
  std::span<const int> remark = {};  // the caller's remark for the other members; `compare` compares the remarks
  std::function<Disagreement(const Communicator&, std::span<const Remark>)> compare = {};
};

// A collective of the members of the parent, which is the communicator of `check`. The first `processes` members get a
// communicator with this topology, the others MPI_COMM_NULL. Requires that `check` has not failed.
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
