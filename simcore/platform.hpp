// SPDX-License-Identifier: MIT
//
// A simulated machine: hosts, disks, links, and the links between each two hosts.
//
// Shape:     hosts()[h.value], links()[l.value], disks()[d.value], zones()[z.value]; all in the order
//            of the description. Routing hides the method that finds routes (tables, searches,
//            formulas). Features of few hosts or links (profiles, properties, several speeds) are in sparse
//            tables and cost nothing for the others.
// Wifi:      the routes of a station begin or end with the wifi link of its zone. The host at that end of the
//            route is the station that uses the link.
// Units:     bytes per second, seconds, floating point operations per second.
// Errors:    make_platform, read_deployment: file and line, the value, the accepted values.
// Ownership: a Platform is a value that moves; it does not change once made.
// Threads:   const members may be called from several threads.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/contention.hpp"
#include "simcore/message_costs.hpp"
#include "simcore/profile.hpp"
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

struct ZoneId {
  std::uint32_t value = 0;
  auto operator<=>(const ZoneId&) const = default;
};

struct Host {
  std::string name;
  double flops_per_second = 0;  // of one core, in its initial speed state
  std::uint32_t cores = 1;
};

// shared: flows divide its bandwidth. fatpipe: each flow has the whole bandwidth. wifi: stations divide the
// time of the medium, each at its own rate; bytes_per_second is the rate of level 0. A full-duplex link is two shared
// links, one for each direction.
enum class LinkSharing : std::uint8_t { shared, fatpipe, wifi };

struct Link {
  std::string name;
  double bytes_per_second = 0;
  double latency_seconds = 0;
  LinkSharing sharing = LinkSharing::shared;
};

struct Disk {
  std::string name;
  HostId host;
  double read_bytes_per_second = 0;
  double write_bytes_per_second = 0;
  double total_bytes_per_second = 0;  // of both together
};

using Properties = std::map<std::string, std::string>;

enum class ZoneRouting : std::uint8_t {
  none,
  full,
  floyd,
  dijkstra,
  dijkstra_cache,
  star,
  vivaldi,
  wifi,
  torus,
  fat_tree,
  dragonfly
};

struct Zone {
  std::string name;
  ZoneRouting routing = ZoneRouting::none;
  std::optional<ZoneId> parent;  // nothing: outermost
};

// An actor that the description deploys on a host.
struct DeployedActor {
  std::string function;
  HostId host;
  std::vector<std::string> arguments;  // without the name of the function
  Properties properties;
  double start_seconds = 0;
  std::optional<double> kill_seconds;
  bool is_restarted = false;  // when its host is on again
};

// Settings of the models in a platform file. Options of the user take precedence.
struct PlatformSettings {
  std::optional<std::string> network_model;  // names of this project, such as lv08
  std::optional<bool> parallel_tasks;        // compute and network as parallel tasks (ptask_L07)
  std::optional<bool> cross_traffic;
  std::optional<double> window_bytes;           // of a flow in flight; 0: unbounded
  std::optional<double> weight_bytes;           // S of S / bandwidth in a flow's weight
  std::optional<std::string> latency_factor;    // a number, or bound:factor;bound:factor;...
  std::optional<std::string> bandwidth_factor;  // likewise
  std::optional<std::string> sharing_solver;    // maxmin, fair-bottleneck, bmf
  // Of the model library_network.
  std::optional<double> envelope_bytes;
  std::optional<double> frame_bytes;           // stored and forwarded
  std::optional<double> transmit_queue_bytes;  // largest message in the transmit queue of its host
  std::vector<ContentionPiece> contention;
  // Of the messaging library, with every network model.
  MessageCosts message_costs;  // tables without pieces: not set
  std::optional<std::uint64_t> eager_bytes;
  std::optional<Handshake> handshake;
  std::optional<std::string> collectives;  // algorithms, as --collective-algorithms
  std::optional<std::string> file_system;  // as --file-system
  std::optional<std::uint64_t> stripe_bytes;
  std::optional<std::string> calibrated;  // when, where, with which library and which error
  std::string preset;                     // name of the network of a built-in platform; empty: none
};

struct PlatformWiring;  // platform_wiring.hpp
struct Coordinates;     // platform_builder.hpp

struct Route {
  std::vector<LinkId> links;   // in the order in which they are crossed
  double latency_seconds = 0;  // the sum of the links' latencies and of the distances between coordinates
  // Selects one of several equal routes, where the topology has them (fat trees): the same number selects the same one.
  // 0: the route of the flow models. Set it before the search.
  std::uint64_t choice = 0;
};

class Routing {
 public:
  virtual ~Routing() = default;
  // Appends the links from one host to another, and adds latency that belongs to no link. False: they are not
  // connected, and the route must not be used.
  virtual bool append_route(HostId source, HostId destination, Route& route) const = 0;
  // Adds nodes and wires for a picture, without names. Zones with more points become one node.
  virtual void describe(PlatformWiring& /*wiring*/, std::size_t /*points_max*/) const {}
};

// A link with another bandwidth and latency: times their factors; then `more_latency_seconds` is added.
struct ChangedLink {
  LinkId link;
  double bandwidth_factor = 1;
  double latency_factor = 1;
  double more_latency_seconds = 0;
};

struct PlatformTables;  // features of few resources, and the tables of names

class Platform {
 public:
  // Requires at least one host, distinct names, and a routing that knows exactly these hosts.
  explicit Platform(std::unique_ptr<const PlatformTables> tables, std::unique_ptr<const Routing> routing);
  Platform(Platform&&) noexcept;
  Platform& operator=(Platform&&) noexcept;
  ~Platform();

  // The same platform, its hosts and routes included, with these links changed. The profiles of their bandwidths and
  // latencies change with them. Requires that such a profile of a changed quantity is not stochastic.
  Platform with_links(std::span<const ChangedLink> changes) &&;

  const std::string& name() const;
  std::span<const Host> hosts() const { return hosts_; }
  std::span<const Link> links() const { return links_; }
  std::span<const Disk> disks() const { return disks_; }
  std::span<const Zone> zones() const;
  const Host& host(HostId id) const { return hosts_[id.value]; }
  const Link& link(LinkId id) const { return links_[id.value]; }
  const Disk& disk(DiskId id) const { return disks_[id.value]; }
  ZoneId zone_of(HostId id) const;
  std::optional<HostId> find_host(std::string_view name) const;
  std::optional<LinkId> find_link(std::string_view name) const;
  std::optional<DiskId> find_disk(HostId host, std::string_view name) const;
  std::vector<DiskId> disks_of(HostId host) const;

  // Nothing if the hosts are not connected. A host's route to itself is its loopback.
  std::optional<Route> find_route(HostId source, HostId destination) const;
  // The same into an existing Route; false if they are not connected.
  bool find_route(HostId source, HostId destination, Route& route) const;

  PlatformWiring wiring(std::size_t points_max) const;  // as wiring_of()

  std::span<const double> speeds(HostId id) const;  // by speed state; at least one
  std::uint32_t initial_pstate(HostId id) const;
  std::span<const double> wifi_rates(LinkId id) const;  // by level; empty if it is not a wifi link
  std::optional<LinkId> wifi_link(HostId id) const;     // of this station; nothing: the host is not a station
  std::uint32_t concurrency_limit(LinkId id) const;     // 0: none
  const Coordinates* coordinates(HostId id) const;      // null: none

  // Null: none.
  const Properties* properties(HostId id) const;
  const Properties* properties(LinkId id) const;
  const Properties* properties(DiskId id) const;
  const Properties* properties(ZoneId id) const;
  const Profile* speed_profile(HostId id) const;
  const Profile* state_profile(HostId id) const;
  const Profile* bandwidth_profile(LinkId id) const;
  const Profile* latency_profile(LinkId id) const;
  const Profile* state_profile(LinkId id) const;

  std::span<const DeployedActor> actors() const;
  const PlatformSettings& settings() const;

 private:
  std::unique_ptr<const PlatformTables> tables_;
  std::unique_ptr<const Routing> routing_;
  std::span<const Host> hosts_;  // of tables_
  std::span<const Link> links_;
  std::span<const Disk> disks_;
};

// The source of routes for platform files where SimGrid differs from its documentation.
enum class RoutesOf { the_documentation, the_program };

// A built-in platform (`laptop`, `cluster:N` ...) or otherwise the XML file of that name.
Result<Platform> make_platform(const std::string& name_or_file, RoutesOf routes = RoutesOf::the_documentation);

// The actors of a file that contains only actors for hosts of this platform.
Result<std::vector<DeployedActor>> read_deployment(const std::string& file, const Platform& platform);

}  // namespace rehearse
