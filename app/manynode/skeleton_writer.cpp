// SPDX-License-Identifier: MIT
//
// See skeleton_writer.hpp.
#include "app/manynode/skeleton_writer.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace rehearse::app {
namespace {

Json value_of(const std::string& key, const std::string& text) {
  if (text == "true") return true;
  if (key == "compute" || key == "collective" || key == "on" || key == "mode") return text;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  return text;
}

Json body_of(const std::vector<manynode::OperationText>& operations) {
  Json body = Json::array();
  for (const manynode::OperationText& operation : operations) {
    Json json = Json::object();
    for (const auto& [key, value] : operation.fields) json[key] = value_of(key, value);
    const std::string& first = operation.fields.front().first;
    if (first == "loop" || first == "if") json["body"] = body_of(operation.body);
    if (!operation.otherwise.empty()) json["else"] = body_of(operation.otherwise);
    body.push_back(std::move(json));
  }
  return body;
}

// The laws of a marker in a profile, by cluster; null: the profile does not have it.
Json laws_in(const Json& profile, const std::string& id) {
  Json laws = Json::array();
  const Json* markers = profile.find("markers");
  if (markers == nullptr) return {};
  for (const Json& marker : *markers) {
    if (marker.at("id").get<std::string>() != id) continue;
    Json law = Json::object();
    for (const Json::Member& member : marker.members())
      if (member.key != "id") law[member.key] = member.value;
    laws.push_back(std::move(law));
  }
  return laws.empty() ? Json() : laws;
}

Json mean_laws(const manynode::MarkerText& marker, std::size_t clusters) {
  Json laws = Json::array();
  const auto add = [&laws](std::size_t cluster, double seconds) {
    laws.push_back({{"cluster", cluster}, {"law", Json{{"law", "constant"}, {"value", seconds}}}});
  };
  for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
    const auto found = std::ranges::find(marker.seconds, cluster, &std::pair<std::size_t, double>::first);
    if (found != marker.seconds.end()) add(cluster, found->second);
  }
  return laws;
}

void write_members(const Json& json, const std::string& indent, std::string& text);

// A list of operations, a line each, and the bodies of loops and branches below them.
void write_body(const Json& body, const std::string& indent, std::string& text) {
  text += "[\n";
  for (std::size_t i = 0; i < body.size(); ++i) {
    const Json& operation = body[i];
    text += indent + "  ";
    if (operation.contains("body")) write_members(operation, indent + "  ", text);
    else text += operation.dump();
    text += i + 1 < body.size() ? ",\n" : "\n";
  }
  text += indent + "]";
}

void write_members(const Json& json, const std::string& indent, std::string& text) {
  text += "{";
  bool is_first = true;
  for (const Json::Member& member : json.members()) {
    if (!is_first) text += ", ";
    is_first = false;
    text += Json(member.key).dump() + ": ";
    if (member.key == "body" || member.key == "else") write_body(member.value, indent, text);
    else text += member.value.dump();
  }
  text += "}";
}

}  // namespace

Json to_json(const manynode::SkeletonText& skeleton, const std::string& name, const Json& about, const Json& profile) {
  Json json = {{"rehearse_skeleton", 1u}, {"name", name}, {"about", about}};
  Json clusters = Json::array();
  for (std::size_t i = 0; i < skeleton.clusters.size(); ++i)
    clusters.push_back({{"id", i}, {"ranks", skeleton.clusters[i]}});
  Json markers = Json::object();
  for (const manynode::MarkerText& marker : skeleton.markers) {
    Json laws = profile.is_null() ? Json() : laws_in(profile, marker.id);
    markers[marker.id] = laws.is_null() ? mean_laws(marker, skeleton.clusters.size()) : std::move(laws);
  }
  json["clusters"] = std::move(clusters);
  json["markers"] = std::move(markers);
  if (!skeleton.names.empty()) {
    Json names = Json::object();
    for (const auto& [key, meaning] : skeleton.names) names[key] = meaning;
    json["let"] = std::move(names);
  }
  if (!skeleton.communicators.empty()) {
    Json all = Json::object();
    for (const auto& [key, colour] : skeleton.communicators) all[key] = Json{{"colour", value_of("colour", colour)}};
    json["communicators"] = std::move(all);
  }
  json["body"] = body_of(skeleton.body);
  return json;
}

std::string text_of_skeleton(const Json& skeleton) {
  std::string text = "{\n";
  bool is_first = true;
  for (const Json::Member& member : skeleton.members()) {
    if (!is_first) text += ",\n";
    is_first = false;
    text += "  " + Json(member.key).dump() + ": ";
    if (member.key == "body") {
      write_body(member.value, "  ", text);
    } else if (member.key == "markers" || member.key == "let" || member.key == "communicators") {
      text += "{";
      for (std::size_t i = 0; i < member.value.members().size(); ++i) {
        const Json::Member& each = member.value.members()[i];
        text += (i > 0 ? ",\n    " : "\n    ") + Json(each.key).dump() + ": " + each.value.dump();
      }
      text += "\n  }";
    } else {
      text += member.value.dump();
    }
  }
  return text + "\n}\n";
}

}  // namespace rehearse::app
