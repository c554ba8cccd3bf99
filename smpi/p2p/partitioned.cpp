// SPDX-License-Identifier: MIT
//
// Partitioned communication: a persistent send that leaves when all its partitions are ready.
//
// Method: the message travels as one; a receiver sees all of its partitions arrive at once, which
//         MPI allows. The n-th partitioned send and receive between two ranks with one tag meet in a
//         matching space of their own: MPI matches them when they are made, not when they start.
// Source: MPI 5.0, 4.2.
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "smpi/abi/calls.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/error.hpp"
#include "smpi/info/info.hpp"
#include "smpi/p2p/transfer.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/report.hpp"
#include "smpi/request/request_set.hpp"

namespace rehearse::smpi {
namespace {

// How many partitioned operations the rank has made, by (communicator, peer, tag, direction).
struct PartitionedSpaces {
  std::map<std::array<std::uint64_t, 4>, std::uint64_t> made;
};

ContextId next_space(const Communicator& communicator, const Transfer& transfer, bool sends) {
  const auto tag = static_cast<std::uint64_t>(transfer.tag);
  const std::uint64_t number =
      per_rank<PartitionedSpaces>().made[{communicator.context(),
                                          static_cast<std::uint64_t>(transfer.peer), tag,
                                          sends ? 1ULL : 0ULL}]++;
  return {derive_context(derive_context(communicator.context(), ~std::uint64_t{2}, tag), number, 0)};
}

void send_if_ready(Request& request, ContextId space) {
  const std::vector<bool>& ready = request.extra->ready;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    if (ready[i]) continue;
    request.extra->awaits = "waits for a partitioned send whose partition " + std::to_string(i) +
                            " was not marked ready (MPI_Pready)";
    return;
  }
  request.extra->awaits.clear();
  start_pieces(request, Meeting(*request.communicator, space), {request.transfer}, {}, false);
}

struct PartitionedArguments {
  int partitions;
  MPI_Info info;
  MPI_Request* request;
};

int init(Arguments& check, Transfer transfer, bool sends, const PartitionedArguments& arguments) {
  check.pointer(arguments.request, "request")
      .require(arguments.partitions > 0, MPI_ERR_ARG,
               "partitions is " + std::to_string(arguments.partitions) + "; it must be positive")
      .require(find_hints(arguments.info) != nullptr, MPI_ERR_INFO,
               "the info object was freed or never existed");
  if (check.failed()) return check.error();
  auto made = std::make_unique<Request>();
  made->kind = Request::Kind::compound;
  made->persistent = true;
  made->communicator = check.communicator();
  made->transfer = std::move(transfer);
  RequestExtra& extra = made->more();
  extra.partitions = arguments.partitions;
  extra.tells_source = !sends;
  const ContextId space = next_space(*made->communicator, made->transfer, sends);
  if (sends) {
    extra.begin = [partitions = static_cast<std::size_t>(arguments.partitions)](Request& request) {
      request.extra->ready.assign(partitions, false);
      request.extra->awaits =
          "waits for a partitioned send of which no partition was marked ready (MPI_Pready)";
      request.state = Request::State::pending;
      return MPI_SUCCESS;
    };
    extra.space = space;
  } else {
    extra.begin = [space](Request& request) {
      start_pieces(request, Meeting(*request.communicator, space), {}, {request.transfer});
      return MPI_SUCCESS;
    };
  }
  give_request(arguments.request, std::move(made));
  return MPI_SUCCESS;
}

Request* checked_partitioned(Arguments& check, MPI_Request handle, bool sends) {
  if (check.failed()) return nullptr;
  Request* request = find_request(handle);
  const bool fits = request != nullptr && request->extra && request->extra->partitions > 0 &&
                    request->extra->tells_source != sends;
  check.require(fits, MPI_ERR_REQUEST,
                sends ? "the request is not a partitioned send"
                      : "the request is not a partitioned receive");
  return check.failed() ? nullptr : request;
}

void check_partition(Arguments& check, const Request& request, int partition) {
  const int count = request.extra->partitions;
  check.require(0 <= partition && partition < count, MPI_ERR_ARG,
                "partition " + std::to_string(partition) + " of a request that has " +
                    std::to_string(count));
}

int mark_ready(Request& request, Arguments& check, int partition) {
  check_partition(check, request, partition);
  check.require(request.state == Request::State::pending && request.awaits_program(),
                MPI_ERR_REQUEST, "the partitioned send is not started, or has left already");
  if (check.failed()) return check.error();
  std::vector<bool>& ready = request.extra->ready;
  const auto i = static_cast<std::size_t>(partition);
  check.require(!ready[i], MPI_ERR_ARG,
                "partition " + std::to_string(partition) + " was marked ready before");
  if (check.failed()) return check.error();
  ready[i] = true;
  const Transfer& all = request.transfer;
  const MPI_Count each = all.count / request.extra->partitions;
  const Buffer own = Buffer{all.buffer, all.count, all.type}.block(partition * each, each);
  request.extra->buffers.push_back(begin_use({Blocks::equal(own, 1), false}));
  send_if_ready(request, request.extra->space);
  return MPI_SUCCESS;
}

int psend_init(const SendArguments& arguments, const PartitionedArguments& partitioned) {
  Arguments check(arguments.comm);
  SendArguments whole = arguments;
  whole.count *= partitioned.partitions;
  return init(check, checked_send(check, whole, SendMode::standard), true, partitioned);
}

int precv_init(const ReceiveArguments& arguments, const PartitionedArguments& partitioned) {
  Arguments check(arguments.comm);
  check.require(arguments.source != MPI_ANY_SOURCE && arguments.tag != MPI_ANY_TAG, MPI_ERR_ARG,
                "a partitioned receive has no wildcards");
  ReceiveArguments whole = arguments;
  whole.count *= partitioned.partitions;
  return init(check, checked_receive(check, whole), false, partitioned);
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Psend_init(const void* buf, int partitions, int count, MPI_Datatype datatype, int dest, int tag,
               MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return psend_init({buf, count, datatype, dest, tag, comm}, {partitions, info, request});
}

int Psend_init_c(const void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest,
                 int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return psend_init({buf, count, datatype, dest, tag, comm}, {partitions, info, request});
}

int Precv_init(void* buf, int partitions, int count, MPI_Datatype datatype, int source, int tag,
               MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return precv_init({buf, count, datatype, source, tag, comm}, {partitions, info, request});
}

int Precv_init_c(void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source,
                 int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return precv_init({buf, count, datatype, source, tag, comm}, {partitions, info, request});
}

int Pready(int partition, MPI_Request request) {
  Arguments check;
  Request* found = checked_partitioned(check, request, true);
  return found == nullptr ? check.error() : mark_ready(*found, check, partition);
}

int Pready_range(int partition_low, int partition_high, MPI_Request request) {
  Arguments check;
  Request* found = checked_partitioned(check, request, true);
  if (found == nullptr) return check.error();
  for (int i = partition_low; i <= partition_high; ++i)
    if (mark_ready(*found, check, i) != MPI_SUCCESS) return check.error();
  return MPI_SUCCESS;
}

int Pready_list(int length, const int array_of_partitions[], MPI_Request request) {
  Arguments check;
  check.count(length, "length");
  if (length > 0) check.pointer(array_of_partitions, "array_of_partitions");
  Request* found = checked_partitioned(check, request, true);
  if (found == nullptr) return check.error();
  for (int i = 0; i < length; ++i)
    if (mark_ready(*found, check, array_of_partitions[i]) != MPI_SUCCESS) return check.error();
  return MPI_SUCCESS;
}

int Parrived(MPI_Request request, int partition, int* flag) {
  Arguments check;
  check.pointer(flag, "flag");
  Request* found = checked_partitioned(check, request, false);
  if (found == nullptr) return check.error();
  check_partition(check, *found, partition);
  if (check.failed()) return check.error();
  *flag = 1;
  if (found->state != Request::State::pending) return MPI_SUCCESS;
  if (found->extra->partitions > 1)
    report_outcomes_left_out("MPI_Parrived on one of several partitions, which arrive together here");
  RequestSet set(1, &request);
  *flag = set.observe(Quantifier::all, false) ? 1 : 0;
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
