// SPDX-License-Identifier: MIT
//
// See make_topology.hpp; also the calls for all kinds of topologies.
#include "smpi/topology/make_topology.hpp"

#include <span>
#include <utility>

#include "smpi/abi/calls.hpp"
#include "smpi/communicator/create.hpp"

namespace rehearse::smpi {

int make_with_topology(Arguments& check, const TopologyCall& call, int processes, Topology topology,
                       MPI_Comm* newcomm) {
  const CommunicatorRef parent = check.communicator();
  const std::uint64_t context = derive_context(parent->context(), parent->next_child(), 0);
  Contribution contribution;
  contribution.signature = call.signature;
  contribution.remark = std::as_bytes(call.remark);
  Disagreement disagreement;
  const int error = run_collective(parent, {call.name}, contribution, {[&](Contributions from) {
                                     if (call.compare) disagreement = call.compare(*parent, from.remarks());
                                     return Trouble{};
                                   }});
  if (error != MPI_SUCCESS) return error;
  report_disagreement(disagreement);
  *newcomm = MPI_COMM_NULL;
  if (parent->rank() >= processes) return MPI_SUCCESS;
  const auto members = std::span(parent->members()).first(static_cast<std::size_t>(processes));
  const CommunicatorRef made = make_communicator(context, RankMap(members), call.origin);
  made->topology = std::move(topology);
  *newcomm = communicators().add(made, *parent);
  return MPI_SUCCESS;
}

std::uint64_t signature_of_numbers(std::uint64_t start, const int* numbers, int count) {
  std::uint64_t signature = combine_signatures(start, static_cast<std::uint64_t>(count) + 1);
  for (int i = 0; i < count; ++i)
    signature = combine_signatures(signature, static_cast<std::uint32_t>(numbers[i]) + 1ULL);
  return signature;
}

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Topo_test(MPI_Comm comm, int* status) {
  Arguments check(comm);
  check.pointer(status, "status");
  if (check.failed()) return check.error();
  const Topology& topology = check.communicator()->topology;
  *status = std::holds_alternative<Cartesian>(topology)          ? MPI_CART
            : std::holds_alternative<Graph>(topology)            ? MPI_GRAPH
            : std::holds_alternative<DistributedGraph>(topology) ? MPI_DIST_GRAPH
                                                                 : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
