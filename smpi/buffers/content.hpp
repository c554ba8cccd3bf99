// SPDX-License-Identifier: MIT
//
// A hash of a buffer's content, to find later changes.
//
// Cost:   up to `limit` bytes, the hash covers the whole buffer. Of a larger one it covers about `limit` / 4 bytes: the
//         beginning, the end, and evenly spaced pieces. Equal hashes then do not prove that nothing changed.
// Errors: none: a large buffer whose memory is not mapped has no hash.
#pragma once

#include <cstdint>
#include <optional>

#include "smpi/collective/blocks.hpp"

namespace rehearse::smpi {

std::optional<std::uint64_t> content_of(const Blocks& blocks, std::uint64_t limit);

}  // namespace rehearse::smpi
