// SPDX-License-Identifier: MIT
//
// Tori: node x + a*y + a*b*z + ...; each node owns a cable to its neighbour in each dimension.
//
// Routing: dimension by dimension in order, in the shorter direction. If both directions are equally short, a node of
//          the lower half takes the one that does not wrap around, so that a dimension of size 2 uses one cable in both
//          directions.
#include "simcore/platform/limited_product.hpp"
#include "simcore/platform/topology.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::platform {

namespace {

class TorusTopology final : public Topology {
 public:
  explicit TorusTopology(const Torus& torus) : sizes_(torus.dimensions) {
    for (const std::uint32_t size : sizes_) leaves_ = limited_product(leaves_, size);
  }

  std::uint64_t leaf_count() const override { return leaves_; }
  std::uint64_t switch_count() const override { return 0; }
  std::uint64_t cable_count() const override { return limited_product(leaves_, sizes_.size()); }

  Cable cable(std::uint32_t number, const std::string& cluster) const override {
    const auto dimensions = static_cast<std::uint32_t>(sizes_.size());
    const std::uint32_t node = number / dimensions;
    std::uint32_t stride = 1;
    for (std::uint32_t d = 0; d < number % dimensions; ++d) stride *= sizes_[d];
    const std::uint32_t size = sizes_[number % dimensions];
    const std::uint32_t at = node / stride % size;
    const std::uint32_t next = node + (at + 1 == size ? 0 : at + 1) * stride - at * stride;
    return {fmt::format("{}_link_from_{}_to_{}", cluster, node, next)};
  }

  void route(std::uint32_t from, std::uint32_t to, RouteSink& sink) const override {
    const auto dimensions = static_cast<std::uint32_t>(sizes_.size());
    std::uint32_t stride = 1;
    std::uint32_t node = from;
    for (std::uint32_t d = 0; d < dimensions; stride *= sizes_[d++]) {
      const std::uint32_t size = sizes_[d];
      const std::uint32_t target = to / stride % size;
      std::uint32_t at = node / stride % size;
      if (at == target) continue;
      const bool is_upward = goes_upward(at, target, size);
      while (at != target) {
        const std::uint32_t next = is_upward ? (at + 1) % size : (at + size - 1) % size;
        const std::uint32_t neighbour = node + next * stride - at * stride;
        sink.visit(node);
        sink.cross((is_upward ? node : neighbour) * dimensions + d, is_upward);
        node = neighbour;
        at = next;
      }
    }
    sink.visit(to);
  }

 private:
  static bool goes_upward(std::uint32_t at, std::uint32_t target, std::uint32_t size) {
    const std::uint32_t steps = (target + size - at) % size;
    if (2 * steps != size) return 2 * steps < size;
    return !(target < at && at == size / 2);
  }

  std::vector<std::uint32_t> sizes_;
  std::uint64_t leaves_ = 1;
};

}  // namespace

std::unique_ptr<Topology> make_torus(const Torus& torus) { return std::make_unique<TorusTopology>(torus); }

}  // namespace rehearse::platform
