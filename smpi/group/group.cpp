// SPDX-License-Identifier: MIT
//
// Group algebra. The order of results is the one that MPI 5.0, 7.3.2 prescribes.
#include "smpi/group/group.hpp"

#include <algorithm>

#include "simcore/support/assert.hpp"

namespace rehearse::smpi {
namespace {

// Made before main() starts, outside of any rank's memory, and never written afterwards.
const Group empty_group(Group::Progression{}, SharedObject::Lifetime::immortal);

GroupRef make(const std::vector<int>& processes) {
  return processes.empty() ? Group::empty() : GroupRef(new Group(processes));
}

// The processes of `group` that are, or are not, in `other`; in the order of `group`.
std::vector<int> filtered(const Group& group, const Group& other, bool in_other) {
  std::vector<int> kept;
  for (int rank = 0; rank < group.size(); ++rank) {
    const int process = group.process(rank);
    if ((other.rank_of(process) != MPI_UNDEFINED) == in_other) kept.push_back(process);
  }
  return kept;
}

}  // namespace

Group::Group(Progression processes, Lifetime lifetime) : SharedObject(lifetime), progression_(processes) {}

Group::Group(std::span<const int> processes) : SharedObject(Lifetime::counted) {
  progression_.size = static_cast<int>(processes.size());
  if (processes.empty()) return;
  progression_.first = processes[0];
  if (processes.size() > 1) progression_.step = processes[1] - processes[0];
  bool regular = progression_.step != 0;
  for (std::size_t i = 1; i < processes.size() && regular; ++i)
    regular = processes[i] - processes[i - 1] == progression_.step;
  if (regular) return;
  processes_.assign(processes.begin(), processes.end());
  inverse_.reserve(processes.size());
  for (int rank = 0; rank < size(); ++rank) inverse_.emplace_back(processes_[rank], rank);
  std::sort(inverse_.begin(), inverse_.end());
  for (std::size_t i = 1; i < inverse_.size(); ++i)
    REHEARSE_ASSERT(inverse_[i - 1].first != inverse_[i].first, "a group contains a process twice");
}

GroupRef Group::identity(int size) { return size == 0 ? empty() : GroupRef(new Group(Progression{.size = size})); }

GroupRef Group::empty() { return GroupRef(&empty_group); }

int Group::process(int rank) const {
  REHEARSE_ASSERT(0 <= rank && rank < size(), "a rank that is not in the group");
  if (!processes_.empty()) return processes_[static_cast<std::size_t>(rank)];
  return progression_.first + rank * progression_.step;
}

int Group::rank_of(int process) const {
  if (processes_.empty()) {
    const int distance = process - progression_.first;
    const int rank = distance / progression_.step;
    const bool is_in = distance % progression_.step == 0 && 0 <= rank && rank < size();
    return is_in ? rank : MPI_UNDEFINED;
  }
  const auto found = std::lower_bound(inverse_.begin(), inverse_.end(), std::pair(process, 0));
  return found != inverse_.end() && found->first == process ? found->second : MPI_UNDEFINED;
}

int compare(const Group& a, const Group& b) {
  if (a.size() != b.size()) return MPI_UNEQUAL;
  bool same_order = true;
  for (int rank = 0; rank < a.size(); ++rank) {
    const int other = b.rank_of(a.process(rank));
    if (other == MPI_UNDEFINED) return MPI_UNEQUAL;
    same_order = same_order && other == rank;
  }
  return same_order ? MPI_IDENT : MPI_SIMILAR;
}

GroupRef set_union(const Group& a, const Group& b) {
  std::vector<int> processes;
  for (int rank = 0; rank < a.size(); ++rank) processes.push_back(a.process(rank));
  for (const int process : filtered(b, a, false)) processes.push_back(process);
  return make(processes);
}

GroupRef set_intersection(const Group& a, const Group& b) { return make(filtered(a, b, true)); }

GroupRef set_difference(const Group& a, const Group& b) { return make(filtered(a, b, false)); }

GroupRef include(const Group& group, std::span<const int> ranks) {
  std::vector<int> processes;
  for (const int rank : ranks) processes.push_back(group.process(rank));
  return make(processes);
}

GroupRef exclude(const Group& group, std::span<const int> ranks) {
  std::vector<char> kept(static_cast<std::size_t>(group.size()), 1);
  for (const int rank : ranks) kept.at(static_cast<std::size_t>(rank)) = 0;
  std::vector<int> processes;
  for (int rank = 0; rank < group.size(); ++rank)
    if (kept[static_cast<std::size_t>(rank)] != 0) processes.push_back(group.process(rank));
  return make(processes);
}

}  // namespace rehearse::smpi
