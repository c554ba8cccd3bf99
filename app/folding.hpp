// SPDX-License-Identifier: MIT
//
// Folded memory in a timed run: options, and a summary for reports (smpi/folding.hpp).
//
// Units: bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "simcore/support/result.hpp"
#include "smpi/folding.hpp"

namespace rehearse::app {

struct FoldingOptions {
  bool none = false;              // ranks share no memory, although the program asks for it
  std::uint64_t above = 0;        // fold allocations of at least this size; 0: none
  std::uint64_t within = 0;       // size of tiles; 0: none
  std::vector<std::string> keep;  // places that are not folded
};

// Errors: sizes that are not whole pages, or options that contradict each other.
Result<smpi::Folding::Options> folding_of(const FoldingOptions& options);

struct FoldingSummary {
  bool corrupts_data = false;
  std::vector<smpi::FoldSite> sites;
  smpi::FoldedMemory memory;
};
FoldingSummary summary_of(smpi::Folding& folding);
Json to_json(const FoldingSummary& summary);
// A line for each place, and one for the memory.
std::vector<std::string> lines_of(const FoldingSummary& summary);

}  // namespace rehearse::app
