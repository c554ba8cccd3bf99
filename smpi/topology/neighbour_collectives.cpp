// SPDX-License-Identifier: MIT
//
// Neighbourhood collectives: messages along the edges of the caller, in a separate context.
//
// Matching: every receive names its source, and a mark that distinguishes edges between the same two processes
//           (topology.hpp); equal marks match in order. All processes make these calls on a communicator in the same
//           order, so the messages of two calls never mix. A persistent collective has its own context.
// Source:   MPI 5.0, 8.6 and 8.7.
#include <memory>
#include <utility>
#include <vector>

#include "simcore/actor.hpp"
#include "smpi/abi/forms.hpp"
#include "smpi/collective/buffer.hpp"
#include "smpi/error.hpp"
#include "smpi/p2p/transfer.hpp"
#include "smpi/request/request_set.hpp"
#include "smpi/topology/topology.hpp"

namespace rehearse::smpi {
namespace {

// The caller's edges, and the data for each.
struct Exchange {
  Neighbourhood edges;
  Blocks send, receive;
};

// The arguments of a call on a communicator with a topology.
Arguments neighbour_arguments(MPI_Comm comm, const Completing& completing, Exchange& exchange) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check;
  const Communicator& communicator = *check.communicator();
  check.require(!std::holds_alternative<std::monostate>(communicator.topology), MPI_ERR_TOPOLOGY,
                communicator.description() + " has no topology");
  if (!check.failed()) exchange.edges = neighbourhood_of(communicator);
  return check;
}

int in_degree(const Exchange& exchange) { return static_cast<int>(exchange.edges.sources.size()); }

int out_degree(const Exchange& exchange) { return static_cast<int>(exchange.edges.destinations.size()); }

std::vector<Transfer> transfers(const std::vector<Neighbour>& edges, const Blocks& blocks) {
  std::vector<Transfer> all;
  for (std::size_t i = 0; i < edges.size(); ++i)
    all.push_back(
        {blocks[i].address, blocks[i].count, blocks[i].type, edges[i].rank, edges[i].mark, SendMode::standard, true});
  return all;
}

// Creates the request in this context, without starting it.
std::unique_ptr<Request> make_request(const CommunicatorRef& communicator, const Exchange& exchange, ContextId space) {
  auto request = std::make_unique<Request>();
  request->kind = Request::Kind::compound;
  request->communicator = communicator;
  request->more().begin = [space, sends = transfers(exchange.edges.destinations, exchange.send),
                           receives = transfers(exchange.edges.sources, exchange.receive)](Request& started) {
    start_pieces(started, MatchingSpace(*started.communicator, space), sends, receives);
    return MPI_SUCCESS;
  };
  return request;
}

int run_exchange(Arguments& check, const Completing& completing, const Exchange& exchange) {
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  const bool persistent = completing.form == Completing::Form::persistent;
  const ContextId space{persistent ? derive_context(communicator->context(), communicator->next_child(), 4)
                                   : derive_context(communicator->context(), ~std::uint64_t{3}, 0)};
  if (persistent) {
    const int error = run_collective(communicator, {completing.name}, {}, {nothing_to_do});
    if (error != MPI_SUCCESS) return error;
  }
  std::unique_ptr<Request> request = make_request(communicator, exchange, space);
  request->persistent = persistent;
  if (!persistent) {
    request->extra->begin(*request);
    request->extra->begin = nullptr;
  }
  MPI_Request handle = add_request(std::move(request));
  if (!completing.blocking()) {
    *completing.request = handle;
    return MPI_SUCCESS;
  }
  RequestSet set(1, &handle);
  if (set.some_pending()) set.observe(Quantifier::all, true);
  set.conclude(0, MPI_STATUS_IGNORE);
  return set.finish();
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::forms {

int Neighbor_allgather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                       MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, const Completing& completing) {
  Exchange exchange;
  Arguments check = neighbour_arguments(comm, completing, exchange);
  const Buffer send = checked_buffer(check, {sendbuf, sendcount, sendtype}, "sendbuf");
  const Buffer receive = checked_buffer(check, {recvbuf, recvcount, recvtype}, "recvbuf", in_degree(exchange));
  if (check.failed()) return check.error();
  exchange.send = Blocks(std::vector<Buffer>(exchange.edges.destinations.size(), send));
  exchange.receive = Blocks::equal(receive, in_degree(exchange));
  return run_exchange(check, completing, exchange);
}

int Neighbor_allgatherv(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                        Integers recvcounts, Integers displs, MPI_Datatype recvtype, MPI_Comm comm,
                        const Completing& completing) {
  Exchange exchange;
  Arguments check = neighbour_arguments(comm, completing, exchange);
  const Buffer send = checked_buffer(check, {sendbuf, sendcount, sendtype}, "sendbuf");
  exchange.send = Blocks(std::vector<Buffer>(exchange.edges.destinations.size(), send));
  exchange.receive = checked_blocks(check, {recvbuf, recvcounts, displs, recvtype}, "recvbuf", in_degree(exchange));
  return run_exchange(check, completing, exchange);
}

int Neighbor_alltoall(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                      MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, const Completing& completing) {
  Exchange exchange;
  Arguments check = neighbour_arguments(comm, completing, exchange);
  const Buffer send = checked_buffer(check, {sendbuf, sendcount, sendtype}, "sendbuf", out_degree(exchange));
  const Buffer receive = checked_buffer(check, {recvbuf, recvcount, recvtype}, "recvbuf", in_degree(exchange));
  if (check.failed()) return check.error();
  exchange.send = Blocks::equal(send, out_degree(exchange));
  exchange.receive = Blocks::equal(receive, in_degree(exchange));
  return run_exchange(check, completing, exchange);
}

int Neighbor_alltoallv(const void* sendbuf, Integers sendcounts, Integers sdispls, MPI_Datatype sendtype, void* recvbuf,
                       Integers recvcounts, Integers rdispls, MPI_Datatype recvtype, MPI_Comm comm,
                       const Completing& completing) {
  Exchange exchange;
  Arguments check = neighbour_arguments(comm, completing, exchange);
  exchange.send = checked_blocks(check, {sendbuf, sendcounts, sdispls, sendtype}, "sendbuf", out_degree(exchange));
  exchange.receive = checked_blocks(check, {recvbuf, recvcounts, rdispls, recvtype}, "recvbuf", in_degree(exchange));
  return run_exchange(check, completing, exchange);
}

int Neighbor_alltoallw(const void* sendbuf, Integers sendcounts, Integers sdispls, const MPI_Datatype sendtypes[],
                       void* recvbuf, Integers recvcounts, Integers rdispls, const MPI_Datatype recvtypes[],
                       MPI_Comm comm, const Completing& completing) {
  Exchange exchange;
  Arguments check = neighbour_arguments(comm, completing, exchange);
  exchange.send =
      checked_typed_blocks(check, {sendbuf, sendcounts, sdispls, sendtypes}, "sendbuf", out_degree(exchange));
  exchange.receive =
      checked_typed_blocks(check, {recvbuf, recvcounts, rdispls, recvtypes}, "recvbuf", in_degree(exchange));
  return run_exchange(check, completing, exchange);
}

}  // namespace rehearse::smpi::forms
