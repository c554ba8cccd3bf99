// SPDX-License-Identifier: MIT
//
// See communicator_table.hpp.
#include "trace/pmpi/communicator_table.hpp"

#include <utility>

namespace rehearse::trace::pmpi {

namespace {

constexpr std::uint64_t world_context = 16, self_context = 32;

// Source: S. Vigna's SplitMix64.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

std::uint64_t derived(std::uint64_t parent, std::uint64_t number, const std::vector<ActorId>& members) {
  std::uint64_t context = mixed(mixed(parent) ^ number);
  for (const ActorId member : members) context = mixed(context ^ member.value);
  return context & ~std::uint64_t{1};
}

}  // namespace

CommunicatorTable::CommunicatorTable(std::uint32_t rank, std::uint32_t ranks) : ranks_(ranks) {
  KnownCommunicator world{world_context, {}, false};
  for (std::uint32_t i = 0; i < ranks; ++i) world.members.push_back({i});
  known_.push_back(std::move(world));
  known_.push_back({derived(self_context, 0, {{rank}}), {{rank}}, false});
}

const char* CommunicatorTable::add(rtrace::ByteReader& in) {
  const KnownCommunicator* parent = find(in.get());
  const std::uint64_t form = in.get();
  const std::int64_t child = in.get_signed(), tag = in.get_signed();
  const std::uint64_t size = in.get();
  if (parent == nullptr || size > ranks_) return "unknown communicator";
  KnownCommunicator made;
  while (made.members.size() < size) {
    const std::uint64_t first = in.get(), count = in.get();
    if (!in.is_good() || count == 0 || count > size - made.members.size() || first >= ranks_ || count > ranks_ - first)
      return "members of a communicator that are not ranks";
    for (std::uint64_t i = 0; i < count; ++i) made.members.push_back({static_cast<std::uint32_t>(first + i)});
  }
  made.is_of_group = form == rehearse_comm_of_group;
  if (made.is_of_group) {
    made.context = derived(mixed(parent->context ^ ~std::uint64_t{0}), static_cast<std::uint64_t>(tag), made.members);
  } else {
    const std::uint64_t number = parent->is_of_group ? made_by_group_[parent->context]++
                                                     : static_cast<std::uint64_t>(child);
    made.context = derived(parent->context, number, made.members);
  }
  known_.push_back(std::move(made));
  return nullptr;
}

const KnownCommunicator* CommunicatorTable::find(std::uint64_t number) const {
  return number < known_.size() ? &known_[number] : nullptr;
}

}  // namespace rehearse::trace::pmpi
