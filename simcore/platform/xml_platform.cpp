// SPDX-License-Identifier: MIT
//
// Platform files: one function per element, building as it reads.
#include "simcore/platform/xml_platform.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "simcore/platform/platform_builder.hpp"
#include "simcore/platform/units.hpp"
#include "simcore/platform/xml_reader.hpp"

namespace rehearse::platform {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

class Loader {
 public:
  explicit Loader(const std::string& file) : file_(file), document_(file) {}

  Result<Platform> load();

 private:
  void read_platform(const Element& element);
  void read_inside(const Element& element, std::optional<PointId> zone);
  void read_zone(const Element& element, std::optional<PointId> parent);
  void read_config(const Element& element);
  void read_prop(const Element& element);
  void read_props_only(const Element& element);
  void read_host(const Element& element, PointId zone);
  double read_speed(const Element& element);
  void read_link(const Element& element);
  void read_cluster(const Element& element, std::optional<PointId> parent);
  std::vector<std::uint32_t> read_radical(const Element& element);
  void read_route(const Element& element, PointId zone, bool is_between_zones);
  std::optional<PointId> read_point(const Element& element, const char* attribute, PointId zone);
  PointId read_gateway(const Element& element, const char* attribute, PointId zone);
  std::optional<LinkId> read_crossing(const Element& element, std::vector<LinkId>& reverse);
  void accept(const Element& element, const Mistake& mistake) {
    if (mistake) element.refuse(mistake->text);
  }
  bool failed() const { return document_.mistake().has_value(); }

  std::string file_;
  XmlDocument document_;
  PlatformBuilder builder_;
  bool has_root_ = false;
};

Result<Platform> Loader::load() {
  if (failed()) return *document_.mistake();
  const Element platform(document_, document_.root().child("platform"));
  if (!platform.node()) {
    document_.refuse(document_.root(), "not a platform file: it has no <platform> element");
    return *document_.mistake();
  }
  read_platform(platform);
  if (!failed() && !builder_.has_hosts()) platform.refuse("the platform has no host");
  if (failed()) return *document_.mistake();
  return builder_.finish(file_);
}

void Loader::read_platform(const Element& platform) {
  platform.check_attributes({"version"});
  const std::string version = platform.required("version");
  if (version != "4" && version != "4.0" && version != "4.1")
    platform.refuse("platform version '" + version + "' is not supported; accepted: 4.0, 4.1");
  for (const pugi::xml_node node : platform.node().children()) {
    if (failed()) return;
    if (node.type() == pugi::node_element) read_inside(Element(document_, node), std::nullopt);
  }
}

// An element of the platform itself (no zone) or of a zone.
void Loader::read_inside(const Element& element, std::optional<PointId> zone) {
  const std::string_view tag = element.tag();
  const bool makes_zone = tag == "zone" || tag == "AS" || tag == "cluster";
  if (makes_zone && !zone && std::exchange(has_root_, true))
    return element.refuse("a platform has one outermost zone or cluster; this is a second one");
  if (tag == "zone" || tag == "AS") return read_zone(element, zone);
  if (tag == "cluster") return read_cluster(element, zone);
  if (tag == "config" && !zone) return read_config(element);
  if (zone && tag == "prop") return read_prop(element);
  if (zone && tag == "host") return read_host(element, *zone);
  if (zone && tag == "link") return read_link(element);
  if (zone && tag == "route") return read_route(element, *zone, false);
  if (zone && (tag == "zoneRoute" || tag == "ASroute")) return read_route(element, *zone, true);
  if (zone && tag == "router") {
    element.check_attributes({"id"}, {"coordinates"});
    return accept(element, builder_.add_router(*zone, element.required("id")));
  }
  element.refuse("<" + std::string(tag) + "> is not supported here; accepted: " +
                 (zone ? "zone, cluster, host, router, link, route, zoneRoute, prop"
                       : "config, zone, cluster"));
}

void Loader::read_zone(const Element& element, std::optional<PointId> parent) {
  element.check_attributes({"id", "routing"});
  (void)element.required("routing");
  const std::size_t kind = element.choice(
      "routing", {"Full", "Floyd", "Dijkstra", "DijkstraCache", "None"}, "Full");
  const auto routing = kind == 0   ? TreeRouting::full
                       : kind == 4 ? TreeRouting::none
                                   : TreeRouting::graph;
  if (parent && builder_.tree().routing_of(*parent) == TreeRouting::graph)
    element.refuse("a zone inside a zone with routing Floyd or Dijkstra is not supported; "
                   "accepted: inside routing Full");
  const std::string name = element.required("id");
  accept(element, builder_.add_zone(name, parent, routing));
  for (const pugi::xml_node node : element.node().children()) {
    if (failed()) return;
    if (node.type() == pugi::node_element)
      read_inside(Element(document_, node), *builder_.find_point(name));
  }
}

// Settings of somebody else's simulator: accepted where no setting of theirs would change our result.
void Loader::read_config(const Element& element) {
  static constexpr std::array harmless{"contexts/", "tracing", "debug/", "precision/", "surf/",
                                       "cpu/optim", "network/optim", "maxmin/precision", "viva/"};
  element.check_attributes({"id"});
  for (const pugi::xml_node node : element.node().children()) {
    if (node.type() != pugi::node_element) continue;
    const Element prop(document_, node);
    if (prop.tag() != "prop") return prop.refuse("<config> accepts only <prop>");
    prop.check_attributes({"id", "value"});
    const std::string key = prop.required("id");
    if (std::none_of(harmless.begin(), harmless.end(),
                     [&](const char* prefix) { return key.starts_with(prefix); }))
      prop.refuse("configuration '" + key +
                  "' is not supported in a platform file; choose models with rehearse's options");
  }
}

void Loader::read_prop(const Element& element) {
  element.check_attributes({"id", "value"});
  const std::string key = element.required("id");
  // Names with a slash are settings of costs; all others are notes for people and other programs.
  if (key.find('/') != std::string::npos)
    element.refuse("property '" + key + "' is not supported: it would change costs");
}

void Loader::read_props_only(const Element& element) {
  for (const pugi::xml_node node : element.node().children()) {
    if (node.type() != pugi::node_element) continue;
    const Element inner(document_, node);
    if (inner.tag() == "prop")
      read_prop(inner);
    else
      inner.refuse("<" + std::string(inner.tag()) + "> inside <" + std::string(element.tag()) +
                   "> is not supported; accepted: prop");
  }
}

double Loader::read_speed(const Element& element) {
  const std::string text = element.required("speed");
  const std::vector<std::string_view> speeds = split(text, ',');
  const std::uint32_t pstate = element.number("pstate", 0);
  if (pstate >= speeds.size()) {
    element.refuse("pstate " + std::to_string(pstate) + " is not below the number of speeds, " +
                   std::to_string(speeds.size()));
    return 1;
  }
  Result<double> speed = parse_flops_per_second(speeds[pstate]);
  if (!speed) element.refuse(speed.error().text);
  return speed ? speed.value() : 1;
}

void Loader::read_host(const Element& element, PointId zone) {
  element.check_attributes({"id", "speed", "core", "pstate"},
                           {"coordinates", "speed_file", "state_file", "availability_file"});
  const double speed = read_speed(element);
  const std::uint32_t cores = element.number("core", 1);
  if (speed <= 0 || cores == 0) element.refuse("a host needs a speed and a core");
  accept(element, builder_.add_host(zone, {element.required("id"), speed, cores}));
  read_props_only(element);
}

void Loader::read_link(const Element& element) {
  element.check_attributes({"id", "bandwidth", "latency", "sharing_policy"},
                           {"bandwidth_file", "latency_file", "state_file"});
  const std::size_t sharing = element.choice(
      "sharing_policy", {"SHARED", "FATPIPE", "SPLITDUPLEX", "FULLDUPLEX"}, "SHARED");
  const Link link{element.required("id"), element.bytes_per_second("bandwidth"),
                  element.seconds("latency", "0"),
                  sharing == 1 ? LinkSharing::fatpipe : LinkSharing::shared};
  accept(element, builder_.add_link(link, sharing >= 2));
  read_props_only(element);
}

std::vector<std::uint32_t> Loader::read_radical(const Element& element) {
  std::vector<std::uint32_t> numbers;
  const std::string text = element.required("radical");
  const auto number = [](std::string_view digits) -> std::optional<std::uint32_t> {
    std::uint32_t value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
  };
  for (const std::string_view item : split(text, ',')) {
    const std::size_t dash = item.find('-');
    const auto first = number(item.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number(item.substr(dash + 1));
    if (!first || !last || *last < *first || *last - *first >= 1'000'000) {
      element.refuse("radical '" + text + "' is not a list of numbers and ranges such as 0-3,7");
      return {};
    }
    for (std::uint32_t i = *first; i <= *last; ++i) numbers.push_back(i);
  }
  return numbers;
}

void Loader::read_cluster(const Element& element, std::optional<PointId> parent) {
  element.check_attributes(
      {"id", "prefix", "suffix", "radical", "speed", "core", "pstate", "bw", "lat",
       "sharing_policy", "topology", "bb_bw", "bb_lat", "bb_sharing_policy", "router_id",
       "limiter_link", "loopback_bw", "loopback_lat"},
      {"topo_parameters"});
  (void)element.choice("topology", {"FLAT"}, "FLAT");
  if (parent && builder_.tree().routing_of(*parent) == TreeRouting::graph)
    element.refuse("a cluster inside a zone with routing Floyd or Dijkstra is not supported; "
                   "accepted: inside routing Full");
  ClusterDescription cluster;
  cluster.name = element.required("id");
  cluster.prefix = element.required("prefix");
  cluster.suffix = element.required("suffix");
  cluster.numbers = read_radical(element);
  cluster.flops_per_second = read_speed(element);
  cluster.cores = element.number("core", 1);
  cluster.router = element.optional("router_id", "");
  if (cluster.flops_per_second <= 0 || cluster.cores == 0)
    element.refuse("a host needs a speed and a core");
  const std::size_t sharing = element.choice(
      "sharing_policy", {"SPLITDUPLEX", "FULLDUPLEX", "SHARED", "FATPIPE"}, "SPLITDUPLEX");
  cluster.sharing = sharing == 2   ? ClusterSharing::shared
                    : sharing == 3 ? ClusterSharing::fatpipe
                                   : ClusterSharing::split_duplex;
  (void)element.required("lat");
  cluster.link = {"", element.bytes_per_second("bw"), element.seconds("lat", "0"),
                  sharing == 3 ? LinkSharing::fatpipe : LinkSharing::shared};
  if (element.has("bb_bw"))
    cluster.backbone = Link{"", element.bytes_per_second("bb_bw"), element.seconds("bb_lat", "0"),
                            element.choice("bb_sharing_policy", {"SHARED", "FATPIPE"}, "SHARED")
                                ? LinkSharing::fatpipe
                                : LinkSharing::shared};
  if (element.has("loopback_bw") || element.has("loopback_lat"))
    cluster.loopback = Link{"", element.bytes_per_second("loopback_bw"),
                            element.seconds("loopback_lat", "0"), LinkSharing::fatpipe};
  if (element.has("limiter_link"))
    cluster.limiter = Link{"", element.bytes_per_second("limiter_link"), 0, LinkSharing::shared};
  if (failed()) return;
  accept(element, builder_.add_cluster(parent, cluster));
  read_props_only(element);
}

std::optional<PointId> Loader::read_point(const Element& element, const char* attribute,
                                          PointId zone) {
  const std::string name = element.required(attribute);
  const std::optional<PointId> point = builder_.find_point(name);
  if (!point || *point == zone || builder_.tree().zone_of(*point) != zone) {
    element.refuse(std::string(attribute) + " '" + name +
                   "' is not a host, router or zone of this zone that was described before");
    return std::nullopt;
  }
  return point;
}

PointId Loader::read_gateway(const Element& element, const char* attribute, PointId zone) {
  const std::string name = element.required(attribute);
  const std::optional<PointId> point = builder_.find_point(name);
  if (point && builder_.tree().is_inside(*point, zone)) return *point;
  element.refuse(std::string(attribute) + " '" + name + "' is not a host or router of that zone");
  return zone;
}

std::optional<LinkId> Loader::read_crossing(const Element& element, std::vector<LinkId>& reverse) {
  if (element.tag() != "link_ctn") {
    element.refuse("<" + std::string(element.tag()) +
                   "> inside a route is not supported; accepted: link_ctn");
    return std::nullopt;
  }
  element.check_attributes({"id", "direction"});
  const std::string name = element.required("id");
  const NamedLink* link = builder_.find_link(name);
  if (link == nullptr) {
    element.refuse("link '" + name + "' was not described before");
    return std::nullopt;
  }
  const std::size_t direction = element.choice("direction", {"NONE", "UP", "DOWN"}, "NONE");
  if (link->is_duplex != (direction != 0)) {
    element.refuse(link->is_duplex ? "link '" + name + "' is SPLITDUPLEX: it needs direction UP or DOWN"
                                   : "link '" + name + "' is not SPLITDUPLEX: it has no direction");
    return std::nullopt;
  }
  reverse.push_back(direction == 2 ? link->up : link->down);
  return direction == 2 ? link->down : link->up;
}

void Loader::read_route(const Element& element, PointId zone, bool is_between_zones) {
  if (is_between_zones)
    element.check_attributes({"src", "dst", "gw_src", "gw_dst", "symmetrical"});
  else
    element.check_attributes({"src", "dst", "symmetrical"});
  const bool is_symmetrical =
      element.choice("symmetrical", {"YES", "TRUE", "1", "NO", "FALSE", "0"}, "YES") < 3;
  const auto source = read_point(element, "src", zone);
  const auto destination = read_point(element, "dst", zone);
  if (!source || !destination) return;
  if (builder_.tree().is_zone(*source) != is_between_zones ||
      builder_.tree().is_zone(*destination) != is_between_zones)
    return element.refuse("a route connects hosts and routers, a zoneRoute connects zones");
  if (builder_.tree().routing_of(zone) == TreeRouting::none)
    return element.refuse("a zone with routing None has no routes");
  Edge forward{{}, *source, *destination};
  if (is_between_zones) {
    forward.source_gateway = read_gateway(element, "gw_src", *source);
    forward.destination_gateway = read_gateway(element, "gw_dst", *destination);
  }
  Edge backward{{}, forward.destination_gateway, forward.source_gateway};
  for (const pugi::xml_node node : element.node().children()) {
    if (node.type() != pugi::node_element) continue;
    const auto link = read_crossing(Element(document_, node), backward.links);
    if (!link) return;
    forward.links.push_back(*link);
  }
  std::reverse(backward.links.begin(), backward.links.end());
  const bool is_new =
      builder_.tree().add_edge(zone, *source, *destination, std::move(forward)) &&
      (!is_symmetrical || source == destination ||
       builder_.tree().add_edge(zone, *destination, *source, std::move(backward)));
  if (!is_new)
    element.refuse("there is already a route between '" + element.required("src") + "' and '" +
                   element.required("dst") + "' in this direction");
}

}  // namespace

Result<Platform> load_xml(const std::string& file) { return Loader(file).load(); }

}  // namespace rehearse::platform
