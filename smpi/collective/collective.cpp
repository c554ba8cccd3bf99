// SPDX-License-Identifier: MIT
//
// See collective.hpp.
#include "smpi/collective/collective.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "simcore/actor.hpp"
#include "smpi/error.hpp"
#include "smpi/library.hpp"
#include "smpi/p2p/buffered.hpp"

namespace rehearse::smpi {
namespace {

Collective operation_for(const Communicator& communicator, const Completing& completing,
                         const Contribution& contribution) {
  Collective operation;
  operation.request = library().start_request();
  operation.context = communicator.collective_context();
  operation.members = communicator.members();
  operation.name = completing.name;
  operation.flow = contribution.flow;
  operation.root = static_cast<std::uint32_t>(contribution.root);
  operation.signature = contribution.signature;
  operation.contribution = contribution.data;
  operation.segment_bytes = contribution.segments;
  operation.blocking = completing.blocking;
  operation.combining = contribution.combining;
  return operation;
}

Trouble apply_end(const CollectiveEnd& end, Contributions contributions) {
  if (!end.runs_user_code) return end.apply(contributions);
  std::vector<std::vector<std::byte>> kept;
  for (std::span<const std::byte> part : contributions) kept.emplace_back(part.begin(), part.end());
  const std::vector<std::span<const std::byte>> views(kept.begin(), kept.end());
  return end.apply(views);
}

}  // namespace

int run_collective(const CommunicatorRef& communicator, const Completing& completing,
                   const Contribution& contribution, CollectiveEnd end) {
  const Collective operation = operation_for(*communicator, completing, contribution);
  const Observation& answer = ask(operation);
  if (completing.blocking) {
    heard_from_others();
    const Trouble trouble = apply_end(end, answer.contributions);
    if (trouble.error == MPI_SUCCESS) return MPI_SUCCESS;
    return error_on(communicator->handle, trouble.error, trouble.text, trouble.id);
  }
  auto request = std::make_unique<Request>();
  request->kind = Request::Kind::collective;
  request->state = Request::State::pending;
  request->id = operation.request;
  request->communicator = communicator;
  request->collective = std::move(end);
  *completing.request = add_request(std::move(request));
  return MPI_SUCCESS;
}

Arguments collective_arguments(MPI_Comm comm, const Completing& completing) {
  Arguments check(comm);
  if (!completing.blocking) check.pointer(completing.request, "request");
  return check;
}

Trouble nothing_to_do(Contributions) { return {}; }

Trouble count_trouble(int rank, std::uint64_t bytes, std::uint64_t expected) {
  return {MPI_ERR_TRUNCATE,
          "rank " + std::to_string(rank) + " gave " + std::to_string(bytes) + " bytes, but " +
              std::to_string(expected) + " are expected from it",
          "collective.count"};
}

std::uint64_t combine_signatures(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0) return 0;
  std::uint64_t mixed = (a ^ (a >> 29)) * 0xbf58476d1ce4e5b9 + b;
  mixed = (mixed ^ (mixed >> 32)) * 0x94d049bb133111eb;
  return mixed == 0 ? 1 : mixed;
}

}  // namespace rehearse::smpi
