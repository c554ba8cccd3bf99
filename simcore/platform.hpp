// SPDX-License-Identifier: MIT
//
// A machine to rehearse on: hosts, links, and which links a transfer between two hosts crosses.
//
// Shape:     hosts()[h.value] and links()[l.value]; both in the order of the description. How routes
//            are found (tables, searches, formulas) is hidden behind Routing.
// Units:     bytes per second, seconds, floating point operations per second.
// Errors:    make_platform: the file and line, what was found, what is accepted.
// Ownership: a Platform is a value that moves; it does not change once made.
// Threads:   const members may be called from several threads.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse {

struct HostId {
  std::uint32_t value = 0;
  auto operator<=>(const HostId&) const = default;
};

struct LinkId {
  std::uint32_t value = 0;
  auto operator<=>(const LinkId&) const = default;
};

struct DiskId {
  std::uint32_t value = 0;
  auto operator<=>(const DiskId&) const = default;
};

struct Host {
  std::string name;
  double flops_per_second = 0;  // of one core
  std::uint32_t cores = 1;
};

// shared: its bandwidth is divided between the flows that cross it. fatpipe: each flow has all of it.
// A full-duplex link is two shared links, one for each direction.
enum class LinkSharing : std::uint8_t { shared, fatpipe };

struct Link {
  std::string name;
  double bytes_per_second = 0;
  double latency_seconds = 0;
  LinkSharing sharing = LinkSharing::shared;
};

struct Route {
  std::vector<LinkId> links;   // in the order in which they are crossed
  double latency_seconds = 0;  // the sum of theirs
};

class Routing {
 public:
  virtual ~Routing() = default;
  // Appends the links from one host to another, or returns false where they are not connected.
  virtual bool append_route(HostId source, HostId destination,
                            std::vector<LinkId>& links) const = 0;
};

class Platform {
 public:
  // Requires at least one host, distinct names, and a routing that knows exactly these hosts.
  Platform(std::string name, std::vector<Host> hosts, std::vector<Link> links,
           std::unique_ptr<const Routing> routing);

  const std::string& name() const { return name_; }
  std::span<const Host> hosts() const { return hosts_; }
  std::span<const Link> links() const { return links_; }
  const Host& host(HostId id) const { return hosts_[id.value]; }
  const Link& link(LinkId id) const { return links_[id.value]; }
  std::optional<HostId> find_host(std::string_view name) const;

  // Empty where the hosts are not connected. A host's route to itself is its loopback.
  std::optional<Route> find_route(HostId source, HostId destination) const;

 private:
  std::string name_;
  std::vector<Host> hosts_;
  std::vector<Link> links_;
  std::unique_ptr<const Routing> routing_;
  std::unordered_map<std::string, HostId> by_name_;
};

// A built-in platform (`laptop`, `cluster:N`) or else the XML file of that name.
Result<Platform> make_platform(const std::string& name_or_file);

}  // namespace rehearse
