// SPDX-License-Identifier: MIT
//
// Writes nodes zone by zone, then edges.
#include "app/cli/report/platform_dot.hpp"

#include "app/cli/report/quantity.hpp"
#include "simcore/platform_wiring.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

constexpr std::size_t shown_links = 4;

std::string dot_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') quoted += "\\n";
    else quoted += c;
  }
  return quoted + "\"";
}

class DotText {
 public:
  DotText(const Platform& platform, std::size_t points_max)
      : platform_(platform), wiring_(wiring_of(platform, points_max)) {
    inside_.resize(platform.zones().size() + 1);
    children_.resize(platform.zones().size() + 1);
    for (std::uint32_t i = 0; i < wiring_.nodes.size(); ++i) inside_[slot(wiring_.nodes[i].zone)].push_back(i);
    for (std::uint32_t i = 0; i < platform.zones().size(); ++i)
      children_[slot(platform.zones()[i].parent)].push_back({i});
  }

  std::string text() {
    text_ = "graph " + dot_string(platform_.name()) + " {\n  node [fontsize=10];\n  edge [fontsize=8];\n";
    write_inside(0, "  ");
    for (const Wire& wire : wiring_.wires)
      text_ += fmt::format("  n{} -- n{} [label={}];\n", wire.from, wire.to, dot_string(label(wire)));
    return text_ + "}\n";
  }

 private:
  static std::size_t slot(std::optional<ZoneId> zone) { return zone ? std::size_t{zone->value} + 1 : 0; }

  bool is_empty(std::size_t zone) const {
    if (!inside_[zone].empty()) return false;
    for (const ZoneId child : children_[zone])
      if (!is_empty(slot(child))) return false;
    return true;
  }

  void write_inside(std::size_t zone, const std::string& indent) {
    for (const std::uint32_t node : inside_[zone]) write_node(node, indent);
    for (const ZoneId child : children_[zone]) {
      if (is_empty(slot(child))) continue;
      text_ += fmt::format("{0}subgraph cluster_{1} {{\n{0}  label={2};\n", indent, child.value,
                           dot_string(platform_.zones()[child.value].name));
      write_inside(slot(child), indent + "  ");
      text_ += indent + "}\n";
    }
  }

  void write_node(std::uint32_t number, const std::string& indent) {
    const WiringNode& node = wiring_.nodes[number];
    using Kind = WiringNode::Kind;
    std::string label = node.name;
    const char* shape = "ellipse";
    if (node.kind == Kind::host) {
      const Host& host = platform_.host({node.index});
      label += fmt::format("\n{} x {}", host.cores, as_speed(host.flops_per_second));
      shape = "box";
    } else if (node.kind == Kind::zone) {
      label += fmt::format("\n{} {}", node.hosts, node.hosts == 1 ? "host" : "hosts");
      shape = "box3d";
    } else if (node.kind == Kind::centre) {
      shape = label.empty() ? "point" : "diamond";
    }
    text_ += fmt::format("{}n{} [label={}, shape={}];\n", indent, number, dot_string(label), shape);
  }

  // The name of a link, without the ending of its direction if the other direction is there.
  std::string name_of(LinkId id) const {
    const std::string& name = platform_.link(id).name;
    const bool is_up = name.ends_with("_UP"), is_down = name.ends_with("_DOWN");
    if (!is_up && !is_down) return name;
    const std::string base = name.substr(0, name.size() - (is_up ? 3 : 5));
    return platform_.find_link(base + (is_up ? "_DOWN" : "_UP")) ? base : name;
  }

  std::string label(const Wire& wire) const {
    std::string text;
    for (std::size_t i = 0; i < wire.links.size() && i < shown_links; ++i) {
      const Link& link = platform_.link(wire.links[i]);
      text += fmt::format("{}{}\n{}, {}", text.empty() ? "" : "\n", name_of(wire.links[i]),
                          as_bandwidth(link.bytes_per_second), as_latency(link.latency_seconds));
    }
    if (wire.links.size() > shown_links) text += fmt::format("\nand {} more links", wire.links.size() - shown_links);
    return text;
  }

  const Platform& platform_;
  PlatformWiring wiring_;
  std::vector<std::vector<std::uint32_t>> inside_;  // nodes by zone; 0: outside all zones
  std::vector<std::vector<ZoneId>> children_;
  std::string text_;
};

}  // namespace

std::string platform_dot(const Platform& platform, std::size_t points_max) {
  return DotText(platform, points_max).text();
}

}  // namespace rehearse::cli
