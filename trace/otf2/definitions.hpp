// SPDX-License-Identifier: MIT
//
// The definitions of an archive.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::trace::otf2 {

struct Region {
  std::string name;
  bool is_mpi = false;
};

struct Definitions {
  std::uint64_t ticks_per_second = 0;
  std::vector<OTF2_LocationRef> locations;  // by rank of MPI
  std::unordered_map<OTF2_RegionRef, Region> regions;
  std::unordered_map<OTF2_CommRef, std::vector<std::uint32_t>> communicators;  // members as ranks
  // Where the counter of instructions is: in this class of metrics, with this index.
  std::optional<std::pair<OTF2_MetricRef, std::size_t>> instructions;
};

// Reads the global definitions. The error does not name the file.
Result<Definitions> read_definitions(OTF2_Reader* reader);

}  // namespace rehearse::trace::otf2
