// SPDX-License-Identifier: MIT
//
// The data of a large put or accumulate that stays in its origin's buffer until it is stored at the target, instead of
// being copied into messages: with drivers that let ranks read and write each other's memory (see
// smpi/driver_services.hpp).
//
// Rules:     the program must not change the buffer before a call completes the operation there. That call either
//            stores the data at the target itself, or keeps a copy for the effect that is still to come.
// Ownership: in the origin's memory. Messages have the address of the LentData; it lives until its operation is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rehearse::smpi {

struct LentData {
  std::span<const std::byte> bytes;  // in the program's buffer, or in `kept`
  std::vector<std::byte> kept = {};

  // The buffer is the program's again.
  void keep() {
    if (!kept.empty()) return;
    kept.assign(bytes.begin(), bytes.end());
    bytes = kept;
  }
};

using LentDataRef = std::shared_ptr<LentData>;

// Smaller data is copied.
inline constexpr std::uint64_t lent_bytes_least = 16384;

}  // namespace rehearse::smpi
