// SPDX-License-Identifier: MIT
//
// See collective_form.hpp.
#include "trace/rtrace/collective_form.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace rehearse::trace::rtrace {

namespace {

enum class Parts : std::uint8_t { none, equal, any };

struct Form {
  Flow flow;
  Parts parts;  // of a member that gives data to others
};

// By CollectiveKind; the first is never used.
constexpr std::array<Form, 17> forms = {{
    {Flow::all_to_all, Parts::any},     // by_flow
    {Flow::all_to_all, Parts::none},    // barrier
    {Flow::root_to_all, Parts::none},   // broadcast
    {Flow::all_to_root, Parts::none},   // reduce
    {Flow::all_to_all, Parts::none},    // allreduce
    {Flow::all_to_root, Parts::none},   // gather
    {Flow::all_to_root, Parts::none},   // gatherv
    {Flow::root_to_all, Parts::equal},  // scatter
    {Flow::root_to_all, Parts::any},    // scatterv
    {Flow::all_to_all, Parts::none},    // allgather
    {Flow::all_to_all, Parts::none},    // allgatherv
    {Flow::all_to_all, Parts::equal},   // alltoall
    {Flow::all_to_all, Parts::any},     // alltoallv
    {Flow::prefix, Parts::none},        // scan
    {Flow::prefix, Parts::none},        // exscan
    {Flow::all_to_all, Parts::any},     // reduce_scatter
    {Flow::all_to_all, Parts::equal},   // reduce_scatter_block
}};

const Form& form_of(CollectiveKind kind) { return forms[static_cast<std::size_t>(kind)]; }

// Whether the parts are the whole contribution; no sum overflows.
bool are_whole(std::span<const std::uint64_t> parts, std::uint64_t bytes) {
  for (const std::uint64_t part : parts) {
    if (part > bytes) return false;
    bytes -= part;
  }
  return bytes == 0;
}

}  // namespace

CollectiveKind kind_of(const Collective& collective) {
  if (collective.hints.kind != CollectiveKind::by_flow) return collective.hints.kind;
  const bool has_segments = !collective.segment_bytes.empty();
  switch (collective.flow) {
    case Flow::root_to_all: return has_segments ? CollectiveKind::scatterv : CollectiveKind::broadcast;
    case Flow::all_to_root: return collective.combining ? CollectiveKind::reduce : CollectiveKind::gatherv;
    case Flow::prefix: return CollectiveKind::scan;
    case Flow::nobody:
    case Flow::optional: return CollectiveKind::barrier;
    case Flow::all_to_all: break;
  }
  if (has_segments) return collective.combining ? CollectiveKind::reduce_scatter : CollectiveKind::alltoallv;
  return collective.combining ? CollectiveKind::allreduce : CollectiveKind::allgatherv;
}

bool has_root(CollectiveKind kind) {
  const Flow flow = form_of(kind).flow;
  return flow == Flow::root_to_all || flow == Flow::all_to_root;
}

const char* broken_rule(const Collective& collective, ActorId caller) {
  constexpr const char* wrong_parts = "a collective whose parts do not fit its kind";
  const CollectiveKind kind = kind_of(collective);
  const Form& form = form_of(kind);
  const std::span<const std::uint64_t> parts = collective.segment_bytes;
  const std::uint64_t bytes = collective.contribution.size();
  if (!parts.empty() && !are_whole(parts, bytes)) return "a contribution that is not the sum of its parts";
  if (kind == CollectiveKind::barrier && bytes > 0) return "a barrier with data";
  const bool has_no_flow = kind == CollectiveKind::barrier &&
                           (collective.flow == Flow::nobody || collective.flow == Flow::optional);
  if (collective.flow != form.flow && !has_no_flow) return "a collective whose flow is not that of its kind";
  if (collective.groups.first != 0) return nullptr;  // parts for the own group are 0, and a group has its own root
  const bool is_giver = form.flow != Flow::root_to_all || collective.members[collective.root] == caller;
  if (!is_giver) return bytes == 0 && parts.empty() ? nullptr : "a contribution of a rank that is not the root";
  if (form.parts == Parts::none) return parts.empty() ? nullptr : wrong_parts;
  if (parts.empty()) return bytes == 0 ? nullptr : wrong_parts;
  const bool are_equal = std::ranges::adjacent_find(parts, std::not_equal_to()) == parts.end();
  return form.parts == Parts::any || are_equal ? nullptr : wrong_parts;
}

}  // namespace rehearse::trace::rtrace
