// SPDX-License-Identifier: MIT
//
// Extended generalised fat trees with d-mod-k routing.
//
// Shape:   level 0 are the leaves. A node of level l is (a, b). The number a consists of the digits in bases down[l],
//          down[l+1] ... that the node has in common with the leaves below it. The number b has digits in bases up[0]
//          .. up[l-1] and distinguishes the nodes with the same leaves. The index in the level is
//          a * (product of up) + b.
// Routing: up to the first common ancestor, to parent d mod up over cable d / up for
//          d = (destination / product of up below) mod (up * ports); then down, over the cable
//          source mod ports.
// Source:  Oehring, Ibel, Das, Kumar, IPPS 1995 (the family of trees); Zahavi, "D-Mod-K routing
//          providing non-blocking traffic for shift permutations on real life fat trees", 2010.
#include "simcore/platform/limited_product.hpp"
#include "simcore/platform/topology.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::platform {

namespace {

class FatTreeTopology final : public Topology {
 public:
  explicit FatTreeTopology(const FatTree& tree) : tree_(tree) {
    const std::size_t levels = tree_.down.size();
    for (std::size_t l = 0; l <= levels; ++l) {
      std::uint64_t nodes = twins(l);
      for (std::size_t i = l; i < levels; ++i) nodes = limited_product(nodes, tree_.down[i]);
      nodes_.push_back(nodes);
      if (l > 0) switches_ = limited_sum(switches_, nodes);
    }
    std::uint64_t cables = 0;
    for (std::size_t l = 0; l < levels; ++l) {
      first_cable_.push_back(cables);
      cables = limited_sum(cables, limited_product(nodes_[l], cables_up(l)));
    }
    first_cable_.push_back(cables);
  }

  std::uint64_t leaf_count() const override { return nodes_[0]; }
  std::uint64_t switch_count() const override { return switches_; }
  std::uint64_t cable_count() const override { return first_cable_.back(); }

  Cable cable(std::uint32_t number, const std::string&) const override {
    std::size_t l = 0;
    while (number >= first_cable_[l + 1]) ++l;
    const std::uint64_t lower = (number - first_cable_[l]) / cables_up(l);
    const std::uint64_t b = (number - first_cable_[l]) % cables_up(l) / tree_.ports[l];
    const std::uint64_t upper = parent(l, lower, b);
    return {fmt::format("link_from_{}_{}_{}", label(node(l, lower)), label(node(l + 1, upper)), number)};
  }

  void route(std::uint32_t from, std::uint32_t to, RouteSink& sink) const override {
    walk(
        from, to, sink, [&](std::size_t level) { return to / twins(level) % cables_up(level); },
        [&](std::size_t level) { return from % tree_.ports[level]; });
  }

  // At each level any cable up leads to a common ancestor, and any of parallel cables down to the same switch.
  void route(std::uint32_t from, std::uint32_t to, std::uint64_t choice, RouteSink& sink) const override {
    SplitMix random(choice);
    walk(
        from, to, sink, [&](std::size_t level) { return random.below(cables_up(level)); },
        [&](std::size_t level) { return random.below(tree_.ports[level]); });
  }

 private:
  template <class Up, class Port>
  void walk(std::uint32_t from, std::uint32_t to, RouteSink& sink, const Up& cable_up, const Port& port_down) const {
    std::size_t l = 0;
    std::uint64_t at = from, below = 1;
    for (; at / twins(l) != to / below; below *= tree_.down[l++]) {
      const std::uint64_t d = cable_up(l);
      const std::uint64_t b = d % tree_.up[l];
      sink.visit(node(l, at));
      sink.cross(cable_number(l, at, b, d / tree_.up[l]), true);
      at = parent(l, at, b);
    }
    while (l > 0) {
      --l;
      below /= tree_.down[l];
      const std::uint64_t b = at % tree_.up[l];
      const std::uint64_t lower = to / below * twins(l) + at % twins(l + 1) / tree_.up[l];
      sink.visit(node(l + 1, at));
      sink.cross(cable_number(l, lower, b, port_down(l)), false);
      at = lower;
    }
    sink.visit(to);
  }
  // The number of nodes of a level with the same leaves below them.
  std::uint64_t twins(std::size_t level) const {
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < level; ++i) count = limited_product(count, tree_.up[i]);
    return count;
  }
  std::uint64_t cables_up(std::size_t level) const { return limited_product(tree_.up[level], tree_.ports[level]); }
  std::uint64_t parent(std::size_t level, std::uint64_t index, std::uint64_t b) const {
    const std::uint64_t a = index / twins(level), twin = index % twins(level);
    return a / tree_.down[level] * twins(level + 1) + twin * tree_.up[level] + b;
  }
  std::uint32_t cable_number(std::size_t level, std::uint64_t lower, std::uint64_t b, std::uint64_t port) const {
    return static_cast<std::uint32_t>(first_cable_[level] + lower * cables_up(level) + b * tree_.ports[level] + port);
  }
  // The number of a node among all leaves and switches.
  std::uint32_t node(std::size_t level, std::uint64_t index) const {
    for (std::size_t l = 0; l < level; ++l) index += nodes_[l];
    return static_cast<std::uint32_t>(index);
  }

  FatTree tree_;
  std::vector<std::uint64_t> nodes_;        // of each level
  std::vector<std::uint64_t> first_cable_;  // between each level and the next
  std::uint64_t switches_ = 0;
};

}  // namespace

std::unique_ptr<Topology> make_fat_tree(const FatTree& tree) { return std::make_unique<FatTreeTopology>(tree); }

}  // namespace rehearse::platform
