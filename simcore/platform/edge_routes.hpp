// SPDX-License-Identifier: MIT
//
// Zones whose routes are described one by one: looked up (full), or composed to shortest paths.
//
// Lengths: the length of an edge is its number of links. Among paths of equal length, floyd takes the result of Floyd's
//          algorithm in the order of the points, and dijkstra the first path found. Zones of kind floyd with more than
//          512 points search as dijkstra does, because a table of all pairs would take seconds.
// Source:  Floyd, Algorithm 97, CACM 1962; Dijkstra, Numerische Mathematik 1, 1959.
// Threads: several threads may call append(); a lock protects its caches.
#pragma once

#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "simcore/platform/zone_tree.hpp"

namespace rehearse::platform {

struct Edge {
  std::uint32_t from = 0;  // local numbers
  std::uint32_t to = 0;
  std::uint32_t first_link = 0;  // index in the pool
  std::uint32_t link_count = 0;
  PointId source_gateway;
  PointId destination_gateway;
};

class EdgeRoutes final : public LocalRoutes {
 public:
  explicit EdgeRoutes(ZoneRouting routing) : routing_(routing) {}

  // Returns false if there is already an edge between these points.
  bool add(Edge edge, std::span<const LinkId> links);
  // To be called after the last add().
  void freeze(std::uint32_t points);

  bool append(const ZoneTree& tree, const Ends& ends, Route& route) const override;
  void describe(WiringBuilder& wiring) const override;

 private:
  using Path = std::vector<std::uint32_t>;  // edges
  static constexpr std::uint32_t none = ~0u;
  static constexpr std::uint32_t floyd_points_max = 512;

  const Edge* find(std::uint32_t from, std::uint32_t to) const;
  std::size_t slot(std::uint32_t from, std::uint32_t to) const;
  bool append_path(const ZoneTree& tree, const Ends& ends, std::span<const std::uint32_t> path, Route& route) const;
  bool find_path(std::uint32_t from, std::uint32_t to, Path& path) const;
  // For each point the last edge of the path to it; stops early at `to`.
  std::vector<std::uint32_t> search(std::uint32_t from, std::uint32_t to) const;
  std::vector<std::uint32_t> all_pairs() const;
  bool walk_back(std::span<const std::uint32_t> last, std::uint32_t from, std::uint32_t to, Path& path) const;

  ZoneRouting routing_;
  std::uint32_t points_ = 0;
  std::vector<Edge> edges_;
  std::vector<LinkId> pool_;
  std::vector<std::uint32_t> slots_;      // hash table of edges by their ends
  std::vector<std::uint32_t> outgoing_;   // edges ordered by their starts; empty for full
  std::vector<std::uint32_t> first_out_;  // by point: index of its first edge in outgoing_; one more than points
  mutable std::mutex lock_;
  mutable std::vector<std::uint32_t> pairs_;  // all_pairs(), computed on demand
  mutable std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_source_;
};

}  // namespace rehearse::platform
