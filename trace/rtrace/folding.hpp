// SPDX-License-Identifier: MIT
//
// Folds loops: a list of row numbers as literal rows and copies of earlier ones. A copy that is longer than its
// distance is `repeat N`.
//
// Source: J. Ziv, A. Lempel, A universal algorithm for sequential data compression, 1977.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/rtrace/bytes.hpp"

namespace rehearse::trace::rtrace {

// Requires: at most 65,536 rows.
void fold(std::span<const std::uint16_t> rows, Bytes& out);

// False: malformed, or not so many rows.
bool unfold(std::span<const std::uint8_t> folded, std::size_t count, std::vector<std::uint16_t>& rows);

}  // namespace rehearse::trace::rtrace
