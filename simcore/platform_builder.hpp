// SPDX-License-Identifier: MIT
//
// Platforms described in C++: everything that a platform file can describe, and clusters of clusters.
//
// Usage:     PlatformBuilder builder;
//            const PointId zone = builder.add_zone(builder.world(), "site", ZoneRouting::full);
//            const PointId a = builder.add_host(zone, {"a", {1e9}}), b = builder.add_host(zone, {"b", {1e9}});
//            const LinkHandle wire = builder.add_link({"wire", 125e6, 50e-6});
//            builder.add_route(zone, {a, b, {{wire}}});
//            Result<Platform> platform = builder.finish("two hosts");
// Shape:     hosts, routers and zones are points; each lies in one zone. Links belong to no zone.
// Units:     bytes per second, seconds, floating point operations per second.
// Errors:    finish() returns the first mistake. After a mistake, calls do nothing and return values that are valid
//            arguments of further calls.
// Ownership: finish() moves the platform out of the builder, which must not be used afterwards.
#pragma once

#include <functional>
#include <memory>
#include <variant>

#include "simcore/platform.hpp"

namespace rehearse {

struct PointId {
  std::uint32_t value = 0;
  auto operator<=>(const PointId&) const = default;
};

struct Coordinates {  // of Vivaldi: a distance in milliseconds is |xy - xy'| + |z| + |z'|
  double x = 0, y = 0, z = 0;
};

using SharedProfile = std::shared_ptr<const Profile>;

struct HostDescription {
  std::string name;
  std::vector<double> speeds;  // of one core, by speed state
  std::uint32_t cores = 1;
  std::uint32_t initial_pstate = 0;
  std::optional<Coordinates> coordinates = {};
  Properties properties = {};
};

// split_duplex: two shared links NAME_UP and NAME_DOWN.
enum class LinkPolicy : std::uint8_t { shared, split_duplex, fatpipe, wifi };

struct LinkDescription {
  std::string name;
  double bytes_per_second = 0;  // unused for a wifi link
  double latency_seconds = 0;
  LinkPolicy policy = LinkPolicy::shared;
  std::vector<double> wifi_rates = {};  // by level
  std::uint32_t concurrency_limit = 0;  // flows at a time; 0: any number
  Properties properties = {};
};

struct LinkHandle {
  LinkId up;  // the link itself if it is not split
  LinkId down;
  bool is_duplex = false;
};

struct DiskDescription {
  std::string name;
  double read_bytes_per_second = 0;
  double write_bytes_per_second = 0;
  double total_bytes_per_second = 0;  // 0: the greater of both
  Properties properties = {};
};

enum class Direction : std::uint8_t { none, up, down };  // none: for links that are not split

struct LinkUse {
  LinkHandle link;
  Direction direction = Direction::none;
};

// A route between two points of one zone. If a point is a zone, the route begins or ends at its gateway, a host or
// router inside; without a gateway, at the zone's only host or router.
struct RouteDescription {
  PointId source;
  PointId destination;
  std::vector<LinkUse> links;
  bool symmetrical = true;  // the reverse route has up and down exchanged
  std::optional<PointId> source_gateway = {};
  std::optional<PointId> destination_gateway = {};
};

// The links of one point of a star.
struct StarLeg {
  std::vector<LinkId> up = {};    // towards the others
  std::vector<LinkId> down = {};  // from the others
  std::optional<LinkId> loopback = {};
  std::optional<PointId> gateway = {};  // as of routes
};

struct Flat {};
struct Torus {
  std::vector<std::uint32_t> dimensions;
};
// An extended generalised fat tree; down[l], up[l], ports[l] between level l and level l + 1.
struct FatTree {
  std::vector<std::uint32_t> down, up, ports;
};
struct Dragonfly {
  std::uint32_t groups = 1, blue = 1;    // blue: cables between two groups
  std::uint32_t chassis = 1, black = 1;  // of a group; black: cables between two chassis
  std::uint32_t blades = 1, green = 1;   // of a chassis; green: cables between two blades
  std::uint32_t nodes = 1;               // of a blade
  RoutesOf routes = RoutesOf::the_documentation;
};

class PlatformBuilder;

// A leaf of a cluster that is not a single host.
struct ClusterLeaf {
  PointId point;
  std::optional<PointId> gateway = {};  // as of routes
};

struct ClusterDescription {
  std::string name;
  std::string prefix;
  std::string suffix;
  std::vector<std::uint32_t> numbers;  // of its leaves
  std::vector<double> speeds;          // as of hosts
  std::uint32_t cores = 1;
  std::uint32_t initial_pstate = 0;
  double bytes_per_second = 0;  // of each cable
  double latency_seconds = 0;
  LinkPolicy policy = LinkPolicy::split_duplex;
  std::variant<Flat, Torus, FatTree, Dragonfly> topology = {};
  std::optional<LinkDescription> backbone = {};  // the names of these four are generated
  std::optional<LinkDescription> loopback = {};  // of each leaf
  std::optional<LinkDescription> limiter = {};   // of each leaf and switch, crossed both ways
  std::string router = {};                       // empty: generated name
  Properties properties = {};                    // of the zone and of each host
  // If set, called for each leaf instead of adding a host; returns a host or zone that it added
  // directly to the given zone.
  std::function<ClusterLeaf(PlatformBuilder&, PointId zone, std::uint32_t number)> make_leaf = {};
};

// A host with its own link in each direction, in a zone of kind vivaldi.
struct PeerDescription {
  HostDescription host;
  double in_bytes_per_second = 0;
  double out_bytes_per_second = 0;
};

struct PlatformLimits {
  std::size_t hosts_max = 1'000'000;
  std::size_t links_max = 16'000'000;
  std::size_t depth_max = 64;  // of zones in zones
};

class PlatformBuilder {
 public:
  explicit PlatformBuilder(PlatformLimits limits = {});
  ~PlatformBuilder();
  PlatformBuilder(const PlatformBuilder&) = delete;
  PlatformBuilder& operator=(const PlatformBuilder&) = delete;

  // The zone that contains the outermost zones.
  PointId world() const { return {}; }

  PointId add_zone(PointId parent, const std::string& name, ZoneRouting routing);
  PointId add_host(PointId zone, const HostDescription& host);
  PointId add_router(PointId zone, const std::string& name, std::optional<Coordinates> coordinates = {});
  PointId add_peer(PointId zone, const PeerDescription& peer);
  LinkHandle add_link(const LinkDescription& link);
  DiskId add_disk(PointId host, const DiskDescription& disk);
  PointId add_cluster(PointId parent, const ClusterDescription& cluster);
  // Hosts with links link_NAME_UP and link_NAME_DOWN in a star. Only names, numbers, speeds and cables.
  void add_cabinet(PointId star, const ClusterDescription& cabinet);

  void add_route(PointId zone, const RouteDescription& route);  // full, floyd, dijkstra
  // Takes precedence over all other routes between points inside its ends, in one direction. The zone must be the
  // innermost zone that contains both.
  void add_bypass(PointId zone, const RouteDescription& route);
  void set_leg(PointId star, PointId point, const StarLeg& leg);
  void set_backbone(PointId star, LinkId backbone);
  void set_wifi(PointId zone, LinkId link);
  void set_access_point(PointId zone, PointId host_or_router);
  void set_loopback_bandwidth(double bytes_per_second);  // for hosts without their own loopback
  void set_loopback_latency(double seconds);

  void set_properties(PointId zone, const Properties& properties);
  void set_speed_profile(PointId host, SharedProfile profile);
  void set_state_profile(PointId host, SharedProfile profile);
  void set_bandwidth_profile(LinkHandle link, const SharedProfile& profile);
  void set_latency_profile(LinkHandle link, const SharedProfile& profile);
  void set_state_profile(LinkHandle link, const SharedProfile& profile);

  void add_actor(PointId host, DeployedActor actor);
  PlatformSettings& settings();

  std::optional<PointId> find_point(const std::string& name) const;
  std::optional<LinkHandle> find_link(const std::string& name) const;
  bool is_host(PointId point) const;
  bool is_zone(PointId point) const;
  PointId zone_of(PointId point) const;
  ZoneRouting routing_of(PointId zone) const;
  std::size_t host_count() const;
  const PlatformLimits& limits() const;

  const std::optional<Error>& mistake() const;
  void refuse(std::string text);  // a mistake found by the caller

  Result<Platform> finish(std::string name);

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace rehearse
