// SPDX-License-Identifier: MIT
//
// See group_agreement.hpp.
#include "smpi/communicator/group_agreement.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "simcore/support/format.hpp"
#include "smpi/communicator/create.hpp"
#include "smpi/creation_site.hpp"

namespace rehearse::smpi {
namespace {

// Words of the remark: a hash of the group, its size, and its first processes, for messages.
constexpr std::size_t max_listed = 16;

std::uint64_t hash_in(const Remark& remark) {
  std::uint64_t hash = 0;
  if (remark.text.size() >= sizeof hash) std::memcpy(&hash, remark.text.data(), sizeof hash);
  return hash;
}

std::vector<ActorId> members_in(const Remark& remark) {
  const std::vector<std::uint64_t> words = numbers_of<std::uint64_t>(remark);
  std::vector<ActorId> members;
  for (std::size_t i = 2; i < words.size(); ++i) members.push_back({static_cast<std::uint32_t>(words[i])});
  return members;
}

std::string group_text(const Communicator& parent, const Remark& remark) {
  const std::uint64_t size = numbers_of<std::uint64_t>(remark)[1];
  std::vector<int> ranks;
  for (const ActorId member : members_in(remark)) ranks.push_back(parent.rank_of(member));
  if (size == 0) return "an empty group";
  if (size > ranks.size()) return fmt::format("a group of {} ranks that begins with {}", size, list_text(ranks));
  return fmt::format("the group of the {} {}", size == 1 ? "rank" : "ranks", list_text(ranks));
}

}  // namespace

GroupRemark::GroupRemark(const std::vector<ActorId>& members) {
  words_ = {space_of_group(members.size() + 1, members), members.size()};
  for (std::size_t i = 0; i < std::min(members.size(), max_listed); ++i) words_.push_back(members[i].value);
}

namespace {

// The first process in the caller's group that names another group.
Disagreement disagreement_of(int me, const std::vector<ActorId>& members, const Communicator& parent,
                             std::span<const Remark> remarks) {
  const Remark& mine = remarks[static_cast<std::size_t>(me)];
  for (const ActorId member : members) {
    const int rank = parent.rank_of(member);
    const Remark& theirs = remarks[static_cast<std::size_t>(rank)];
    if (hash_in(theirs) == hash_in(mine) || hash_in(theirs) == 0) continue;
    return {"collective.group",
            fmt::format("rank {} names {}, and rank {}, a member of that group, names {}", me, group_text(parent, mine),
                        rank, group_text(parent, theirs)),
            member, site_of(theirs.origin)};
  }
  return {};
}

}  // namespace

Disagreement compare_groups(const Communicator& parent, const std::vector<ActorId>& members,
                            std::span<const Remark> remarks) {
  if (remarks.empty()) return {};
  Disagreement found = disagreement_of(parent.rank(), members, parent, remarks);
  for (int rank = 0; rank < parent.rank() && found; ++rank)
    if (disagreement_of(rank, members_in(remarks[static_cast<std::size_t>(rank)]), parent, remarks)) return {};
  return found;
}

}  // namespace rehearse::smpi
