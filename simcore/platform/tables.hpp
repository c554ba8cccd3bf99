// SPDX-License-Identifier: MIT
//
// The data of a Platform, made by its builder.
//
// Shape: tables by number; side tables for data that few resources have. Profiles and properties that many resources
//        have in common are stored once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simcore/platform/name_index.hpp"
#include "simcore/platform/side_table.hpp"
#include "simcore/platform_builder.hpp"

namespace rehearse {

struct HostSpeeds {
  std::vector<double> by_pstate;
  std::uint32_t initial = 0;
};

struct PlatformTables {
  std::string name;
  std::vector<Host> hosts;
  std::vector<Link> links;
  std::vector<Disk> disks;
  std::vector<Zone> zones;
  std::vector<std::string> routers;  // names
  std::vector<DeployedActor> actors;
  PlatformSettings settings;

  platform::SideTable<std::vector<DiskId>> disks_of;
  platform::SideTable<HostSpeeds> speeds;  // of hosts with several speeds
  platform::SideTable<std::vector<double>> wifi_rates;
  platform::SideTable<LinkId> wifi_links;  // of stations
  platform::SideTable<std::uint32_t> concurrency_limits;
  platform::SideTable<Coordinates> coordinates;  // of hosts
  platform::SideTable<Properties> host_properties, link_properties, disk_properties, zone_properties;
  platform::SideTable<SharedProfile> host_speed_profiles, host_state_profiles;
  platform::SideTable<SharedProfile> bandwidth_profiles, latency_profiles, link_state_profiles;
  platform::SideTable<ZoneId> zone_of_hosts;

  platform::NameIndex host_names;  // filled by index_hosts
  platform::NameIndex link_names;

  // Requires that the names of hosts are distinct.
  void index_hosts();
};

}  // namespace rehearse
