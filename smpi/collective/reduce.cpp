// SPDX-License-Identifier: MIT
//
// Reductions and scans: each rank that needs a result gets the contributions and combines them in
// rank order.
//
// In place:  the caller's contribution is taken from its receive buffer (of a reduce, at the root
//            only).
// Operators: a user's function may call MPI or print, so its contributions are kept before it runs
//            (see CollectiveEnd).
#include <numeric>
#include <vector>

#include "smpi/abi/calls.hpp"
#include "smpi/collective/buffer.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/op/op.hpp"

namespace rehearse::smpi {
namespace {

// What is reduced, with what, on which communicator.
struct ReductionArguments {
  const void* send;
  void* receive;
  MPI_Count count;
  MPI_Datatype datatype;
  MPI_Op op;
  MPI_Comm comm;
};

struct Reduction {
  Buffer from;  // the caller's contribution
  Buffer into;  // where the result goes
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  OpRef op;
  std::uint64_t signature = 0;
};

std::uint64_t op_signature(const Op& op) { return static_cast<std::uint64_t>(op.code()) + 1; }

// Checks count, type, operator and the buffers; `gets_result` says whether the caller's receive
// buffer counts, and `in_place` whether MPI_IN_PLACE is allowed.
Reduction checked_reduction(Arguments& check, const ReductionArguments& arguments, bool gets_result,
                            bool may_be_in_place) {
  check.count(arguments.count);
  const Datatype* type = check.type(arguments.datatype);
  const Op* op = check.op(arguments.op, type);
  const bool in_place = may_be_in_place && arguments.send == MPI_IN_PLACE;
  const void* send = in_place ? arguments.receive : arguments.send;
  check.buffer(send, arguments.count, type, in_place ? "recvbuf" : "sendbuf");
  if (gets_result) check.buffer(arguments.receive, arguments.count, type, "recvbuf");
  Reduction reduction{{const_cast<void*>(send), arguments.count, DatatypeRef(type)},
                      {arguments.receive, arguments.count, DatatypeRef(type)},
                      arguments.datatype,
                      OpRef(op)};
  if (gets_result && !in_place) check_distinct(check, reduction.from, reduction.into);
  if (!check.failed())
    reduction.signature = combine_signatures(op_signature(*op), reduction.from.signature());
  return reduction;
}

// Combines the contributions into `result`; each must be as long as the result is.
Trouble combine(const Reduction& reduction, const Buffer& result, Contributions contributions) {
  for (std::size_t i = 0; i < contributions.size(); ++i)
    if (contributions[i].size() != result.bytes())
      return count_trouble(static_cast<int>(i), contributions[i].size(), result.bytes());
  if (result.bytes() > 0 && !contributions.empty())
    reduce(*reduction.op, {*result.type, reduction.datatype, result.count}, contributions,
           result.address);
  return {};
}

CollectiveEnd end_of(const Reduction& reduction, std::function<Trouble(Contributions)> apply) {
  return {std::move(apply), reduction.op->code() == OpCode::user};
}

int reduce_to_root(const ReductionArguments& arguments, int root, const Completing& completing) {
  Arguments check = collective_arguments(arguments.comm, completing);
  check.root(root);
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  const bool is_root = communicator->rank() == root;
  const Reduction reduction = checked_reduction(check, arguments, is_root, is_root);
  if (check.failed()) return check.error();
  const PackedData data(*reduction.from.type, reduction.from.count, reduction.from.address);
  Contribution contribution;
  contribution.combining = true;
  contribution.flow = Flow::all_to_root;
  contribution.root = root;
  contribution.signature = reduction.signature;
  contribution.data = data.bytes();
  if (!is_root) return run_collective(communicator, completing, contribution, {nothing_to_do});
  return run_collective(communicator, completing, contribution,
                        end_of(reduction, [=](Contributions from) {
                          return combine(reduction, reduction.into, from);
                        }));
}

int reduce_everywhere(const ReductionArguments& arguments, const Completing& completing) {
  Arguments check = collective_arguments(arguments.comm, completing);
  const Reduction reduction = checked_reduction(check, arguments, true, true);
  if (check.failed()) return check.error();
  const PackedData data(*reduction.from.type, reduction.from.count, reduction.from.address);
  Contribution contribution;
  contribution.combining = true;
  contribution.signature = reduction.signature;
  contribution.data = data.bytes();
  return run_collective(check.communicator(), completing, contribution,
                        end_of(reduction, [=](Contributions from) {
                          return combine(reduction, reduction.into, from);
                        }));
}

// Rank r gets the block of counts[r] elements of the reduction of the whole vector.
int reduce_scatter(ReductionArguments arguments, const std::vector<MPI_Count>& counts,
                   Arguments& check, const Completing& completing) {
  if (check.failed()) return check.error();
  arguments.count = std::accumulate(counts.begin(), counts.end(), MPI_Count{0});
  const CommunicatorRef communicator = check.communicator();
  const auto rank = static_cast<std::size_t>(communicator->rank());
  const Reduction reduction = checked_reduction(check, arguments, counts[rank] > 0, true);
  if (check.failed()) return check.error();
  Blocks blocks;
  MPI_Count first = 0;
  for (MPI_Count count : counts) {
    blocks.push_back(reduction.from.block(first, count));
    first += count;
  }
  const PackedBlocks packed = pack_blocks(blocks);
  Contribution contribution;
  contribution.combining = true;
  contribution.signature =
      combine_signatures(op_signature(*reduction.op), signature_of_blocks(blocks));
  contribution.data = packed.data;
  contribution.segments = packed.segments;
  const Buffer result = reduction.into.block(0, counts[rank]);
  return run_collective(
      communicator, completing, contribution,
      end_of(reduction, [=](Contributions from) { return combine(reduction, result, from); }));
}

int reduce_scatter_varying(const ReductionArguments& arguments, const int* counts,
                           const Completing& completing) {
  Arguments check = collective_arguments(arguments.comm, completing);
  check.counts(counts, "recvcounts");
  std::vector<MPI_Count> all;
  if (!check.failed()) all.assign(counts, counts + check.communicator()->size());
  return reduce_scatter(arguments, all, check, completing);
}

int reduce_scatter_equal(const ReductionArguments& arguments, const Completing& completing) {
  Arguments check = collective_arguments(arguments.comm, completing);
  check.count(arguments.count, "recvcount");
  std::vector<MPI_Count> all;
  if (!check.failed())
    all.assign(static_cast<std::size_t>(check.communicator()->size()), arguments.count);
  return reduce_scatter(arguments, all, check, completing);
}

// Rank r gets the reduction of the ranks before it and, if inclusive, of its own contribution. The
// first rank of an exclusive scan gets nothing.
int scan(const ReductionArguments& arguments, bool inclusive, const Completing& completing) {
  Arguments check = collective_arguments(arguments.comm, completing);
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  const bool gets_result = inclusive || communicator->rank() > 0;
  const Reduction reduction = checked_reduction(check, arguments, gets_result, true);
  if (check.failed()) return check.error();
  const PackedData data(*reduction.from.type, reduction.from.count, reduction.from.address);
  Contribution contribution;
  contribution.combining = true;
  contribution.flow = Flow::prefix;
  contribution.signature = reduction.signature;
  contribution.data = data.bytes();
  const auto before = static_cast<std::size_t>(communicator->rank());
  const std::vector<std::byte> own(data.bytes().begin(), data.bytes().end());
  return run_collective(
      communicator, completing, contribution, end_of(reduction, [=](Contributions from) {
        std::vector<std::span<const std::byte>> parts(from.begin(), from.begin() + before);
        if (inclusive) parts.emplace_back(own);
        return combine(reduction, reduction.into, parts);
      }));
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
           int root, MPI_Comm comm) {
  return reduce_to_root({sendbuf, recvbuf, count, datatype, op, comm}, root, {"MPI_Reduce"});
}

int Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
            int root, MPI_Comm comm, MPI_Request* request) {
  return reduce_to_root({sendbuf, recvbuf, count, datatype, op, comm}, root,
                        nonblocking("MPI_Ireduce", request));
}

int Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm) {
  return reduce_everywhere({sendbuf, recvbuf, count, datatype, op, comm}, {"MPI_Allreduce"});
}

int Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm, MPI_Request* request) {
  return reduce_everywhere({sendbuf, recvbuf, count, datatype, op, comm},
                           nonblocking("MPI_Iallreduce", request));
}

int Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return reduce_scatter_varying({sendbuf, recvbuf, 0, datatype, op, comm}, recvcounts,
                                {"MPI_Reduce_scatter"});
}

int Ireduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                    MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return reduce_scatter_varying({sendbuf, recvbuf, 0, datatype, op, comm}, recvcounts,
                                nonblocking("MPI_Ireduce_scatter", request));
}

int Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype,
                         MPI_Op op, MPI_Comm comm) {
  return reduce_scatter_equal({sendbuf, recvbuf, recvcount, datatype, op, comm},
                              {"MPI_Reduce_scatter_block"});
}

int Ireduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype,
                          MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return reduce_scatter_equal({sendbuf, recvbuf, recvcount, datatype, op, comm},
                              nonblocking("MPI_Ireduce_scatter_block", request));
}

int Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
         MPI_Comm comm) {
  return scan({sendbuf, recvbuf, count, datatype, op, comm}, true, {"MPI_Scan"});
}

int Iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
          MPI_Comm comm, MPI_Request* request) {
  return scan({sendbuf, recvbuf, count, datatype, op, comm}, true,
              nonblocking("MPI_Iscan", request));
}

int Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm) {
  return scan({sendbuf, recvbuf, count, datatype, op, comm}, false, {"MPI_Exscan"});
}

int Iexscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm, MPI_Request* request) {
  return scan({sendbuf, recvbuf, count, datatype, op, comm}, false,
              nonblocking("MPI_Iexscan", request));
}

}  // namespace rehearse::smpi::calls
