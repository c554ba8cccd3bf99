// SPDX-License-Identifier: MIT
//
// Where the bytes of one element of a datatype lie: runs of blocks, nested where blocks repeat in
// groups.
//
// Shape: a list of runs in the order in which bytes are packed. A run without body is `count`
//        blocks of `bytes` contiguous bytes, at offset, offset + stride... A run with a body
//        repeats the `body` entries that follow it in the list, with their offsets relative to each
//        repetition; `bytes` is what one repetition packs.
// Units: bytes; offsets relative to the buffer address.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rehearse::smpi {

struct Run {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::int64_t stride = 0;
  std::int64_t count = 1;
  std::uint32_t body = 0;
  bool operator==(const Run&) const = default;
};

using Layout = std::vector<Run>;

// Appends `times` repetitions of `item`, `stride` apart and the first one at `offset`, in as few
// runs as it can see.
void append_repeated(Layout& layout, std::span<const Run> item, std::int64_t offset,
                     std::int64_t times, std::int64_t stride);

}  // namespace rehearse::smpi
