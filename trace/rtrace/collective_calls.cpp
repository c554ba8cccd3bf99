// SPDX-License-Identifier: MIT
//
// The part of CallReader that is about collectives.
#include <algorithm>
#include <numeric>

#include "trace/collective_names.hpp"
#include "trace/count_agreement.hpp"
#include "trace/rtrace/call_reader.hpp"
#include "trace/rtrace/collective_form.hpp"

namespace rehearse::trace::rtrace {

namespace {

// Whether the call of this member divides its contribution into a part for each member.
bool has_parts(const CollectiveAction& action, bool is_root) {
  switch (action.kind) {
    case CollectiveKind::scatter:
    case CollectiveKind::scatterv: return is_root;
    case CollectiveKind::alltoall:
    case CollectiveKind::alltoallv:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::reduce_scatter_block: return true;
    default: return false;
  }
}

}  // namespace

void CallReader::convert(const Collective& collective) {
  if (collective.groups.first != 0) return refuse("a collective between two groups of ranks");
  const CollectiveKind kind = kind_of(collective);
  CollectiveAction action;
  action.name = action_name(kind, collective.blocking);
  action.kind = kind == CollectiveKind::reduce_scatter_block ? CollectiveKind::reduce_scatter : kind;
  action.flow = collective.flow;
  action.root = has_root(kind) ? collective.root : 0;
  action.combining = collective.combining;
  action.elements = collective.hints.elements;
  action.bytes = collective.contribution.size();
  action.total_bytes = collective.hints.total_bytes;
  action.segments = collective.segment_bytes;
  action.agreement = collective.signature;
  action.blocking = collective.blocking;
  if (action.root >= collective.members.size()) return refuse("a root outside of the communicator");
  if (action.bytes > most_contribution) return refuse("more than 9e15 bytes");
  const bool is_root = collective.members[action.root] == ActorId{rank_};
  if (has_parts(action, is_root) && action.bytes > 0 && action.segments.size() != collective.members.size())
    return refuse("a collective whose contribution is not divided into parts");
  if (collective.hints.kind == CollectiveKind::by_flow) losses_.add(Loss::other_collectives);
  if (kind == CollectiveKind::reduce_scatter_block) losses_.add(Loss::block_reductions);
  if (collective.combining && !trace_.file().has_reductions()) losses_.add(Loss::reduction_volumes);
  if (collective.combining && !collective.hints.is_commutative) losses_.add(Loss::operators);
  const auto context = static_cast<std::size_t>(event_.numbers[place::context]);
  if (needs_contributions(kind)) add_sizes(collective, context, action);
  if (!collective.blocking) open_.push_back({collective_name, collective.request});
  add(action, context);
}

// The sizes that other members contribute, and that calls of this kind have.
void CallReader::add_sizes(const Collective& collective, std::size_t context, CollectiveAction& action) {
  if (numbers_.size() <= context) numbers_.resize(context + 1);
  const std::uint64_t number = numbers_[context]++;
  const auto find = [&](std::uint32_t member) -> std::optional<Contributions::Sizes> {
    const Contributions* all = trace_.contributions();
    return all == nullptr ? std::nullopt : all->find(static_cast<std::uint32_t>(context), member, number);
  };
  const auto size_of = [&](std::uint32_t member, std::uint32_t part) -> std::optional<std::uint64_t> {
    const auto sizes = find(member);
    if (!sizes) return std::nullopt;
    return sizes->for_member(part);
  };
  const std::uint32_t communicator = trace_.communicator_of(context);
  const std::uint32_t own = communicator == 0 ? rank_ : member_in(communicator);
  const bool is_root = own == action.root;
  // Calls say how many bytes the caller expects. A recording of a program has no number of bytes for this.
  const auto named = trace_.file().has_reductions() ? agreed_bytes(action.agreement) : std::nullopt;
  const auto first = find(action.flow == Flow::root_to_all ? action.root : 0);
  const bool has_other = first && first->signature != 0 && first->signature != action.agreement;
  if (has_other && action.agreement != 0 && !(named && action.flow == Flow::root_to_all))
    losses_.add(Loss::disagreements);
  if (action.kind == CollectiveKind::broadcast || action.kind == CollectiveKind::scatter ||
      action.kind == CollectiveKind::scatterv) {
    std::optional<std::uint64_t> received;
    if (!is_root && named) received = named;
    else if (!is_root) received = size_of(action.root, own);
    else if (action.kind == CollectiveKind::broadcast) received = action.bytes;
    else if (own < action.segments.size()) received = action.segments[own];
    if (!received) losses_.add(Loss::unknown_counts);
    (action.kind == CollectiveKind::broadcast ? action.named_bytes : action.received_bytes) = received.value_or(0);
    return;
  }
  if (action.kind == CollectiveKind::gatherv && !is_root) return;
  bool is_known = true;
  blocks_.clear();
  for (std::uint32_t member = 0; member < collective.members.size(); ++member) {
    const auto size = member == own && action.kind != CollectiveKind::alltoallv ? std::optional(action.bytes)
                                                                                : size_of(member, own);
    is_known = is_known && size.has_value();
    blocks_.push_back(size.value_or(0));
  }
  if (!is_known) losses_.add(Loss::unknown_counts);
  action.blocks = blocks_;
}

}  // namespace rehearse::trace::rtrace
