// SPDX-License-Identifier: MIT
//
// A hash of a buffer's content, to find later changes.
//
// Cost:   everything is looked at up to `limit` bytes; of more, so many in pieces that lie evenly over all of it, with
//         its beginning and its end. Equal numbers then do not say that nothing changed.
// Errors: none: a large buffer that is not there has no number.
#pragma once

#include <cstdint>
#include <optional>

#include "smpi/collective/blocks.hpp"

namespace rehearse::smpi {

std::optional<std::uint64_t> content_of(const Blocks& blocks, std::uint64_t limit);

}  // namespace rehearse::smpi
