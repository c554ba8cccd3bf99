// SPDX-License-Identifier: MIT
//
// The parts of Folding: what its arrays share, and static arrays that are not folded yet.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "smpi/folding.hpp"

namespace rehearse::smpi {

inline constexpr std::uint64_t huge_page_bytes = std::uint64_t{2} << 20;

// What arrays share. The pilot is the only array, which is still private.
struct Folding::Fold {
  enum class State : std::uint8_t { empty, pilot, folded, kept } state = State::empty;
  FoldSite* site = nullptr;
  int file = -1;
  std::uint64_t file_bytes = 0;
  std::uint64_t shift = 0;  // of the array's begin in the file, so that huge pages fit; below huge_page_bytes
  std::byte* pilot = nullptr;
  Owner pilot_owner = {};
  std::vector<Piece> pieces;  // that are folded in each array
  std::uint64_t live = 0;
  std::uint64_t pages_apart = 0;  // of an array: they hold addresses
  std::vector<bool> is_huge;      // by parts of the file of huge_page_bytes
};

// A static array of ranks. Its pilots are the first two ranks that write to it.
struct Folding::Watched {
  Fold* fold = nullptr;
  StaticArray array;
  std::uint64_t begin = 0, bytes = 0;  // its whole pages, from its begin on
  std::optional<Owner> first;          // that has written to it
};

}  // namespace rehearse::smpi
