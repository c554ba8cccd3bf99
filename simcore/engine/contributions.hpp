// SPDX-License-Identifier: MIT
//
// The data of collectives: contributions are copied or stay in place, and are passed to members as the Flow says.
//
// Units:     bytes.
// Ownership: what deliver() returns is valid until the next call, and until the members that gave it continue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simcore/engine/state.hpp"

namespace rehearse::engine {

class Contributions {
 public:
  // Of a member that arrives. Large ones of which each byte is needed about once stay where the member has them.
  static void keep(Instance& instance, std::uint32_t index, const Collective& operation);
  static void keep_remark(Instance& instance, std::uint32_t index, const Collective& operation);

  // What the member of this request is given; it is about to continue.
  std::span<const std::span<const std::byte>> deliver(Request& request);
  static std::span<const Remark> remarks_for(const Request& request);
  // Room for a result that is the same for several members of a combining collective; null: there is none.
  static SharedResult* shared_result(const Request& request);

 private:
  static std::span<const std::span<const std::byte>> deliver_between(Instance& instance, std::uint32_t observer);
  static void settle(Instance& instance, std::uint32_t index);

  std::vector<std::span<const std::byte>> nothing_;  // for members that are given none
};

// Whether the observer needs what the giver gives.
bool needs(const Instance& instance, std::uint32_t observer, std::uint32_t giver);

// What of a contribution is for these members, counted by their places in `order`.
std::uint64_t bytes_for(const Member& member, const Range& targets, std::span<const std::uint32_t> order,
                        std::uint32_t members);

}  // namespace rehearse::engine
