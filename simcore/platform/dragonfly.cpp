// SPDX-License-Identifier: MIT
//
// Dragonflies: nodes on blades (one router each), blades in chassis, chassis in groups. Cables connect all blades of a
// chassis, all chassis of a group (between blades with the same number), and all groups.
//
// Routing: minimal. In a group first inside the chassis (green), then between chassis (black). The cables to group g
//          (blue) start at router g of each group, numbered over its chassis, modulo the number of routers.
//          With --compat simgrid, as SimGrid 3.32 routes: after a move inside the last chassis, SimGrid confuses the
//          router with one of the first chassis of the group. From there it continues to the target's chassis, even if
//          it never left it.
// Shape:   parallel cables are modelled as one with the bandwidth of all.
// Source:  Kim, Dally, Scott, Abts, ISCA 2008; groups as in the Cray XC (Faanes et al., SC 2012).
#include <algorithm>

#include "simcore/platform/limited_product.hpp"
#include "simcore/platform/topology.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::platform {

namespace {

std::uint64_t pairs(std::uint64_t count) { return limited_product(count, count - 1) / 2; }

// The pair a < b of `count` in the order (0,1) (0,2) .. (1,2) ..
std::uint64_t pair_index(std::uint64_t count, std::uint64_t a, std::uint64_t b) {
  return a * (2 * count - a - 1) / 2 + (b - a - 1);
}

std::pair<std::uint64_t, std::uint64_t> pair_at(std::uint64_t count, std::uint64_t index) {
  std::uint64_t a = 0;
  while (index >= count - a - 1) index -= count - 1 - a++;
  return {a, a + 1 + index};
}

struct Router {
  std::uint64_t group, chassis, blade;
};

class DragonflyTopology final : public Topology {
 public:
  explicit DragonflyTopology(const Dragonfly& d) : d_(d) {
    per_group_ = limited_product(d.chassis, d.blades);
    routers_ = limited_product(d.groups, per_group_);
    leaves_ = limited_product(routers_, d.nodes);
    const std::uint64_t all_chassis = limited_product(d.groups, d.chassis);
    first_green_ = leaves_;
    first_black_ = limited_sum(first_green_, limited_product(all_chassis, pairs(d.blades)));
    const std::uint64_t black = limited_product(pairs(d.chassis), d.blades);
    first_blue_ = limited_sum(first_black_, limited_product(d.groups, black));
    cables_ = limited_sum(first_blue_, pairs(d.groups));
  }

  std::uint64_t leaf_count() const override { return leaves_; }
  std::uint64_t switch_count() const override { return routers_; }
  std::uint64_t cable_count() const override { return cables_; }
  bool needs_loopback() const override { return false; }

  Cable cable(std::uint32_t number, const std::string&) const override {
    if (number < first_green_)
      return {fmt::format("local_link_from_router_{}_to_node_{}_{}", number / d_.nodes, number % d_.nodes, number)};
    if (number < first_black_) {
      const std::uint64_t index = number - first_green_;
      const auto [a, b] = pair_at(d_.blades, index % pairs(d_.blades));
      return {fmt::format("green_link_in_chassis_{}_between_routers_{}_and_{}_{}",
                          index / pairs(d_.blades) % d_.chassis, a, b, number),
              static_cast<double>(d_.green)};
    }
    if (number < first_blue_) {
      const std::uint64_t index = number - first_black_;
      const std::uint64_t in_group = pairs(d_.chassis) * d_.blades;
      const auto [a, b] = pair_at(d_.chassis, index % in_group / d_.blades);
      return {fmt::format("black_link_in_group_{}_between_chassis_{}_and_{}_blade_{}_{}", index / in_group, a, b,
                          index % d_.blades, number),
              static_cast<double>(d_.black)};
    }
    const auto [a, b] = pair_at(d_.groups, number - first_blue_);
    return {fmt::format("blue_link_between_group_{}_and_{}_routers_{}_and_{}_{}", a, b, number_of(gate(a, b)),
                        number_of(gate(b, a)), number),
            static_cast<double>(d_.blue)};
  }

  void route(std::uint32_t from, std::uint32_t to, RouteSink& sink) const override {
    Router at = router(from / d_.nodes);
    const Router target = router(to / d_.nodes);
    sink.visit(from);
    sink.cross(from, true);
    if (at.group != target.group) {
      move(at, gate(at.group, target.group), sink);
      const bool forward = at.group < target.group;
      const auto [low, high] = std::minmax(at.group, target.group);
      sink.cross(static_cast<std::uint32_t>(first_blue_ + pair_index(d_.groups, low, high)), forward);
      visit(at, sink);
      at = gate(target.group, at.group);
    }
    move(at, target, sink, d_.routes == RoutesOf::the_program);
    visit(at, sink);
    sink.cross(to, false);
    sink.visit(to);
  }

  // Its routes visit gates after the cables between groups.
  void draw_cables(const DrawCable& draw) const override {
    const auto node = [this](const Router& r) { return static_cast<std::uint32_t>(leaves_ + number_of(r)); };
    const auto cable = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
    for (std::uint32_t leaf = 0; leaf < leaves_; ++leaf) draw(leaf, leaf, node(router(leaf / d_.nodes)));
    for (std::uint64_t group = 0; group < d_.groups; ++group)
      for (std::uint64_t chassis = 0; chassis < d_.chassis; ++chassis)
        for (std::uint64_t blade = 0; blade < d_.blades; ++blade) {
          const Router at{group, chassis, blade};
          for (std::uint64_t other = blade + 1; other < d_.blades; ++other)
            draw(cable(first_green_ + (group * d_.chassis + chassis) * pairs(d_.blades) +
                       pair_index(d_.blades, blade, other)),
                 node(at), node({group, chassis, other}));
          for (std::uint64_t other = chassis + 1; other < d_.chassis; ++other)
            draw(cable(first_black_ + (group * pairs(d_.chassis) + pair_index(d_.chassis, chassis, other)) * d_.blades +
                       blade),
                 node(at), node({group, other, blade}));
        }
    for (std::uint64_t low = 0; low < d_.groups; ++low)
      for (std::uint64_t high = low + 1; high < d_.groups; ++high)
        draw(cable(first_blue_ + pair_index(d_.groups, low, high)), node(gate(low, high)), node(gate(high, low)));
  }

 private:
  Router router(std::uint64_t number) const {
    return {number / per_group_, number / d_.blades % d_.chassis, number % d_.blades};
  }
  std::uint64_t number_of(const Router& r) const { return r.group * per_group_ + r.chassis * d_.blades + r.blade; }
  // The router of a group from which another group is reached.
  Router gate(std::uint64_t group, std::uint64_t other) const {
    return router(group * per_group_ + other % per_group_);
  }
  void visit(const Router& r, RouteSink& sink) const { sink.visit(static_cast<std::uint32_t>(leaves_ + number_of(r))); }

  // Moves within a group. Visits each router that it leaves, but not the last one.
  void move(Router& at, const Router& target, RouteSink& sink, bool forgets_chassis = false) const {
    if (at.blade != target.blade) {
      visit(at, sink);
      const auto [low, high] = std::minmax(at.blade, target.blade);
      const std::uint64_t chassis = at.group * d_.chassis + at.chassis;
      sink.cross(static_cast<std::uint32_t>(first_green_ + chassis * pairs(d_.blades) +
                                            pair_index(d_.blades, low, high)),
                 at.blade < target.blade);
      at.blade = target.blade;
      if (forgets_chassis) at.chassis = 0;
    }
    if (at.chassis != target.chassis) {
      visit(at, sink);
      const auto [low, high] = std::minmax(at.chassis, target.chassis);
      const std::uint64_t pair = at.group * pairs(d_.chassis) + pair_index(d_.chassis, low, high);
      sink.cross(static_cast<std::uint32_t>(first_black_ + pair * d_.blades + at.blade), at.chassis < target.chassis);
      at.chassis = target.chassis;
    }
  }

  Dragonfly d_;
  std::uint64_t per_group_ = 1, routers_ = 1, leaves_ = 1;
  std::uint64_t first_green_ = 0, first_black_ = 0, first_blue_ = 0, cables_ = 0;
};

}  // namespace

std::unique_ptr<Topology> make_dragonfly(const Dragonfly& dragonfly) {
  return std::make_unique<DragonflyTopology>(dragonfly);
}

}  // namespace rehearse::platform
