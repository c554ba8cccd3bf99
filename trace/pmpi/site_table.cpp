// SPDX-License-Identifier: MIT
//
// See site_table.hpp.
#include "trace/pmpi/site_table.hpp"

namespace rehearse::trace::pmpi {

std::uint64_t SiteTable::number_of(const CallSite& site) {
  const auto [found, is_new] = numbers_.try_emplace(site, sites_.size() + 1);
  if (is_new) sites_.push_back(site);
  return found->second;
}

void SiteTable::find(rtrace::Site& site) {
  if (site.number == 0 || site.number > sites_.size()) return;
  const CallSite& known = sites_[site.number - 1];
  site.call = known.call;
  if (known.module.empty() || known.offset == 0) return;
  const auto map = maps_.try_emplace(known.module, known.module).first;
  const Frame frame = map->second.find(known.offset - 1);  // in the call
  site.function = frame.function;
  site.file = frame.file;
  site.line = static_cast<std::uint32_t>(frame.line);
}

}  // namespace rehearse::trace::pmpi
