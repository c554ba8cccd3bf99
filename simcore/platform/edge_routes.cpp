// SPDX-License-Identifier: MIT
//
// Looks up edges by their ends, and finds shortest paths.
#include "simcore/platform/edge_routes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>

#include "simcore/platform/wiring_builder.hpp"

namespace rehearse::platform {

namespace {

constexpr std::uint64_t unreached = std::numeric_limits<std::uint64_t>::max();

// Limit on the cached searches of a zone, in entries.
constexpr std::size_t cache_entries_max = std::size_t{1} << 25;

std::uint64_t hash(std::uint32_t from, std::uint32_t to) {
  std::uint64_t key = (std::uint64_t{from} << 32 | to) * 0x9e3779b97f4a7c15u;
  return key ^ (key >> 29);
}

}  // namespace

std::size_t EdgeRoutes::slot(std::uint32_t from, std::uint32_t to) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash(from, to) & mask;
  while (slots_[at] != none && (edges_[slots_[at]].from != from || edges_[slots_[at]].to != to)) at = (at + 1) & mask;
  return at;
}

const Edge* EdgeRoutes::find(std::uint32_t from, std::uint32_t to) const {
  if (slots_.empty()) return nullptr;
  const std::uint32_t edge = slots_[slot(from, to)];
  return edge == none ? nullptr : &edges_[edge];
}

bool EdgeRoutes::add(Edge edge, std::span<const LinkId> links) {
  if (find(edge.from, edge.to) != nullptr) return false;
  edge.first_link = static_cast<std::uint32_t>(pool_.size());
  edge.link_count = static_cast<std::uint32_t>(links.size());
  pool_.insert(pool_.end(), links.begin(), links.end());
  if ((edges_.size() + 1) * 3 > slots_.size() * 2) {
    slots_.assign(std::max<std::size_t>(16, slots_.size() * 2), none);
    for (std::uint32_t i = 0; i < edges_.size(); ++i) slots_[slot(edges_[i].from, edges_[i].to)] = i;
  }
  const std::size_t at = slot(edge.from, edge.to);
  slots_[at] = static_cast<std::uint32_t>(edges_.size());
  edges_.push_back(edge);
  return true;
}

void EdgeRoutes::freeze(std::uint32_t points) {
  points_ = points;
  if (routing_ == ZoneRouting::full) return;
  outgoing_.resize(edges_.size());
  std::iota(outgoing_.begin(), outgoing_.end(), 0u);
  std::sort(outgoing_.begin(), outgoing_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return std::pair(edges_[a].from, edges_[a].to) < std::pair(edges_[b].from, edges_[b].to);
  });
  first_out_.assign(points_ + 1, 0);
  for (const Edge& edge : edges_) ++first_out_[edge.from + 1];
  std::partial_sum(first_out_.begin(), first_out_.end(), first_out_.begin());
}

bool EdgeRoutes::append(const ZoneTree& tree, const Ends& ends, Route& route) const {
  if (routing_ == ZoneRouting::full || ends.from == ends.to) {
    if (const Edge* edge = find(ends.from, ends.to)) {
      const auto index = static_cast<std::uint32_t>(edge - edges_.data());
      return append_path(tree, ends, {&index, 1}, route);
    }
    if (ends.from == ends.to) route.links.push_back(tree.loopback());
    return ends.from == ends.to;
  }
  Path path;
  return find_path(ends.from, ends.to, path) && append_path(tree, ends, path, route);
}

// Appends the edges of the path, and the routes inside the zones at its ends and between its edges.
bool EdgeRoutes::append_path(const ZoneTree& tree, const Ends& ends, std::span<const std::uint32_t> path,
                             Route& route) const {
  PointId at = ends.source;
  for (const std::uint32_t step : path) {
    const Edge& edge = edges_[step];
    if (at != edge.source_gateway && !tree.append_between(at, edge.source_gateway, route)) return false;
    const auto first = pool_.begin() + edge.first_link;
    route.links.insert(route.links.end(), first, first + edge.link_count);
    at = edge.destination_gateway;
  }
  return at == ends.destination || tree.append_between(at, ends.destination, route);
}

bool EdgeRoutes::walk_back(std::span<const std::uint32_t> last, std::uint32_t from, std::uint32_t to,
                           Path& path) const {
  for (std::uint32_t at = to; at != from; at = edges_[path.back()].from) {
    if (last[at] == none) return false;
    path.push_back(last[at]);
  }
  std::reverse(path.begin(), path.end());
  return true;
}

bool EdgeRoutes::find_path(std::uint32_t from, std::uint32_t to, Path& path) const {
  if (routing_ == ZoneRouting::dijkstra) return walk_back(search(from, to), from, to, path);
  const std::lock_guard guard(lock_);
  if (routing_ == ZoneRouting::floyd && points_ <= floyd_points_max) {
    if (pairs_.empty()) pairs_ = all_pairs();
    return walk_back(std::span(pairs_).subspan(std::size_t{from} * points_, points_), from, to, path);
  }
  if (by_source_.size() * points_ > cache_entries_max) by_source_.clear();
  std::vector<std::uint32_t>& last = by_source_[from];
  if (last.empty()) last = search(from, none);
  return walk_back(last, from, to, path);
}

std::vector<std::uint32_t> EdgeRoutes::search(std::uint32_t from, std::uint32_t to) const {
  using Reached = std::pair<std::uint64_t, std::uint32_t>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> frontier;
  std::vector<std::uint64_t> length(points_, unreached);
  std::vector<std::uint32_t> last(points_, none);
  length[from] = 0;
  frontier.push({0, from});
  while (!frontier.empty() && frontier.top().second != to) {
    const auto [so_far, at] = frontier.top();
    frontier.pop();
    if (so_far > length[at]) continue;
    for (std::uint32_t i = first_out_[at]; i < first_out_[at + 1]; ++i) {
      const Edge& edge = edges_[outgoing_[i]];
      const std::uint64_t longer = so_far + edge.link_count;
      if (edge.to == from || longer >= length[edge.to]) continue;
      length[edge.to] = longer;
      last[edge.to] = outgoing_[i];
      frontier.push({longer, edge.to});
    }
  }
  return last;
}

std::vector<std::uint32_t> EdgeRoutes::all_pairs() const {
  const std::size_t n = points_;
  std::vector<std::uint64_t> length(n * n, unreached);
  std::vector<std::uint32_t> last(n * n, none);
  for (std::uint32_t i = 0; i < edges_.size(); ++i) {
    if (edges_[i].from == edges_[i].to) continue;
    length[edges_[i].from * n + edges_[i].to] = edges_[i].link_count;
    last[edges_[i].from * n + edges_[i].to] = i;
  }
  for (std::size_t by = 0; by < n; ++by)
    for (std::size_t a = 0; a < n; ++a) {
      if (a == by || length[a * n + by] == unreached) continue;
      for (std::size_t b = 0; b < n; ++b) {
        if (b == a || length[by * n + b] == unreached) continue;
        const std::uint64_t through = length[a * n + by] + length[by * n + b];
        if (through >= length[a * n + b]) continue;
        length[a * n + b] = through;
        last[a * n + b] = last[by * n + b];
      }
    }
  return last;
}

// A route and its reverse are one wire.
void EdgeRoutes::describe(WiringBuilder& wiring) const {
  for (const Edge& edge : edges_) {
    if (edge.from == edge.to || (edge.from > edge.to && find(edge.to, edge.from) != nullptr)) continue;
    const auto first = pool_.begin() + edge.first_link;
    wiring.wire(edge.source_gateway, edge.destination_gateway, {first, first + edge.link_count});
  }
}

}  // namespace rehearse::platform
