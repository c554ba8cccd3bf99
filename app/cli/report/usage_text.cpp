// SPDX-License-Identifier: MIT
//
// See usage_text.hpp.
#include "app/cli/report/usage_text.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "app/cli/report/text_table.hpp"
#include "app/usage.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

constexpr std::size_t shown_links = 10;

std::string share(double part, double whole) { return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-"; }
std::string figure(double value) { return fmt::format("{:.6g}", value); }
std::string change(double value) { return value == 0 ? "0" : fmt::format("{:+.6g}", value); }

std::string category_name(const std::string& name) { return name.empty() ? "(none)" : name; }

std::string path_of(const UseMap& map, std::uint32_t zone) {
  std::string path = map.zones[zone].name;
  for (std::uint32_t up = map.zones[zone].parent; up != MapZone::none; up = map.zones[up].parent)
    path = map.zones[up].name + "/" + path;
  return path;
}

// The categories with any work or traffic.
std::vector<std::size_t> used_categories(const UseMap& map, const app::UsageSums& sums) {
  std::vector<std::size_t> used;
  for (std::size_t c = 0; c < map.uses.categories.size(); ++c)
    if (sums.hosts[c] > 0 || sums.links[c] > 0) used.push_back(c);
  return used;
}

std::string zones_text(const UseMap& map, const app::UsageSums& sums, const std::vector<std::size_t>& categories) {
  const std::vector<double> capacities = app::capacities_of(map);
  TextTable table;
  std::vector<std::string> header = {"flops by zone"};
  for (const std::size_t c : categories) header.push_back(category_name(map.uses.categories[c]));
  header.insert(header.end(), {"sum", "use"});
  table.add(header);
  for (std::uint32_t zone = 0; zone < map.zones.size(); ++zone) {
    const std::vector<double>& work = sums.zones[zone];
    const double sum = std::accumulate(work.begin(), work.end(), 0.0);
    std::vector<std::string> row = {path_of(map, zone)};
    for (const std::size_t c : categories) row.push_back(figure(work[c]));
    row.insert(row.end(), {figure(sum), share(sum, capacities[zone])});
    table.add(row);
  }
  return table.text();
}

std::string links_text(const UseMap& map, const app::UsageSums& sums, const std::vector<std::size_t>& categories) {
  std::vector<std::uint32_t> links;
  for (std::uint32_t i = 0; i < map.links.size(); ++i)
    if (sums.of_link[i] > 0) links.push_back(i);
  if (links.empty()) return "no traffic on links\n";
  std::ranges::stable_sort(links, [&](std::uint32_t a, std::uint32_t b) { return sums.of_link[a] > sums.of_link[b]; });
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> bytes;
  for (const UseRow& row : map.uses.links) bytes[{row.subject, row.category}] = row.total();
  TextTable table;
  std::vector<std::string> header = {"bytes by link"};
  for (const std::size_t c : categories) header.push_back(category_name(map.uses.categories[c]));
  header.insert(header.end(), {"sum", "use"});
  table.add(header);
  for (std::size_t i = 0; i < links.size() && i < shown_links; ++i) {
    std::vector<std::string> row = {map.links[links[i]].name};
    for (const std::size_t c : categories) row.push_back(figure(bytes[{links[i], static_cast<std::uint32_t>(c)}]));
    const double possible = map.links[links[i]].bytes_per_second * map.uses.end.seconds();
    row.insert(row.end(), {figure(sums.of_link[links[i]]), share(sums.of_link[links[i]], possible)});
    table.add(row);
  }
  std::string text = table.text();
  if (links.size() > shown_links)
    text += fmt::format("{} of {} used links\n", shown_links, app::with_commas(links.size()));
  return text;
}

// By zone and category; the category "" has the name "(none)".
using Named = std::map<std::pair<std::string, std::string>, double>;

Named named_work(const UseMap& map, const app::UsageSums& sums) {
  Named named;
  for (std::uint32_t zone = 0; zone < map.zones.size(); ++zone)
    for (std::size_t c = 0; c < map.uses.categories.size(); ++c)
      if (sums.zones[zone][c] > 0)
        named[{path_of(map, zone), category_name(map.uses.categories[c])}] += sums.zones[zone][c];
  return named;
}

Named named_traffic(const UseMap& map) {
  Named named;
  for (const UseRow& row : map.uses.links)
    named[{map.links[row.subject].name, category_name(map.uses.categories[row.category])}] += row.total();
  return named;
}

std::string differences(const char* title, const Named& first, const Named& second, std::size_t shown) {
  std::map<std::pair<std::string, std::string>, std::pair<double, double>> both;
  for (const auto& [name, value] : first) both[name].first = value;
  for (const auto& [name, value] : second) both[name].second = value;
  std::vector<std::pair<std::pair<std::string, std::string>, std::pair<double, double>>> rows(both.begin(), both.end());
  const auto size = [](const auto& row) { return std::abs(row.second.second - row.second.first); };
  if (rows.size() > shown) {
    std::ranges::stable_sort(rows, [&](const auto& a, const auto& b) { return size(a) > size(b); });
    rows.resize(shown);
  }
  TextTable table;
  table.add({title, "category", "first", "second", "difference"});
  for (const auto& [name, values] : rows)
    table.add(
        {name.first, name.second, figure(values.first), figure(values.second), change(values.second - values.first)});
  std::string text = table.text();
  if (both.size() > shown) text += fmt::format("{} of {} rows, the largest differences\n", shown, both.size());
  return text;
}

std::string length_of(const UseMap& map) {
  return fmt::format("{} on {}: {}", app::in_seconds(map.uses.end), map.platform,
                     app::counted(map.hosts.size(), "host"));
}

}  // namespace

std::string text_of(const UseMap& map) {
  const app::UsageSums sums = app::sums_of(map);
  const std::vector<std::size_t> categories = used_categories(map, sums);
  return length_of(map) +
         fmt::format(", {} of {:.6g} s\n\n", app::counted(map.uses.slices, "slice"), map.uses.slice.seconds()) +
         zones_text(map, sums, categories) + "\n" + links_text(map, sums, categories);
}

std::string text_of_difference(const UseMap& first, const UseMap& second) {
  constexpr std::size_t all = 200;
  return "first: " + length_of(first) + "\nsecond: " + length_of(second) + "\n\n" +
         differences("flops by zone", named_work(first, app::sums_of(first)), named_work(second, app::sums_of(second)),
                     all) +
         "\n" + differences("bytes by link", named_traffic(first), named_traffic(second), shown_links);
}

}  // namespace rehearse::cli
