// SPDX-License-Identifier: MIT
//
// Platforms with other links than those of their descriptions.
#include "simcore/platform.hpp"
#include "simcore/platform/tables.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {
namespace {

void change_profile(platform::SideTable<SharedProfile>& profiles, LinkId link, double factor, double more) {
  const SharedProfile* found = profiles.find(link.value);
  if (found == nullptr || *found == nullptr || (factor == 1 && more == 0)) return;
  const Profile& profile = **found;
  REHEARSE_ASSERT(!profile.is_stochastic(), "a changed quantity has no random profile");
  std::vector<ProfilePoint> points = profile.points();
  for (ProfilePoint& point : points) point.value = point.value * factor + more;
  profiles.replace(link.value, std::make_shared<const Profile>(std::move(points), profile.period()));
}

}  // namespace

Platform Platform::with_links(std::span<const ChangedLink> changes) && {
  auto tables = std::make_unique<PlatformTables>(*tables_);
  for (const ChangedLink& change : changes) {
    Link& link = tables->links[change.link.value];
    link.bytes_per_second *= change.bandwidth_factor;
    link.latency_seconds = link.latency_seconds * change.latency_factor + change.more_latency_seconds;
    change_profile(tables->bandwidth_profiles, change.link, change.bandwidth_factor, 0);
    change_profile(tables->latency_profiles, change.link, change.latency_factor, change.more_latency_seconds);
  }
  return Platform(std::move(tables), std::move(routing_));
}

}  // namespace rehearse
