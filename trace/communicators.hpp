// SPDX-License-Identifier: MIT
//
// The communicators of a trace, which its ranks make by splitting others.
//
// Source: the rules of MPI_Comm_split and MPI_Comm_dup, MPI 5.0, section 7.4: the k-th call on a communicator by each
//         of its members belong together; members are ordered by key, then by their rank in the parent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::trace {

// A rank makes a communicator, under a number of its own choice. 0 is the world.
struct Split {
  std::int64_t parent = 0;  // number
  std::int64_t colour = 0;  // negative: the rank becomes a member of none
  std::int64_t key = 0;
  std::int64_t number = 0;
  bool is_duplicate = false;  // colour and key do not count
  std::uint64_t line = 0;
};

// A communicator as one of its members sees it.
struct Membership {
  std::uint32_t communicator = 0;  // index
  std::uint32_t member = 0;        // index into its members
};

class Communicators {
 public:
  // The world alone.
  explicit Communicators(std::uint32_t ranks);

  // By rank, in the order of its calls. The error says which rank waits at which line for whom.
  static Result<Communicators> make(const std::vector<std::vector<Split>>& splits);
  // These in this order; the first is the world. made_by() does not apply.
  static Communicators of(std::vector<std::vector<ActorId>> members);

  std::size_t size() const { return members_.size(); }
  std::span<const ActorId> members(std::uint32_t communicator) const { return members_[communicator]; }

  // What the k-th call of the rank made; nothing if it became no member.
  const Membership* made_by(std::uint32_t rank, std::size_t call) const {
    const Membership& made = made_[rank][call];
    return made.communicator == 0 ? nullptr : &made;
  }

 private:
  std::vector<std::vector<ActorId>> members_;
  std::vector<std::vector<Membership>> made_;  // by rank and call; communicator 0: none
};

}  // namespace rehearse::trace
