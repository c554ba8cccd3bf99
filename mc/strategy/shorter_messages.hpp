// SPDX-License-Identifier: MIT
//
// Searches that leave out the buffers of waiting receives are repeated when a message is shorter than what was left
// out: then only as many bytes are left out as this message has. After a few lengths, all bytes count.
#pragma once

#include <cstdint>
#include <optional>

#include "simcore/state_image.hpp"

namespace rehearse::mc::strategy {

// search(awaited) returns the length of a message that was too short, or nothing if it is over.
template <class Search>
void repeat_for_shorter_messages(Search&& search) {
  using Awaited = StateImages::AwaitedBytes;
  constexpr int most_lengths = 4;
  Awaited awaited = Awaited::left_out;
  for (int lengths = 1; const std::optional<std::uint64_t> bytes = search(awaited); ++lengths)
    awaited = lengths < most_lengths ? Awaited{*bytes} : Awaited::counted;
}

}  // namespace rehearse::mc::strategy
