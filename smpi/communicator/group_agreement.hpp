// SPDX-License-Identifier: MIT
//
// Checks whether the processes of a group name the same group in MPI_Comm_create.
//
// Source: MPI 4.1, 7.4.2: if a process names a group that is not empty, all processes in that group must name the same
//         group, that is, the same processes in the same order. Groups without common processes may differ.
// Cost:   each process checks only the processes of its own group.
#pragma once

#include <span>
#include <vector>

#include "smpi/collective/disagreement.hpp"
#include "smpi/communicator/communicator.hpp"

namespace rehearse::smpi {

// The caller's remark, which describes its group.
class GroupRemark {
 public:
  explicit GroupRemark(const std::vector<ActorId>& members);

  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(words_)); }

 private:
  std::vector<std::uint64_t> words_;
};

// A process of the caller's group that names another group. If several processes find one, the lowest rank is reported.
Disagreement compare_groups(const Communicator& parent, const std::vector<ActorId>& members,
                            std::span<const Remark> remarks);

}  // namespace rehearse::smpi
