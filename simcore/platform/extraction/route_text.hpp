// SPDX-License-Identifier: MIT
//
// Explicit routes of an extracted platform as XML. A route and its reverse become one element if they have the same
// links.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simcore/platform/extraction/resource_text.hpp"
#include "simcore/platform/extraction/route_plan.hpp"

namespace rehearse::platform {

class RouteText {
 public:
  // `zones`: by group, the names of zones that contain single hosts; empty: the hosts lie in one zone.
  RouteText(const Platform& platform, const RoutePlan& plan, const ResourceText& resources,
            std::span<const std::string> zones);

  const std::string& between() const { return between_; }                  // groups
  const std::string& own(std::size_t group) const { return own_[group]; }  // of its host with itself
  std::size_t count() const { return count_; }

 private:
  void take(const RouteBetweenGroups& way);
  void write_waiting(bool is_symmetrical);
  bool is_reverse_of_waiting(const RouteBetweenGroups& way) const;
  std::string end(const char* which, std::size_t group) const;
  std::string element(const char* tag, const std::string& ends, std::span<const LinkId> links, bool is_symmetrical);

  const Platform& platform_;
  const RoutePlan& plan_;
  const ResourceText& resources_;
  std::span<const std::string> zones_;
  std::optional<RouteBetweenGroups> waiting_;  // for its reverse, which is next
  std::string between_;
  std::vector<std::string> own_;
  std::size_t count_ = 0;
};

}  // namespace rehearse::platform
