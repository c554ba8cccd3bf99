// SPDX-License-Identifier: MIT
//
// See neighbour_agreement.hpp.
#include "smpi/topology/neighbour_agreement.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "simcore/support/format.hpp"
#include "smpi/creation_site.hpp"

namespace rehearse::smpi {
namespace {

// Words of the remark: whether there are weights, the number of sources, the sources, the destinations, and the weights
// of both.
class Part {
 public:
  explicit Part(const Remark& remark) : text_(remark.text) {}

  bool is_known() const { return size() >= 2; }

  // The weights of the edges from, or to, this process, ascending; 0 for each if the graph has no weights.
  std::vector<int> from(int rank) const { return weights(0, sources(), rank); }
  std::vector<int> to(int rank) const { return weights(sources(), edges(), rank); }

 private:
  std::size_t size() const { return text_.size() / sizeof(int); }
  int word(std::size_t i) const {
    int value;
    std::memcpy(&value, text_.data() + i * sizeof value, sizeof value);
    return value;
  }
  std::size_t sources() const { return static_cast<std::size_t>(word(1)); }
  std::size_t edges() const { return (size() - 2) / (word(0) != 0 ? 2 : 1); }

  std::vector<int> weights(std::size_t begin, std::size_t end, int rank) const {
    std::vector<int> found;
    for (std::size_t i = begin; i < end; ++i)
      if (word(2 + i) == rank) found.push_back(word(0) != 0 ? word(2 + edges() + i) : 0);
    std::ranges::sort(found);
    return found;
  }

  std::span<const std::byte> text_;
};

std::string times(std::size_t edges) {
  return edges == 0 ? "not at all" : edges == 1 ? "once" : fmt::format("{} times", edges);
}

// "rank 0 names rank 1 as a destination once, and rank 1 names rank 0 as a source not at all"; empty: they agree.
std::string difference(int source, const std::vector<int>& given_by_source, int destination,
                       const std::vector<int>& given_by_destination) {
  if (given_by_source == given_by_destination) return "";
  if (given_by_source.size() != given_by_destination.size())
    return fmt::format("rank {0} names rank {1} as a destination {2}, and rank {1} names rank {0} as a source {3}",
                       source, destination, times(given_by_source.size()), times(given_by_destination.size()));
  return fmt::format("rank {0} gives the edge to rank {1} the weight {2}, and rank {1} gives it the weight {3}", source,
                     destination, list_text(given_by_source), list_text(given_by_destination));
}

}  // namespace

std::vector<int> neighbours_remark(const DistributedGraph& graph) {
  std::vector<int> words{graph.weighted ? 1 : 0, static_cast<int>(graph.sources.size())};
  const auto add = [&words](const std::vector<int>& more) { words.insert(words.end(), more.begin(), more.end()); };
  add(graph.sources);
  add(graph.destinations);
  add(graph.source_weights);
  add(graph.destination_weights);
  return words;
}

namespace {

// The first process whose description of the edges between it and process `me` differs. The search starts at `me`.
Disagreement disagreement_of(int me, const Communicator& communicator, std::span<const Remark> remarks) {
  const Part mine(remarks[static_cast<std::size_t>(me)]);
  for (int rank = me; rank < static_cast<int>(remarks.size()); ++rank) {
    const Remark& remark = remarks[static_cast<std::size_t>(rank)];
    const Part theirs(remark);
    if (!mine.is_known() || !theirs.is_known()) continue;
    std::string what = difference(me, mine.to(rank), rank, theirs.from(me));
    if (what.empty()) what = difference(rank, theirs.to(me), me, mine.from(rank));
    if (what.empty()) continue;
    const CreationSite there = rank == me ? CreationSite{} : site_of(remark.origin);  // an edge to itself
    return {"collective.neighbours", what, communicator.actor_of(rank), there};
  }
  return {};
}

}  // namespace

Disagreement compare_neighbours(const Communicator& communicator, std::span<const Remark> remarks) {
  const int me = communicator.rank();
  if (remarks.empty()) return {};
  Disagreement found = disagreement_of(me, communicator, remarks);
  for (int rank = 0; rank < me && found; ++rank)
    if (disagreement_of(rank, communicator, remarks)) return {};
  return found;
}

}  // namespace rehearse::smpi
