// SPDX-License-Identifier: MIT
//
// See merging.hpp.
#include "app/folding.hpp"
#include "app/merging.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/page.hpp"

namespace rehearse::app {

Result<std::unique_ptr<smpi::PageMerging>> merging_of(const MergingOptions& options, const FoldingOptions& folding) {
  if (!options.wanted && options.every != 0) return Error{"--merge-every needs --merge-pages"};
  if (!options.wanted) return std::unique_ptr<smpi::PageMerging>();
  if (folding.above != 0) return Error{"--merge-pages and --fold-above contradict each other"};
  return std::make_unique<smpi::PageMerging>(options.every == 0 ? merging_every : options.every);
}

Json to_json(const smpi::MergedMemory& merged) {
  return {{"scans", merged.scans},       {"merged_pages", merged.merged}, {"physical_pages", merged.shared},
          {"zero_pages", merged.zeros},  {"mappings", merged.mappings},   {"resident_bytes", merged.resident},
          {"limited", merged.is_limited}};
}

std::string line_of(const smpi::MergedMemory& merged) {
  const auto in_mebibytes = [](std::uint64_t bytes) {
    return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
  };
  return fmt::format("merged: {} in {} of physical memory, {}; {} of zeros released; {}; memory: {}{}",
                     counted(merged.merged, "equal page"), in_mebibytes(merged.shared * page_bytes),
                     counted(merged.mappings, "mapping"), counted(merged.zeros, "page"), counted(merged.scans, "scan"),
                     in_mebibytes(merged.resident),
                     merged.is_limited ? "; the kernel allows no more mappings (vm.max_map_count)" : "");
}

}  // namespace rehearse::app
