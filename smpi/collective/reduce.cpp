// SPDX-License-Identifier: MIT
//
// Reductions and scans: each rank that needs a result gets all contributions and combines them in rank order.
//
// In place:  the caller's contribution is taken from its receive buffer (of a reduce, at the root
//            only).
// Operators: a user's function may call MPI or print, so the contributions are copied before it runs (see
//            CollectiveEnd).
#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "simcore/signature_number.hpp"
#include "smpi/abi/forms.hpp"
#include "smpi/collective/buffer.hpp"
#include "smpi/op/op.hpp"

namespace rehearse::smpi {
namespace {

// The arguments of a reduction.
struct ReductionArguments {
  const void* send;
  void* receive;
  MPI_Count count;
  MPI_Datatype datatype;
  MPI_Op op;
  MPI_Comm comm;
  // The number of elements in the receive buffer; -1: `count`. Not used if the buffer also holds the contribution.
  MPI_Count received = -1;
};

struct Reduction {
  Buffer from;  // the caller's contribution
  Buffer into;  // where the result goes
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  OpRef op;
  std::uint64_t signature = 0;
};

// The signature that must agree: the operator and the data.
std::uint64_t signature_with(const Op& op, std::uint64_t of_data) {
  const SignatureNumber number{of_data};
  return number.is_special() ? 0 : number.combined(static_cast<std::uint64_t>(op.code()) + 1).value;
}

// Checks count, type, operator and the buffers; `gets_result`: the caller has a receive buffer. `may_be_in_place`:
// MPI_IN_PLACE is allowed.
Reduction checked_reduction(Arguments& check, const ReductionArguments& arguments, bool gets_result,
                            bool may_be_in_place) {
  check.count(arguments.count);
  const Datatype* type = check.type(arguments.datatype);
  const Op* op = check.op(arguments.op, type);
  const bool in_place = may_be_in_place && arguments.send == MPI_IN_PLACE;
  const void* send = in_place ? arguments.receive : arguments.send;
  check.buffer(send, arguments.count, type, in_place ? "recvbuf" : "sendbuf");
  const MPI_Count received = arguments.received < 0 ? arguments.count : arguments.received;
  if (gets_result) check.buffer(arguments.receive, received, type, "recvbuf");
  Reduction reduction{{const_cast<void*>(send), arguments.count, DatatypeRef(type)},
                      {arguments.receive, arguments.count, DatatypeRef(type)},
                      arguments.datatype,
                      OpRef(op)};
  if (gets_result && !in_place) check_distinct(check, reduction.from, reduction.into);
  if (!check.failed()) reduction.signature = signature_with(*op, reduction.from.signature());
  return reduction;
}

// An error if the contribution of a rank from `first` on is not as long as the result.
Trouble check_lengths(const Buffer& result, Contributions contributions, std::size_t first = 0) {
  for (std::size_t i = first; i < contributions.size(); ++i)
    if (contributions[i].size() != result.bytes())
      return count_trouble(static_cast<int>(i), contributions[i].size(), result);
  return {};
}

// The place where one member stores a result for the others that need the same; null: each member computes its own, as
// with operators of the program.
SharedResult* shared_by_members(const Reduction& reduction, const Buffer& result, Contributions from) {
  const bool may_share = reduction.signature != 0 && reduction.op->code() != OpCode::user && from.shared() &&
                         from.shared()->data.size() == result.bytes();
  return may_share ? from.shared() : nullptr;
}

void store_result(SharedResult& shared, const Reduction& reduction, const Buffer& result, std::size_t contributions) {
  pack(*result.type, result.count, result.address, shared.data.data());
  shared.what = reduction.signature;
  shared.contributions = static_cast<std::uint32_t>(contributions);
}

// Combines the contributions into `result`. Each must have the length of the result.
Trouble combine(const Reduction& reduction, const Buffer& result, Contributions contributions) {
  SharedResult* shared = shared_by_members(reduction, result, contributions);
  if (shared && shared->what == reduction.signature) {
    unpack(*result.type, result.count, shared->data, result.address);
    return {};
  }
  Trouble trouble = check_lengths(result, contributions);
  if (trouble.error != MPI_SUCCESS || result.bytes() == 0 || contributions.empty()) return trouble;
  reduce(*reduction.op, {*result.type, reduction.datatype, result.count}, contributions.all(), result.address);
  if (shared) store_result(*shared, reduction, result, contributions.size());
  return {};
}

// Combines the first `wanted` contributions in order. If another member has stored the result for fewer of them,
// continues from there.
Trouble combine_first(const Reduction& reduction, std::size_t wanted, Contributions from) {
  const Buffer& result = reduction.into;
  SharedResult* shared = shared_by_members(reduction, result, from);
  const bool continues = shared && shared->what == reduction.signature && shared->contributions <= wanted;
  const std::size_t before = continues ? shared->contributions : 0;
  const Contributions needed(from.all().first(wanted));
  Trouble trouble = check_lengths(result, needed, before);
  if (trouble.error != MPI_SUCCESS || result.bytes() == 0 || wanted == 0) return trouble;
  const ReduceElements elements{*result.type, reduction.datatype, result.count};
  std::vector<std::span<const std::byte>> parts(needed.begin() + static_cast<std::ptrdiff_t>(before), needed.end());
  if (continues) parts.insert(parts.begin(), shared->data);
  reduce_in_order(*reduction.op, elements, parts, result.address);
  if (shared) store_result(*shared, reduction, result, wanted);
  return {};
}

CollectiveEnd end_of(const Reduction& reduction, std::function<Trouble(Contributions)> apply) {
  return {std::move(apply), reduction.op->code() == OpCode::user};
}

// A plan that sends the caller's whole contribution.
Plan plan_for(CollectiveKind kind, const Reduction& reduction) {
  Plan plan;
  plan.combining = true;
  plan.signature = reduction.signature;
  plan.send = Blocks({reduction.from});
  plan.end = {nothing_to_do};
  plan.hints = {kind, reduction.op->commutative(), static_cast<std::uint64_t>(reduction.from.count)};
  return plan;
}

// The call's end writes `result`. In place, the call also reads the contribution there, which may be longer.
void write_into(Plan& plan, const Reduction& reduction, const Buffer& result) {
  plan.in_place = reduction.from.address == result.address;
  plan.into = Blocks({plan.in_place ? reduction.from : result});
}

CollectiveEnd combine_all(const Reduction& reduction) {
  return end_of(reduction, [=](Contributions from) { return combine(reduction, reduction.into, from); });
}

// Between two groups: the root combines the data of the other group.
int reduce_between(Arguments& check, const ReductionArguments& arguments, int root, const Completing& completing) {
  const CommunicatorRef communicator = check.communicator();
  Plan plan;
  plan.end = {nothing_to_do};
  if (root == MPI_ROOT) {
    ReductionArguments received = arguments;
    received.send = arguments.receive;  // the root sends nothing
    const Reduction reduction = checked_reduction(check, received, false, false);
    if (check.failed()) return check.error();
    plan.takes = reduction.signature;
    plan.end = combine_all(reduction);
    plan.into = Blocks({reduction.into});
  } else if (root != MPI_PROC_NULL) {
    const Reduction reduction = checked_reduction(check, arguments, false, false);
    if (check.failed()) return check.error();
    plan = plan_for(CollectiveKind::reduce, reduction);
    plan.gives = reduction.signature;
    plan.signature = 0;
  }
  plan.flow = Flow::all_to_root;
  plan.root = root;
  plan.combining = true;
  plan.hints.kind = CollectiveKind::reduce;
  return run_plan(communicator, completing, std::move(plan));
}

Blocks blocks_of(const Buffer& whole, const std::vector<MPI_Count>& counts) {
  if (std::ranges::adjacent_find(counts, std::not_equal_to()) == counts.end())
    return Blocks::equal(whole.block(0, counts[0]), static_cast<int>(counts.size()));
  std::vector<Buffer> blocks;
  MPI_Count first = 0;
  for (MPI_Count count : counts) {
    blocks.push_back(whole.block(first, count));
    first += count;
  }
  return Blocks(std::move(blocks));
}

// The signature of the division of a result among the members of a group, in which they must agree. A difference in the
// division alone shows as a difference in counts (see what_differs).
std::uint64_t signature_of_pieces(const Reduction& reduction, const std::vector<MPI_Count>& counts) {
  const SignatureNumber whole{reduction.signature};
  if (whole.is_special() || whole.form() != SignatureForm::uniform) return 0;
  std::uint64_t mixed = 1;
  for (const MPI_Count count : counts) mixed = combine_signatures(mixed, static_cast<std::uint64_t>(count) + 1);
  const std::uint64_t element = whole.body() >> SignatureNumber::element_bit << SignatureNumber::element_bit;
  const std::uint64_t body = element | (mixed & SignatureNumber::longest_uniform);
  return SignatureNumber::make(SignatureForm::uniform, whole.manner(), body).value;
}

// Rank r gets the block of counts[r] elements of the reduction of the whole vector.
int reduce_scatter(ReductionArguments arguments, const std::vector<MPI_Count>& counts, CollectiveKind kind,
                   Arguments& check, const Completing& completing) {
  if (check.failed()) return check.error();
  arguments.count = std::accumulate(counts.begin(), counts.end(), MPI_Count{0});
  const CommunicatorRef communicator = check.communicator();
  const auto rank = static_cast<std::size_t>(communicator->rank());
  const bool inter = communicator->is_inter();
  arguments.received = counts[rank];
  const Reduction reduction = checked_reduction(check, arguments, counts[rank] > 0, !inter);
  if (check.failed()) return check.error();
  const Blocks blocks = blocks_of(reduction.from, counts);
  const Buffer result = reduction.into.block(0, counts[rank]);
  Plan plan = plan_for(kind, reduction);
  write_into(plan, reduction, result);
  if (inter) plan.gives = plan.takes = reduction.signature;
  plan.signature = inter ? signature_of_pieces(reduction, counts) : signature_with(*reduction.op, blocks.signature());
  if (inter) {  // the other group may divide the vector differently: each member takes its own piece
    const auto before = std::accumulate(counts.begin(), counts.begin() + communicator->rank(), MPI_Count{0});
    const auto skipped = static_cast<std::size_t>(before * result.type->size());
    plan.end = end_of(reduction, [=](Contributions from) {
      std::vector<std::span<const std::byte>> pieces;
      for (const std::span<const std::byte> whole : from)
        pieces.push_back(
            whole.subspan(std::min(skipped, whole.size()), std::min<std::size_t>(result.bytes(), whole.size())));
      return combine(reduction, result, Contributions(pieces));
    });
    return run_plan(communicator, completing, std::move(plan));
  }
  plan.send = blocks;
  plan.segmented = true;
  plan.end = end_of(reduction, [=](Contributions from) { return combine(reduction, result, from); });
  return run_plan(communicator, completing, std::move(plan));
}

// Rank r gets the reduction of the ranks before it and, if inclusive, of its own contribution. The
// first rank of an exclusive scan gets nothing.
int scan(const ReductionArguments& arguments, bool inclusive, const Completing& completing) {
  Arguments check = collective_arguments(arguments.comm, completing);
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  check.require(!communicator->is_inter(), MPI_ERR_COMM, "a scan is not defined on an intercommunicator");
  if (check.failed()) return check.error();
  const bool gets_result = inclusive || communicator->rank() > 0;
  const Reduction reduction = checked_reduction(check, arguments, gets_result, true);
  if (check.failed()) return check.error();
  Plan plan = plan_for(inclusive ? CollectiveKind::scan : CollectiveKind::exscan, reduction);
  plan.flow = Flow::prefix;
  if (gets_result) write_into(plan, reduction, reduction.into);
  const auto wanted = static_cast<std::size_t>(communicator->rank() + (inclusive ? 1 : 0));
  plan.end = end_of(reduction, [=](Contributions from) { return combine_first(reduction, wanted, from); });
  return run_plan(communicator, completing, std::move(plan));
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::forms {

int Reduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
           MPI_Comm comm, const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  check.root(root);
  if (check.failed()) return check.error();
  const ReductionArguments arguments{sendbuf, recvbuf, count, datatype, op, comm};
  const CommunicatorRef communicator = check.communicator();
  if (communicator->is_inter()) return reduce_between(check, arguments, root, completing);
  const bool is_root = communicator->rank() == root;
  const Reduction reduction = checked_reduction(check, arguments, is_root, is_root);
  if (check.failed()) return check.error();
  Plan plan = plan_for(CollectiveKind::reduce, reduction);
  plan.flow = Flow::all_to_root;
  plan.root = root;
  if (is_root) plan.end = combine_all(reduction);
  if (is_root) write_into(plan, reduction, reduction.into);
  return run_plan(communicator, completing, std::move(plan));
}

int Allreduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  const Reduction reduction =
      checked_reduction(check, {sendbuf, recvbuf, count, datatype, op, comm}, true, !communicator->is_inter());
  if (check.failed()) return check.error();
  Plan plan = plan_for(CollectiveKind::allreduce, reduction);
  plan.gives = plan.takes = reduction.signature;
  write_into(plan, reduction, reduction.into);
  plan.end = combine_all(reduction);
  return run_plan(communicator, completing, std::move(plan));
}

int Reduce_scatter(const void* sendbuf, void* recvbuf, Integers recvcounts, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm, const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check.error();
  const int size = check.communicator()->size();
  check.counts(recvcounts, size, "recvcounts");
  std::vector<MPI_Count> all;
  for (int i = 0; !check.failed() && i < size; ++i) all.push_back(recvcounts[i]);
  return reduce_scatter({sendbuf, recvbuf, 0, datatype, op, comm}, all, CollectiveKind::reduce_scatter, check,
                        completing);
}

int Reduce_scatter_block(const void* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm, const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  check.count(recvcount, "recvcount");
  std::vector<MPI_Count> all;
  if (!check.failed()) all.assign(static_cast<std::size_t>(check.communicator()->size()), recvcount);
  return reduce_scatter({sendbuf, recvbuf, 0, datatype, op, comm}, all, CollectiveKind::reduce_scatter_block, check,
                        completing);
}

int Scan(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
         const Completing& completing) {
  return scan({sendbuf, recvbuf, count, datatype, op, comm}, true, completing);
}

int Exscan(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
           const Completing& completing) {
  return scan({sendbuf, recvbuf, count, datatype, op, comm}, false, completing);
}

}  // namespace rehearse::smpi::forms
