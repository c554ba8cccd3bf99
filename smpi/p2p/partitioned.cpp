// SPDX-License-Identifier: MIT
//
// Partitioned communication: a persistent send that sends each partition when it is ready.
//
// Method: each start of a send first sends an opening message with the number of its partitions. The receive takes this
//         message when it starts, because it may have another number of partitions. Each partition is a separate
//         message with its own context, so the partitions arrive in any order, and their sends do not block. The send
//         is complete when all its partitions are ready and the opening message, a standard send, is complete. A
//         partition of the receive has arrived when all overlapping partitions of the send have arrived. The n-th
//         partitioned send and receive between two ranks with one tag share these contexts: MPI matches them when they
//         are created, not when they start.
// Source: MPI 5.0, 4.2.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/error.hpp"
#include "smpi/info/info.hpp"
#include "smpi/library.hpp"
#include "smpi/p2p/transfer.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {
namespace {

// The number of partitioned operations of the rank, by (communicator, peer, tag, direction).
struct PartitionedSpaces {
  std::map<std::array<std::uint64_t, 4>, std::uint64_t> made;
};

ContextId next_space(const Communicator& communicator, const Transfer& transfer, bool sends) {
  const auto tag = static_cast<std::uint64_t>(transfer.tag);
  const std::uint64_t number =
      per_rank<PartitionedSpaces>()
          .made[{communicator.context(), static_cast<std::uint64_t>(transfer.peer), tag, sends ? 1ULL : 0ULL}]++;
  return {derive_context(derive_context(communicator.context(), ~std::uint64_t{2}, tag), number, 0)};
}

// The context for the messages of one partition of the send. The opening messages use `space` itself.
ContextId space_of(const Request& request, MPI_Count partition) {
  return {derive_context(request.extra->space.value, static_cast<std::uint64_t>(partition), 1)};
}

// One of `pieces` equal pieces of a transfer, as a separate message whose send does not block.
Transfer piece_of(const Transfer& all, MPI_Count piece, MPI_Count pieces) {
  const MPI_Count each = all.count / pieces;
  const Buffer own = Buffer{all.buffer, all.count, all.type}.block(piece * each, each);
  return {own.address, each, all.type, all.peer, all.tag, SendMode::buffered};
}

void update_awaits(Request& request) {
  const std::vector<bool>& ready = request.extra->ready;
  const auto missing = std::ranges::find(ready, false);
  if (missing == ready.end()) request.extra->awaits.clear();
  else if (std::ranges::find(ready, true) == ready.end())
    request.extra->awaits = "waits for a partitioned send of which no partition was marked ready (MPI_Pready)";
  else
    request.extra->awaits =
        fmt::format("waits for a partitioned send whose partition {} was not marked ready (MPI_Pready)",
                    missing - ready.begin());
}

// Notifies the receive that the send has started, and of its partitions.
Piece open_partitions(const Request& request) {
  MPI_Count partitions = request.extra->partitions;
  const Transfer opening{
      &partitions,       1, DatatypeRef(find_datatype(MPI_COUNT)), request.transfer.peer, request.transfer.tag,
      SendMode::standard};
  return {ask_send(MatchingSpace(*request.communicator, request.extra->space), opening, false), false, false, {}};
}

int begin_send(Request& request) {
  RequestExtra& extra = *request.extra;
  extra.pieces.clear();
  if (request.transfer.peer != MPI_PROC_NULL) extra.pieces.push_back(open_partitions(request));
  extra.ready.assign(static_cast<std::size_t>(extra.partitions), false);
  update_awaits(request);
  request.ending = Ending{};
  request.state = Request::State::pending;
  return MPI_SUCCESS;
}

// Sends the message of the partition.
void send_partition(Request& request, MPI_Count partition) {
  RequestExtra& extra = *request.extra;
  const Transfer own = piece_of(request.transfer, partition, extra.partitions);
  extra.buffers.push_back(begin_use(use_of(own, false)));
  if (own.peer != MPI_PROC_NULL)
    ask(Release{ask_send(MatchingSpace(*request.communicator, space_of(request, partition)), own, false)});
  update_awaits(request);
  if (request.awaits_program()) return;
  if (extra.pieces.empty()) {
    end_uses(request);
    request.state = Request::State::complete;
  }
  wake(&requests());  // threads that wait for it
}

// Posts a receive for each partition of the send, whose number is known.
void post_partitions(Request& request) {
  RequestExtra& extra = *request.extra;
  const MPI_Count pieces = extra.peer_partitions;
  if (extra.pieces.size() > 1) return;  // they were posted when the receive started
  if (request.transfer.count % pieces != 0)
    unsupported(fmt::format("a partitioned receive of {} elements that its send divides into {} partitions",
                            request.transfer.count, pieces));
  for (MPI_Count i = 0; i < pieces; ++i) {
    const MatchingSpace space(*request.communicator, space_of(request, i));
    const Transfer own = piece_of(request.transfer, i, pieces);
    extra.pieces.push_back({ask_receive(space, own, false).request, true, false, own});
  }
}

int begin_receive(Request& request) {
  RequestExtra& extra = *request.extra;
  extra.pieces.clear();
  request.ending = ending_of_nothing(Request::Kind::receive);
  if (request.transfer.peer == MPI_PROC_NULL) {
    request.state = Request::State::complete;
    return MPI_SUCCESS;
  }
  request.state = Request::State::pending;
  extra.buffers.push_back(begin_use(use_of(request.transfer, true)));
  Post post;
  post.request = library().start_request();
  post.pattern = {extra.space, request.communicator->peer(request.transfer.peer), Tag{request.transfer.tag}};
  post.capacity_bytes = sizeof(MPI_Count);
  ask(post);
  extra.pieces.push_back({post.request, true, false, {}, 0, true});
  if (extra.peer_partitions > 0) post_partitions(request);
  return MPI_SUCCESS;
}

// If all partitions have arrived, the send has started, so the receive does not wait for the opening message any more.
void end_if_all_arrived(Request& request) {
  std::vector<Piece>& pieces = request.extra->pieces;
  Piece& opening = pieces.front();
  if (opening.done || !std::all_of(pieces.begin() + 1, pieces.end(), [](const Piece& p) { return p.done; })) return;
  ask(Release{opening.id});
  opening.done = true;
  end_uses(request);
  request.state = Request::State::complete;
}

// Asks whether all pieces of a receive that overlap the partition have arrived. If so, takes them.
bool has_arrived(Request& request, int partition) {
  RequestExtra& extra = *request.extra;
  if (extra.pieces.size() == 1) {
    const RequestId opening = extra.pieces.front().id;
    const Observation& answer = ask(Observe{std::span(&opening, 1), Quantifier::all, false});
    if (!answer.flag) return false;
    complete_piece(request, 0, answer.completions.front());
    post_partitions(request);
  }
  const MPI_Count mine = extra.partitions, theirs = extra.peer_partitions;
  std::vector<RequestId> ids;
  std::vector<std::size_t> places;
  for (MPI_Count i = partition * theirs / mine; i * mine < (partition + 1) * theirs; ++i) {
    const std::size_t place = 1 + static_cast<std::size_t>(i);  // behind the opening message
    if (extra.pieces[place].done) continue;
    ids.push_back(extra.pieces[place].id);
    places.push_back(place);
  }
  if (ids.empty()) return true;
  const Observation& answer = ask(Observe{ids, Quantifier::all, false});
  if (!answer.flag) return false;
  for (const Completion& completion : answer.completions) complete_piece(request, places[completion.index], completion);
  if (request.state == Request::State::pending) end_if_all_arrived(request);
  if (request.state != Request::State::pending) return true;
  for (Piece& piece : extra.pieces)  // the others are still pending
    if (!piece.done && !piece.opens && piece.buffer == 0) piece.buffer = begin_use(use_of(piece.transfer, true));
  return true;
}

struct PartitionedArguments {
  int partitions;
  MPI_Info info;
  MPI_Request* request;
};

int init(Arguments& check, Transfer transfer, bool sends, const PartitionedArguments& arguments) {
  check.pointer(arguments.request, "request")
      .require(arguments.partitions > 0, MPI_ERR_ARG,
               [&] { return fmt::format("partitions is {}; it must be positive", arguments.partitions); })
      .require(find_hints(arguments.info) != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
  if (check.failed()) return check.error();
  auto made = std::make_unique<Request>();
  made->kind = Request::Kind::compound;
  made->persistent = true;
  made->communicator = check.communicator();
  made->transfer = std::move(transfer);
  RequestExtra& extra = made->more();
  extra.partitions = arguments.partitions;
  extra.has_receive_status = !sends;
  extra.space = next_space(*made->communicator, made->transfer, sends);
  extra.begin = sends ? begin_send : begin_receive;
  extra.follow = post_partitions;
  give_request(arguments.request, std::move(made));
  return MPI_SUCCESS;
}

Request* checked_partitioned(Arguments& check, MPI_Request handle, bool sends) {
  if (check.failed()) return nullptr;
  Request* request = find_request(handle);
  const bool fits = request != nullptr && request->extra && request->extra->partitions > 0 &&
                    request->extra->has_receive_status != sends;
  check.require(fits, MPI_ERR_REQUEST,
                sends ? "the request is not a partitioned send" : "the request is not a partitioned receive");
  return check.failed() ? nullptr : request;
}

void check_partition(Arguments& check, const Request& request, int partition) {
  const int count = request.extra->partitions;
  check.require(0 <= partition && partition < count, MPI_ERR_ARG,
                [&] { return fmt::format("partition {} of a request that has {}", partition, count); });
}

int mark_ready(Request& request, Arguments& check, int partition) {
  check_partition(check, request, partition);
  check.require(request.state == Request::State::pending && request.awaits_program(), MPI_ERR_REQUEST,
                "the partitioned send has not been started, or all its partitions are ready already");
  if (check.failed()) return check.error();
  std::vector<bool>& ready = request.extra->ready;
  const auto i = static_cast<std::size_t>(partition);
  check.require(!ready[i], MPI_ERR_ARG, [&] { return fmt::format("partition {} was marked ready before", partition); });
  if (check.failed()) return check.error();
  ready[i] = true;
  send_partition(request, partition);
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

int Psend_init(const void* buf, int partitions, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Info info, MPI_Request* request) {
  return psend_init({buf, count, datatype, dest, tag, comm}, {partitions, info, request});
}

int Psend_init_c(const void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                 MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return psend_init({buf, count, datatype, dest, tag, comm}, {partitions, info, request});
}

int Precv_init(void* buf, int partitions, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
               MPI_Info info, MPI_Request* request) {
  return precv_init({buf, count, datatype, source, tag, comm}, {partitions, info, request});
}

int Precv_init_c(void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                 MPI_Info info, MPI_Request* request) {
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
  refuse_unless_polled(*found);
  const WaitingUse use(std::span(&request, 1), ThreadUse::Kind::poll);
  *flag = has_arrived(*found, partition) ? 1 : 0;
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
