// SPDX-License-Identifier: MIT
//
// A usage as JSON: each host and link has an array for each category, from the first slice in which it was used to the
// last one.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/usage.hpp"
#include "app/version.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse::app {
namespace {

constexpr const char* accepted_usage = "accepted: a file of rehearse run --usage FILE.json";

Json row_json(const UseRow& row) {
  const std::uint32_t first = row.cells.front().slice;
  Json slices = Json::array();
  std::uint32_t next = first;
  for (const UseCell& cell : row.cells) {
    for (; next < cell.slice; ++next) slices.push_back(0);
    slices.push_back(cell.amount);
    ++next;
  }
  return {{"category", row.category}, {"sum", row.total()}, {"first", first}, {"slices", std::move(slices)}};
}

// The rows of each subject, in the order of the rows.
std::vector<Json> rows_by_subject(const std::vector<UseRow>& rows, std::size_t subjects) {
  std::vector<Json> result(subjects);
  for (Json& json : result) json = Json::array();
  for (const UseRow& row : rows) result[row.subject].push_back(row_json(row));
  return result;
}

// Throws JsonError, or a Fault, for a document of another shape.
struct Fault {
  std::string text;
};

const Json& member(const Json& json, std::string_view key) {
  const Json* found = json.find(key);
  if (found == nullptr) throw Fault{fmt::format("no {}", key)};
  return *found;
}

const Json& list(const Json& json, std::string_view key) {
  const Json& found = member(json, key);
  if (!found.is_array()) throw Fault{fmt::format("{} is no list", key)};
  return found;
}

std::uint32_t number_below(const Json& json, std::size_t bound, std::string_view what) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() >= bound)
    throw Fault{fmt::format("{}: a number from 0 to {} is expected", what, bound - (bound > 0))};
  return json.get<std::uint32_t>();
}

double amount(const Json& json, std::string_view what) {
  const double value = json.is_number() ? json.get<double>() : -1;
  if (!(value >= 0 && std::isfinite(value))) throw Fault{fmt::format("{}: a number from 0 on is expected", what)};
  return value;
}

std::int64_t picoseconds(const Json& json, std::string_view what) {
  const double value = std::round(amount(json, what) * 1e12);
  if (value >= 9e18) throw Fault{fmt::format("{}: too long", what)};
  return static_cast<std::int64_t>(value);
}

void read_rows(const Json& json, std::uint32_t subject, const UseTable& table, std::vector<UseRow>& rows) {
  for (const Json& item : list(json, "use")) {
    UseRow row{subject, number_below(member(item, "category"), table.categories.size(), "category"), {}};
    std::uint32_t slice = number_below(member(item, "first"), table.slices, "first");
    for (const Json& cell : list(item, "slices")) {
      if (slice >= table.slices) throw Fault{"slices: more than the run has"};
      if (const double value = amount(cell, "slices"); value > 0) row.cells.push_back({slice, value});
      ++slice;
    }
    if (!row.cells.empty()) rows.push_back(std::move(row));
  }
}

void read_table(const Json& json, UseTable& table) {
  table.slices = number_below(member(json, "slices"), std::numeric_limits<std::uint32_t>::max(), "slices");
  table.slice.picoseconds = picoseconds(member(json, "slice_seconds"), "slice_seconds");
  table.end.picoseconds = picoseconds(member(json, "simulated_seconds"), "simulated_seconds");
  if (table.slices == 0 || table.slice.picoseconds == 0) throw Fault{"no slices"};
  for (const Json& name : list(json, "categories")) table.categories.push_back(name.get<std::string>());
}

void read_platform(const Json& json, UseMap& map) {
  map.platform = member(json, "platform").get<std::string>();
  for (const Json& zone : list(json, "zones")) {
    const Json* parent = zone.find("parent");
    const std::uint32_t number =
        parent == nullptr || parent->is_null() ? MapZone::none : number_below(*parent, map.zones.size(), "parent");
    map.zones.push_back({member(zone, "name").get<std::string>(), number});
  }
  if (map.zones.empty()) throw Fault{"no zones"};
  for (const Json& host : list(json, "hosts")) {
    map.hosts.push_back({member(host, "name").get<std::string>(),
                         number_below(member(host, "zone"), map.zones.size(), "zone"),
                         amount(member(host, "flops_per_second"), "flops_per_second")});
    read_rows(host, static_cast<std::uint32_t>(map.hosts.size() - 1), map.uses, map.uses.hosts);
  }
  for (const Json& link : list(json, "links")) {
    map.links.push_back(
        {member(link, "name").get<std::string>(), amount(member(link, "bytes_per_second"), "bytes_per_second")});
    read_rows(link, static_cast<std::uint32_t>(map.links.size() - 1), map.uses, map.uses.links);
  }
  for (const Json& node : list(json, "nodes"))
    map.nodes.push_back(
        {member(node, "name").get<std::string>(), number_below(member(node, "zone"), map.zones.size(), "zone")});
  const std::size_t points = map.hosts.size() + map.nodes.size();
  for (const Json& wire : list(json, "wires")) {
    MapWire& made = map.wires.emplace_back();
    made.from = number_below(member(wire, "from"), points, "from");
    made.to = number_below(member(wire, "to"), points, "to");
    for (const Json& link : list(wire, "links")) made.links.push_back(number_below(link, map.links.size(), "links"));
  }
  map.wires_more = member(json, "wires_more").get<std::uint64_t>();
}

}  // namespace

Json to_json(const Usage& usage) {
  const UseMap& map = usage.map;
  Json json = {{"rehearse", version},
               {"report", "usage"},
               {"program", usage.program},
               {"platform", map.platform},
               {"simulated_seconds", map.uses.end.seconds()},
               {"slice_seconds", map.uses.slice.seconds()},
               {"slices", map.uses.slices},
               {"categories", map.uses.categories},
               {"zones", Json::array()},
               {"hosts", Json::array()},
               {"links", Json::array()},
               {"nodes", Json::array()},
               {"wires", Json::array()},
               {"wires_more", map.wires_more}};
  for (const MapZone& zone : map.zones) {
    const Json parent = zone.parent == MapZone::none ? Json() : Json(zone.parent);
    json["zones"].push_back({{"name", zone.name}, {"parent", parent}});
  }
  std::vector<Json> rows = rows_by_subject(map.uses.hosts, map.hosts.size());
  for (std::size_t i = 0; i < map.hosts.size(); ++i)
    json["hosts"].push_back({{"name", map.hosts[i].name},
                             {"zone", map.hosts[i].zone},
                             {"flops_per_second", map.hosts[i].flops_per_second},
                             {"use", std::move(rows[i])}});
  rows = rows_by_subject(map.uses.links, map.links.size());
  for (std::size_t i = 0; i < map.links.size(); ++i)
    json["links"].push_back({{"name", map.links[i].name},
                             {"bytes_per_second", map.links[i].bytes_per_second},
                             {"use", std::move(rows[i])}});
  for (const MapNode& node : map.nodes) json["nodes"].push_back({{"name", node.name}, {"zone", node.zone}});
  for (const MapWire& wire : map.wires)
    json["wires"].push_back({{"from", wire.from}, {"to", wire.to}, {"links", wire.links}});
  return json;
}

Result<Usage> read_usage(const std::string& file) {
  const auto text = read_file(file);
  if (!text) return Error{fmt::format("{}: cannot be read; {}", file, accepted_usage)};
  const auto parsed = parse_json(*text);
  if (!parsed) return Error{fmt::format("{}: {}; {}", file, parsed.error().text, accepted_usage)};
  const Json* report = parsed.value().find("report");
  if (report == nullptr || !report->is_string() || report->get<std::string>() != "usage")
    return Error{fmt::format("{}: no usage; {}", file, accepted_usage)};
  try {
    Usage usage;
    usage.program = member(parsed.value(), "program").get<std::string>();
    read_table(parsed.value(), usage.map.uses);
    read_platform(parsed.value(), usage.map);
    return usage;
  } catch (const Fault& fault) {
    return Error{fmt::format("{}: {}; {}", file, fault.text, accepted_usage)};
  } catch (const JsonError& error) {
    return Error{fmt::format("{}: {}; {}", file, error.what(), accepted_usage)};
  }
}

}  // namespace rehearse::app
