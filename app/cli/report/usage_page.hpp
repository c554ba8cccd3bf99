// SPDX-License-Identifier: MIT
//
// The page of a usage, or of two: treemap and topology of hosts and links over time.
//
// Encoding: the slices of a row as variable-length integers (LEB128: seven bits in each byte, the lowest first; the
//           eighth bit says that another byte follows). First comes the number of runs of used slices. A run has the
//           number of unused slices before it, the number of its slices, and for each of these the increase of the
//           row's rounded sum so far, in units of total / 2^30. So the sum over any range of slices has an error of at
//           most one such unit.
#pragma once

#include <cstddef>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "app/usage.hpp"

namespace rehearse::cli {

// `usages`: one, or two to compare.
void write_usage_page(std::ostream& out, std::span<const app::Usage> usages);

// The rows, encoded one after the other.
std::string encode_cells(const std::vector<UseRow>& rows);

}  // namespace rehearse::cli
