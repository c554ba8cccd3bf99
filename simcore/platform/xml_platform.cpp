// SPDX-License-Identifier: MIT
//
// Platform files: the permitted elements and their places.
#include "simcore/platform/xml_platform.hpp"

#include <algorithm>

#include "simcore/platform/xml_loader.hpp"
#include "simcore/platform_text.hpp"

namespace rehearse::platform {

namespace {

constexpr const char* removed_elements =
    "<include>, <storage>, <storage_type> and <mount> are not part of this version of the format: "
    "put included files in place, and disks as <disk> into their <host>";

bool is_removed(std::string_view tag) {
  return tag == "include" || tag == "storage" || tag == "storage_type" || tag == "mount";
}

// Elements of the format without a meaning.
bool is_meaningless(std::string_view tag) { return tag == "random" || tag == "model_prop"; }

bool is_zone_tag(std::string_view tag) { return tag == "zone" || tag == "AS"; }
bool is_actor_tag(std::string_view tag) { return tag == "actor" || tag == "process"; }

}  // namespace

Result<Platform> XmlLoader::load() {
  if (failed()) return *document_.mistake();
  const Element platform(document_, document_.root().child("platform"));
  if (!platform.node()) {
    document_.refuse(document_.root(), "not a platform file: it has no <platform> element");
    return *document_.mistake();
  }
  read_platform(platform);
  if (!failed() && builder_.host_count() == 0) platform.refuse("the platform has no host");
  if (failed()) return *document_.mistake();
  auto made = builder_.finish(file_);
  if (!made) platform.refuse(made.error().text);
  if (failed()) return *document_.mistake();
  return std::move(made.value());
}

void XmlLoader::read_platform(const Element& platform) {
  platform.check_version();
  for (const Element& element : platform.children()) {
    if (failed()) return;
    read_top_level(element);
  }
  if (!failed()) connect_traces();
  for (const Element& element : actors_) {
    if (failed()) return;
    DeployedActor actor = read_actor(element, [this](const std::string& name) {
      const auto point = builder_.find_point(name);
      return point && builder_.is_host(*point);
    });
    if (failed()) return;
    builder_.add_actor(*builder_.find_point(element.required("host")), std::move(actor));
  }
}

void XmlLoader::read_top_level(const Element& element) {
  const std::string_view tag = element.tag();
  if (is_zone_tag(tag)) return read_zone(element, builder_.world());
  if (tag == "cluster") return read_cluster(element, builder_.world());
  if (tag == "trace") return read_trace(element);
  if (tag == "trace_connect") return connections_.push_back(element);
  if (is_actor_tag(tag)) return actors_.push_back(element);
  if (tag == "config") {
    read_config(element, builder_);
    return accept(element);
  }
  if (is_removed(tag)) return element.refuse(removed_elements);
  if (is_meaningless(tag)) return;
  element.refuse("<" + std::string(tag) +
                 "> is not supported here; accepted: config, zone, cluster, trace, trace_connect, "
                 "actor");
}

void XmlLoader::read_zone(const Element& element, PointId parent) {
  static constexpr ZoneRouting kinds[] = {
      ZoneRouting::full, ZoneRouting::floyd,   ZoneRouting::dijkstra, ZoneRouting::dijkstra_cache, ZoneRouting::star,
      ZoneRouting::star, ZoneRouting::vivaldi, ZoneRouting::wifi,     ZoneRouting::none,           ZoneRouting::none};
  element.check_attributes({"id", "routing"});
  (void)element.required("routing");
  const std::size_t kind = element.choice(
      "routing", {"Full", "Floyd", "Dijkstra", "DijkstraCache", "Cluster", "Star", "Vivaldi", "Wifi", "None", "Empty"},
      "Full");
  if (failed()) return;
  const PointId zone = builder_.add_zone(parent, element.required("id"), kinds[kind]);
  accept(element);
  Properties properties;
  for (const Element& inner : element.children()) {
    if (failed()) return;
    read_in_zone(inner, zone, properties);
  }
  if (failed()) return;
  builder_.set_properties(zone, properties);
  if (kinds[kind] == ZoneRouting::wifi) finish_wifi(element, zone, properties);
}

void XmlLoader::finish_wifi(const Element& element, PointId zone, const Properties& properties) {
  const auto link = wifi_links_.find(zone);
  if (link == wifi_links_.end())
    return element.refuse("a zone with routing Wifi needs a <link> with sharing_policy=\"WIFI\"");
  builder_.set_wifi(zone, link->second);
  const auto access_point = properties.find("access_point");
  if (access_point != properties.end()) {
    const auto point = builder_.find_point(access_point->second);
    if (!point)
      return element.refuse("access_point '" + access_point->second + "' is not a host or router of this zone");
    builder_.set_access_point(zone, *point);
  }
  accept(element);
}

bool XmlLoader::read_resource(const Element& element, PointId zone) {
  const std::string_view tag = element.tag();
  if (tag == "host") read_host(element, zone);
  else if (tag == "link") read_link(element, zone);
  else if (tag == "router") read_router(element, zone);
  else if (tag == "cluster") read_cluster(element, zone);
  else if (tag == "cabinet") read_cabinet(element, zone);
  else if (tag == "peer") read_peer(element, zone);
  else return false;
  return true;
}

bool XmlLoader::read_way(const Element& element, PointId zone) {
  const std::string_view tag = element.tag();
  if (tag == "route") read_route(element, zone, false, false);
  else if (tag == "zoneRoute" || tag == "ASroute") read_route(element, zone, true, false);
  else if (tag == "bypassRoute") read_route(element, zone, false, true);
  else if (tag == "bypassZoneRoute" || tag == "bypassASroute") read_route(element, zone, true, true);
  else if (tag == "host_link") read_host_link(element, zone);
  else if (tag == "backbone") read_backbone(element, zone);
  else return false;
  return true;
}

void XmlLoader::read_in_zone(const Element& element, PointId zone, Properties& properties) {
  const std::string_view tag = element.tag();
  if (is_zone_tag(tag)) return read_zone(element, zone);
  if (read_resource(element, zone) || read_way(element, zone)) return;
  if (tag == "trace") return read_trace(element);
  if (tag == "trace_connect") return connections_.push_back(element);
  if (is_removed(tag)) return element.refuse(removed_elements);
  if (is_meaningless(tag)) return;
  if (tag == "prop") {
    const std::string key = element.required("id");
    if (key.starts_with("network/"))
      return element.refuse("property '" + key +
                            "' of a zone is not supported: it would change costs; choose models "
                            "with rehearse's options");
    return read_prop(element, properties);
  }
  element.refuse("<" + std::string(tag) +
                 "> is not supported here; accepted: zone, cluster, cabinet, host, peer, router, "
                 "link, route, zoneRoute, bypassRoute, bypassZoneRoute, host_link, backbone, trace, "
                 "trace_connect, prop");
}

Result<Platform> load_xml(const std::string& file, RoutesOf routes) {
  XmlDocument document(file);
  return XmlLoader(file, document, {}, routes).load();
}

}  // namespace rehearse::platform

namespace rehearse {

Result<Platform> platform_from_text(const std::string& file, std::string text, PlatformLimits limits) {
  platform::XmlDocument document(file, std::move(text));
  return platform::XmlLoader(file, document, limits).load();
}

Result<std::vector<DeployedActor>> read_deployment(const std::string& file, const Platform& platform) {
  platform::XmlDocument document(file);
  std::vector<DeployedActor> actors;
  const platform::Element root(document, document.root().child("platform"));
  if (!document.mistake() && !root.node())
    document.refuse(document.root(), "not a deployment file: it has no <platform> element");
  if (!document.mistake()) root.check_version();
  for (const platform::Element& element : root.children()) {
    if (document.mistake()) break;
    if (element.tag() == "config") continue;
    if (!platform::is_actor_tag(element.tag())) {
      element.refuse("<" + std::string(element.tag()) + "> in a deployment file is not supported; accepted: actor");
      break;
    }
    actors.push_back(
        platform::read_actor(element, [&](const std::string& name) { return platform.find_host(name).has_value(); }));
    if (!document.mistake()) actors.back().host = *platform.find_host(element.required("host"));
  }
  if (document.mistake()) return *document.mistake();
  return actors;
}

}  // namespace rehearse
