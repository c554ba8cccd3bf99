// SPDX-License-Identifier: MIT
//
// The numbers that Extrae gives MPI's functions and the states of ranks in Paraver traces. Configuration files of
// Paraver refer to them.
//
// Source: the traces of Extrae 4 (BSC): event types 50000001 to 50000005, and the table of values in their .pcf files.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace rehearse::cli {

enum class ExtraeGroup : std::uint32_t {
  point_to_point = 50'000'001,
  collective = 50'000'002,
  other = 50'000'003,
  one_sided = 50'000'004,
  files = 50'000'005
};

struct ExtraeCall {
  std::string_view function;
  ExtraeGroup group;
  std::uint32_t value;
};

std::span<const ExtraeCall> extrae_calls();
const ExtraeCall* find_extrae_call(std::string_view function);  // null: Extrae has no number for it

}  // namespace rehearse::cli
