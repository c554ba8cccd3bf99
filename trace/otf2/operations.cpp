// SPDX-License-Identifier: MIT
//
// See operations.hpp.
#include "trace/otf2/operations.hpp"

#include <array>
#include <utility>

namespace rehearse::trace::otf2 {
namespace {

constexpr std::array<std::pair<CollectiveKind, OTF2_CollectiveOp_enum>, 16> pairs = {
    {{CollectiveKind::barrier, OTF2_COLLECTIVE_OP_BARRIER},
     {CollectiveKind::broadcast, OTF2_COLLECTIVE_OP_BCAST},
     {CollectiveKind::reduce, OTF2_COLLECTIVE_OP_REDUCE},
     {CollectiveKind::allreduce, OTF2_COLLECTIVE_OP_ALLREDUCE},
     {CollectiveKind::gather, OTF2_COLLECTIVE_OP_GATHER},
     {CollectiveKind::gatherv, OTF2_COLLECTIVE_OP_GATHERV},
     {CollectiveKind::scatter, OTF2_COLLECTIVE_OP_SCATTER},
     {CollectiveKind::scatterv, OTF2_COLLECTIVE_OP_SCATTERV},
     {CollectiveKind::allgather, OTF2_COLLECTIVE_OP_ALLGATHER},
     {CollectiveKind::allgatherv, OTF2_COLLECTIVE_OP_ALLGATHERV},
     {CollectiveKind::alltoall, OTF2_COLLECTIVE_OP_ALLTOALL},
     {CollectiveKind::alltoallv, OTF2_COLLECTIVE_OP_ALLTOALLV},
     {CollectiveKind::scan, OTF2_COLLECTIVE_OP_SCAN},
     {CollectiveKind::exscan, OTF2_COLLECTIVE_OP_EXSCAN},
     {CollectiveKind::reduce_scatter, OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
     {CollectiveKind::reduce_scatter_block, OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK}}};

}  // namespace

OTF2_CollectiveOp operation_of(CollectiveKind kind) {
  for (const auto& [one, operation] : pairs)
    if (one == kind) return operation;
  return OTF2_COLLECTIVE_OP_BARRIER;
}

CollectiveKind kind_of(OTF2_CollectiveOp operation) {
  for (const auto& [kind, one] : pairs)
    if (one == operation) return kind;
  if (operation == OTF2_COLLECTIVE_OP_ALLTOALLW) return CollectiveKind::alltoallv;
  return CollectiveKind::by_flow;
}

OTF2_ErrorCode be_silent(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char*, va_list) {
  return code;
}

}  // namespace rehearse::trace::otf2
