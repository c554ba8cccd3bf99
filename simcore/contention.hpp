// SPDX-License-Identifier: MIT
//
// The part of its capacity that a link has while several flows cross it.
//
// Errors: parse_contention: the text, the part that is wrong, the accepted form.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse {

// From this number of flows up to that of the next piece; the factor is 1 below the first piece.
struct ContentionPiece {
  std::uint32_t flows = 1;
  double factor = 1;
};

// Pieces `FLOWS:FACTOR;FLOWS:FACTOR;...` by rising numbers from 1 on, with factors above 0 and at most 1. The factor of
// 1 flow is 1.
Result<std::vector<ContentionPiece>> parse_contention(const std::string& text);

}  // namespace rehearse
