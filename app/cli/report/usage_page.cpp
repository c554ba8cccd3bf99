// SPDX-License-Identifier: MIT
//
// Numbers as columns, and the parts of the page around them.
#include "app/cli/report/usage_page.hpp"

#include <cmath>

#include "app/cli/report/page_sources.hpp"
#include "app/cli/report/page_text.hpp"
#include "app/version.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

constexpr double units = 1u << 30;  // of a row's total

void add_number(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

std::uint64_t runs_of(const UseRow& row) {
  std::uint64_t runs = 1;
  for (std::size_t i = 1; i < row.cells.size(); ++i) runs += row.cells[i].slice != row.cells[i - 1].slice + 1;
  return runs;
}

void encode(std::string& out, const UseRow& row) {
  const double total = row.total();
  double sum = 0;
  std::uint64_t before = 0;
  std::uint32_t next = 0;
  add_number(out, runs_of(row));
  for (std::size_t i = 0; i < row.cells.size();) {
    std::size_t end = i + 1;
    while (end < row.cells.size() && row.cells[end].slice == row.cells[end - 1].slice + 1) ++end;
    add_number(out, row.cells[i].slice - next);
    add_number(out, end - i);
    next = row.cells[end - 1].slice + 1;
    for (; i < end; ++i) {
      sum += row.cells[i].amount;
      const auto rounded = static_cast<std::uint64_t>(std::llround(std::min(sum / total, 1.0) * units));
      add_number(out, rounded - before);
      before = rounded;
    }
  }
}

class UsagePart {
 public:
  UsagePart(const app::Usage& usage, std::size_t index) : usage_(usage), name_(fmt::format("usage-{}", index)) {}

  std::string make() {
    const UseMap& map = usage_.map;
    app::Json json = {{"program", usage_.program},       {"platform", map.platform},
                      {"end", map.uses.end.picoseconds}, {"slice", map.uses.slice.picoseconds},
                      {"slices", map.uses.slices},       {"categories", map.uses.categories},
                      {"zones", app::Json::array()},     {"hosts", app::Json::array()},
                      {"links", app::Json::array()},     {"nodes", app::Json::array()},
                      {"wires_more", map.wires_more}};
    for (const MapZone& zone : map.zones)
      json["zones"].push_back(app::Json::array({zone.name, zone.parent == MapZone::none ? -1 : int(zone.parent)}));
    for (const MapHost& host : map.hosts) json["hosts"].push_back(host.name);
    for (const MapLink& link : map.links) json["links"].push_back(link.name);
    for (const MapNode& node : map.nodes) json["nodes"].push_back(node.name);
    add_platform(map);
    add_rows("host", map.uses.hosts);
    add_rows("link", map.uses.links);
    return "<script type=\"application/json\" class=\"usage\" id=\"" + name_ + "\">" + for_script(json) +
           "</script>\n" + arrays_;
  }

 private:
  void add_bytes(const std::string& column, std::span<const std::byte> bytes) {
    arrays_ += "<script type=\"text/plain\" id=\"" + name_ + "-" + column + "\">";
    add_base64(arrays_, bytes);
    arrays_ += "</script>\n";
  }
  template <class T>
  void add(const std::string& column, const std::vector<T>& numbers) {
    add_bytes(column, std::as_bytes(std::span(numbers)));
  }

  void add_platform(const UseMap& map) {
    std::vector<std::uint32_t> host_zone, node_zone, wires, wire_links;
    std::vector<double> host_speed, link_speed;
    for (const MapHost& host : map.hosts) host_zone.push_back(host.zone), host_speed.push_back(host.flops_per_second);
    for (const MapLink& link : map.links) link_speed.push_back(link.bytes_per_second);
    for (const MapNode& node : map.nodes) node_zone.push_back(node.zone);
    for (const MapWire& wire : map.wires) {
      wires.push_back(wire.from);
      wires.push_back(wire.to);
      wire_links.insert(wire_links.end(), wire.links.begin(), wire.links.end());
      wires.push_back(static_cast<std::uint32_t>(wire_links.size()));
    }
    add("host_zone", host_zone);
    add("host_speed", host_speed);
    add("link_speed", link_speed);
    add("node_zone", node_zone);
    add("wires", wires);
    add("wire_links", wire_links);
  }

  void add_rows(const std::string& kind, const std::vector<UseRow>& rows) {
    std::vector<std::uint32_t> subject, category;
    std::vector<double> total;
    for (const UseRow& row : rows) {
      subject.push_back(row.subject);
      category.push_back(row.category);
      total.push_back(row.total());
    }
    add(kind + "_subject", subject);
    add(kind + "_category", category);
    add(kind + "_total", total);
    const std::string cells = encode_cells(rows);
    add_bytes(kind + "_cells", std::as_bytes(std::span(cells)));
  }

  const app::Usage& usage_;
  std::string name_, arrays_;
};

}  // namespace

std::string encode_cells(const std::vector<UseRow>& rows) {
  std::string out;
  for (const UseRow& row : rows) encode(out, row);
  return out;
}

void write_usage_page(std::ostream& out, std::span<const app::Usage> usages) {
  out << page::head << "<title>" << for_html(usages.front().program) << ": usage</title>\n<style>\n"
      << page::style << page::usage_style << "</style>\n</head>\n"
      << page::usage_body;
  for (std::size_t i = 0; i < usages.size(); ++i) out << UsagePart(usages[i], i).make();
  out << "<script>\n\"use strict\";\nconst rehearse_version = \"" << app::version << "\";\n"
      << page::usage_script << "</script>\n</body>\n</html>\n";
}

}  // namespace rehearse::cli
