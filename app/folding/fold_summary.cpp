// SPDX-License-Identifier: MIT
//
// See folding.hpp and data_mark.hpp.
#include "app/data_mark.hpp"
#include "app/folding.hpp"
#include "app/sampling.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/page.hpp"

namespace rehearse::app {
namespace {

std::string in_mebibytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

std::string line_of(const smpi::FoldSite& site) {
  const std::string arrays = fmt::format("{} of {} bytes, {} ({})",
                                         counted(site.arrays, site.is_static ? "static array" : "array"),
                                         with_commas(site.bytes), site.name, counted(site.ranks.size(), "rank"));
  if (!site.kept.empty()) return fmt::format("not folded: {}: {}", arrays, site.kept);
  return fmt::format("folded: {}{}", arrays,
                     site.pages_apart == 0
                         ? ""
                         : fmt::format(", without {} that hold{} addresses", counted(site.pages_apart, "page"),
                                       site.pages_apart == 1 ? "s" : ""));
}

}  // namespace

std::string DataMark::words() const {
  if (!is_folded) return left_out > 0 ? data_not_computed : "";
  return left_out > 0 ? fmt::format("{}, folded", data_not_computed) : "folded";
}

std::string DataMark::reason() const {
  const std::string skipped = fmt::format("{} of sampled code did not run", counted(left_out, "execution"));
  const std::string shared = "ranks shared memory";
  if (!is_folded) return skipped;
  return left_out > 0 ? skipped + ", and " + shared : shared;
}

Result<smpi::Folding::Options> folding_of(const FoldingOptions& options) {
  if (options.none && (options.above != 0 || options.within != 0))
    return Error{"--no-fold and --fold-above or --fold-within contradict each other"};
  if (options.within % page_bytes != 0)
    return Error{fmt::format("--fold-within {}: not a multiple of {} bytes", options.within, page_bytes)};
  if (!options.keep.empty() && options.above == 0) return Error{"--fold-keep needs --fold-above"};
  return smpi::Folding::Options{!options.none, options.above, options.within, options.keep};
}

FoldingSummary summary_of(smpi::Folding& folding) {
  FoldingSummary summary{folding.corrupts_data(), folding.sites(), {}};
  if (!summary.sites.empty()) summary.memory = folding.most_memory();
  return summary;
}

Json to_json(const FoldingSummary& summary) {
  Json sites = Json::array();
  for (const smpi::FoldSite& site : summary.sites) {
    Json json = {{"name", site.name},
                 {"bytes", site.bytes},
                 {"automatic", site.is_automatic},
                 {"static", site.is_static},
                 {"arrays", site.arrays},
                 {"ranks", site.ranks.size()},
                 {"folded", site.folded},
                 {"pages_apart", site.pages_apart}};
    if (!site.kept.empty()) json["not_folded_because"] = site.kept;
    sites.push_back(std::move(json));
  }
  const smpi::FoldedMemory& memory = summary.memory;
  return {
      {"resident_bytes", memory.resident}, {"shared_bytes", memory.shared},          {"folded_bytes", memory.mapped},
      {"huge_page_bytes", memory.huge},    {"page_table_bytes", memory.page_tables}, {"mappings", memory.mappings},
      {"sites", std::move(sites)}};
}

std::vector<std::string> lines_of(const FoldingSummary& summary) {
  std::vector<std::string> lines;
  for (const smpi::FoldSite& site : summary.sites) lines.push_back(line_of(site));
  if (lines.empty()) return lines;
  const smpi::FoldedMemory& memory = summary.memory;
  lines.push_back(fmt::format("memory: {}, of which {} hold {} of folded arrays; page tables {}; {} of folded arrays",
                              in_mebibytes(memory.resident), in_mebibytes(memory.shared), in_mebibytes(memory.mapped),
                              in_mebibytes(memory.page_tables), counted(memory.mappings, "mapping")));
  return lines;
}

}  // namespace rehearse::app
