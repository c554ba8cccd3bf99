// SPDX-License-Identifier: MIT
//
// Stars in a platform: hosts with one link to and one from a centre, and perhaps a backbone there. Cabinets and
// platforms of measured last miles are such zones.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "simcore/platform.hpp"

namespace rehearse::platform {

class ResourceText;

// Some hosts of a star.
struct StarZone {
  struct Leg {
    HostId host;
    LinkId up, down;
  };
  std::string name;
  std::vector<Leg> legs;
  std::optional<LinkId> backbone;
  std::string router;  // a new name

  std::vector<LinkId> way_out(std::size_t leg) const;
  std::vector<LinkId> way_in(std::size_t leg) const;
  // Links that must be described before; not the backbone.
  void add_links(std::set<LinkId>& links) const;
  // <zone> with its hosts
  std::string text(const Platform& platform, const ResourceText& resources) const;
};

// Requires hosts of one zone, at least two. Nothing: their routes are not those of a star, as far as routes of each
// host to one other and to itself show.
std::optional<StarZone> find_star_zone(const Platform& platform, std::span<const HostId> hosts);

}  // namespace rehearse::platform
