// SPDX-License-Identifier: MIT
//
// Platform files: routes.
#include "simcore/platform/xml_loader.hpp"

namespace rehearse::platform {

std::optional<PointId> XmlLoader::find_point(const Element& element, const char* attribute) {
  const std::string name = element.required(attribute);
  const std::optional<PointId> point = builder_.find_point(name);
  if (!point)
    element.refuse(std::string(attribute) + " '" + name + "' is not a host, router or zone that was described before");
  return point;
}

std::optional<LinkHandle> XmlLoader::find_link(const Element& element, const char* attribute) {
  const std::string name = element.required(attribute);
  const std::optional<LinkHandle> link = builder_.find_link(name);
  if (!link) element.refuse("link '" + name + "' was not described before");
  return link;
}

void XmlLoader::read_host_link(const Element& element, PointId zone) {
  element.check_attributes({"id", "up", "down"});
  const auto host = find_point(element, "id");
  const auto up = find_link(element, "up");
  const auto down = find_link(element, "down");
  if (failed()) return;
  builder_.set_leg(zone, *host, {{up->up}, {down->down}});
  accept(element);
}

void XmlLoader::read_backbone(const Element& element, PointId zone) {
  element.check_attributes({"id", "bandwidth", "latency"});
  (void)element.required("latency");
  LinkDescription link;
  link.name = element.required("id");
  link.bytes_per_second = element.bytes_per_second("bandwidth");
  link.latency_seconds = element.seconds("latency", "0");
  link.properties = read_props(element);
  if (failed()) return;
  const LinkHandle handle = builder_.add_link(link);
  builder_.set_backbone(zone, handle.up);
  accept(element);
}

std::vector<LinkUse> XmlLoader::read_crossings(const Element& element) {
  static constexpr Direction directions[] = {Direction::none, Direction::up, Direction::down};
  std::vector<LinkUse> uses;
  for (const Element& inner : element.children()) {
    if (failed()) return {};
    if (inner.tag() != "link_ctn") {
      inner.refuse("<" + std::string(inner.tag()) + "> inside a route is not supported; accepted: link_ctn");
      return {};
    }
    inner.check_attributes({"id", "direction"});
    const auto link = find_link(inner, "id");
    const std::size_t direction = inner.choice("direction", {"NONE", "UP", "DOWN"}, "NONE");
    if (link) uses.push_back({*link, directions[direction]});
    if (link && link->is_duplex != (direction != 0))
      inner.refuse(link->is_duplex ? "link '" + inner.required("id") + "' is SPLITDUPLEX: it needs direction UP or DOWN"
                                   : "link '" + inner.required("id") + "' is not SPLITDUPLEX: it has no direction");
  }
  return uses;
}

void XmlLoader::read_route(const Element& element, PointId zone, bool is_between_zones, bool is_bypass) {
  if (is_between_zones) element.check_attributes({"src", "dst", "gw_src", "gw_dst", "symmetrical"});
  else element.check_attributes({"src", "dst", "symmetrical"});
  const char* otherwise = is_bypass ? "NO" : "YES";
  RouteDescription route;
  route.symmetrical = element.choice("symmetrical", {"YES", "TRUE", "1", "NO", "FALSE", "0"}, otherwise) < 3;
  if (is_bypass && route.symmetrical) return element.refuse("a bypass goes one way; accepted: one for each direction");
  const auto source = find_point(element, "src");
  const auto destination = find_point(element, "dst");
  if (!source || !destination) return;
  route.source = *source;
  route.destination = *destination;
  if (is_between_zones) {
    route.source_gateway = find_point(element, "gw_src");
    route.destination_gateway = find_point(element, "gw_dst");
  } else if (builder_.is_zone(*source) || builder_.is_zone(*destination)) {
    return element.refuse("a route connects hosts and routers; accepted between zones: zoneRoute, "
                          "bypassZoneRoute");
  }
  route.links = read_crossings(element);
  if (failed()) return;
  if (is_bypass) builder_.add_bypass(zone, route);
  else builder_.add_route(zone, route);
  accept(element);
}

}  // namespace rehearse::platform
