// SPDX-License-Identifier: MIT
//
// Reads a platform file element by element into a builder.
//
// Shape:  one function per element. Each stops at the first mistake, which the document records with its line. Traces
//         are connected after the whole file has been read.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "simcore/platform/xml_reader.hpp"
#include "simcore/platform_builder.hpp"

namespace rehearse::platform {

class XmlLoader {
 public:
  // `file`: the name in errors, and the base of relative names of profiles.
  XmlLoader(std::string file, XmlDocument& document, PlatformLimits limits,
            RoutesOf routes = RoutesOf::the_documentation)
      : file_(std::move(file)), document_(document), builder_(limits), routes_(routes) {}

  Result<Platform> load();

 private:
  // xml_platform.cpp
  void read_platform(const Element& element);
  void read_top_level(const Element& element);
  void read_zone(const Element& element, PointId parent);
  void read_in_zone(const Element& element, PointId zone, Properties& properties);
  bool read_resource(const Element& element, PointId zone);
  bool read_way(const Element& element, PointId zone);
  void finish_wifi(const Element& element, PointId zone, const Properties& properties);

  // xml_resources.cpp
  void read_host(const Element& element, PointId zone);
  void read_peer(const Element& element, PointId zone);
  void read_disk(const Element& element, PointId host);
  void read_router(const Element& element, PointId zone);
  void read_link(const Element& element, PointId zone);
  void read_cluster(const Element& element, PointId parent);
  void read_topology(const Element& element, ClusterDescription& cluster);
  void read_cabinet(const Element& element, PointId zone);
  void read_host_profiles(const Element& element, PointId host);

  // xml_routes.cpp
  void read_host_link(const Element& element, PointId zone);
  void read_backbone(const Element& element, PointId zone);
  void read_route(const Element& element, PointId zone, bool is_between_zones, bool is_bypass);
  std::optional<PointId> find_point(const Element& element, const char* attribute);
  std::optional<LinkHandle> find_link(const Element& element, const char* attribute);
  std::vector<LinkUse> read_crossings(const Element& element);

  // xml_traces.cpp
  SharedProfile read_profile_file(const Element& element, const char* attribute);
  void read_trace(const Element& element);
  void connect_traces();
  void connect_trace(const Element& element);

  void accept(const Element& element) {
    if (builder_.mistake()) element.refuse(builder_.mistake()->text);
  }
  bool failed() const { return document_.mistake().has_value(); }

  std::string file_;
  XmlDocument& document_;
  PlatformBuilder builder_;
  RoutesOf routes_;
  std::map<std::string, SharedProfile> profile_files_;  // by name; each is read once
  std::map<std::string, SharedProfile> traces_;
  std::vector<Element> connections_;
  std::vector<Element> actors_;
  std::map<PointId, LinkId> wifi_links_;  // first of each zone
};

// xml_values.cpp: values in several elements.
std::vector<std::string_view> split(std::string_view text, std::string_view separators);
std::vector<std::string_view> split(std::string&& text, std::string_view separators) = delete;
std::vector<double> read_speeds(const Element& element);
std::vector<std::uint32_t> read_radical(const Element& element, std::size_t numbers_max);
std::optional<Coordinates> read_coordinates(const Element& element);
void read_prop(const Element& element, Properties& properties);
// Reads the children as properties; refuses other elements.
Properties read_props(const Element& element);

// xml_config.cpp
void read_config(const Element& element, PlatformBuilder& builder);

// xml_deployment.cpp. `find_host` returns whether there is a host of that name.
DeployedActor read_actor(const Element& element, const std::function<bool(const std::string& host)>& find_host);

}  // namespace rehearse::platform
