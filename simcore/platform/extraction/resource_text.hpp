// SPDX-License-Identifier: MIT
//
// Hosts, links and profiles of a platform as XML.
//
// Shape:  two links NAME_UP and NAME_DOWN that are equal, and have neither profiles nor properties, become one
//         SPLITDUPLEX link; links() and use() agree about that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simcore/platform.hpp"

namespace rehearse::platform {

std::string xml_text(std::string_view text);  // with < & " > as entities

// A profile in the language of parse_profile.
std::string profile_text(const Profile& profile);

// The children of an element that are properties; null: none.
std::string properties_text(const Properties* properties);

// The attributes speed, core and pstate.
std::string speed_attributes(const Platform& platform, HostId host);

class ResourceText {
 public:
  // Links that are not in the list are never asked for.
  ResourceText(const Platform& platform, std::span<const LinkId> links);

  // With its disks and properties, and these attributes.
  std::string host(HostId host, const std::string& more = "") const;
  std::string links() const;           // all of the list
  std::string use(LinkId link) const;  // <link_ctn>
  // The other direction of a SPLITDUPLEX link; the link itself if it is none.
  LinkId opposite(LinkId link) const;
  // <trace> and <trace_connect> of these hosts and of the links.
  std::string traces(std::span<const HostId> hosts) const;

 private:
  bool has_extras(LinkId link) const;
  std::string link(LinkId link) const;

  const Platform& platform_;
  std::vector<LinkId> links_;  // of each pair, the first one
  std::vector<LinkId> opposites_;
};

}  // namespace rehearse::platform
