// SPDX-License-Identifier: MIT
//
// Equal pages of ranks as one physical page, in a timed run: options, and a summary for reports
// (smpi/page_merging.hpp).
//
// Units: bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/json.hpp"
#include "simcore/support/result.hpp"
#include "smpi/page_merging.hpp"

namespace rehearse::app {

struct FoldingOptions;

struct MergingOptions {
  bool wanted = false;
  std::uint64_t every = 0;  // growth of memory between two scans, at least; 0: merging_every
};
inline constexpr std::uint64_t merging_every = std::uint64_t{64} << 20;

// Null: not wanted. Errors: options that contradict each other.
Result<std::unique_ptr<smpi::PageMerging>> merging_of(const MergingOptions& options, const FoldingOptions& folding);

Json to_json(const smpi::MergedMemory& merged);
std::string line_of(const smpi::MergedMemory& merged);

}  // namespace rehearse::app
