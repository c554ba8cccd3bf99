// SPDX-License-Identifier: MIT
//
// Whether hosts or links of a platform go off and on by their profiles. Explorations have no dates, so they refuse such
// platforms.
//
// Threads: none.
#pragma once

#include <cstdint>

#include "simcore/platform.hpp"

namespace rehearse::sim::kernel {

inline bool goes_off_by_itself(const Platform& platform) {
  for (std::uint32_t i = 0; i < platform.hosts().size(); ++i)
    if (platform.state_profile(HostId{i}) != nullptr) return true;
  for (std::uint32_t i = 0; i < platform.links().size(); ++i)
    if (platform.state_profile(LinkId{i}) != nullptr) return true;
  return false;
}

}  // namespace rehearse::sim::kernel
