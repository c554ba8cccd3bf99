// SPDX-License-Identifier: MIT
//
// The data of collectives: contributions are copied or stay in place, and are passed to members as the Flow says.
//
// Units:     bytes.
// Ownership: the result of deliver() is valid until the next call, and until the members that contributed continue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simcore/engine/state.hpp"

namespace rehearse::engine {

class Contributions {
 public:
  // Notes the contribution of a member that arrives. A large one whose bytes are needed about once is not copied: it
  // stays in the member's memory.
  static void keep(Instance& instance, std::uint32_t index, const Collective& operation);
  static void keep_remark(Instance& instance, std::uint32_t index, const Collective& operation);

  // The data for the member of this request, which is about to continue.
  std::span<const std::span<const std::byte>> deliver(Request& request);
  static std::span<const Remark> remarks_for(const Request& request);
  // Room for a result that is the same for several members of a combining collective; null: there is none.
  static SharedResult* shared_result(const Request& request);

 private:
  static std::span<const std::span<const std::byte>> deliver_between(Instance& instance, std::uint32_t observer);
  static void settle(Instance& instance, std::uint32_t index);

  std::vector<std::span<const std::byte>> nothing_;  // for members that receive no data
};

// Whether the observer needs the giver's contribution.
bool needs(const Instance& instance, std::uint32_t observer, std::uint32_t giver);

// The number of bytes of a contribution for these members; `targets` are places in `order`.
std::uint64_t bytes_for(const Member& member, const Range& targets, std::span<const std::uint32_t> order,
                        std::uint32_t members);

}  // namespace rehearse::engine
