// SPDX-License-Identifier: MIT
//
// Connects classes of messages (source and tag) by the patterns of receives.
#include "mc/predict/clusters.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace rehearse::mc::predict {

bool accepts(const Receive& receive, const Message& message) {
  const Pattern& pattern = receive.pattern;
  return receive.actor == message.destination && pattern.context == message.context &&
         (!pattern.source || pattern.source->value == message.source) && (!pattern.tag || *pattern.tag == message.tag);
}

namespace {

// The messages and receives of one actor in one context.
class Place {
 public:
  explicit Place(const Course& course) : course_(course) {}

  void add_message(Index m) { messages_.push_back(m); }
  void add_receive(Index r) { receives_.push_back(r); }

  void split(Index actor, const std::vector<bool>& is_timed, Clusters& clusters) {
    connect();
    std::map<std::size_t, Cluster> by_root;
    for (std::size_t i = 0; i < messages_.size(); ++i)
      by_root[root(class_of_message_[i])].messages.push_back(messages_[i]);
    for (std::size_t i = 0; i < receives_.size(); ++i)
      if (class_of_receive_[i] != nowhere) by_root[root(class_of_receive_[i])].receives.push_back(receives_[i]);
    for (auto& [where, cluster] : by_root) {
      cluster.actor = actor;
      settle(std::move(cluster), is_timed, clusters);
    }
  }

 private:
  static constexpr std::size_t nowhere = ~std::size_t{0};

  void connect() {
    std::map<std::pair<Index, Tag>, std::size_t> classes;
    for (const Index m : messages_) {
      const Message& message = course_.messages[m];
      class_of_message_.push_back(classes.try_emplace({message.source, message.tag}, classes.size()).first->second);
    }
    parent_.resize(classes.size());
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    using Key = std::tuple<std::optional<ActorId>, std::optional<Tag>>;
    std::map<Key, std::size_t> known;  // equal patterns
    for (const Index r : receives_) {
      const Pattern& pattern = course_.receives[r].pattern;
      const auto [at, is_new] = known.try_emplace(Key{pattern.source, pattern.tag}, nowhere);
      if (is_new)
        for (const auto& [name, number] : classes) {
          if (pattern.source && pattern.source->value != name.first) continue;
          if (pattern.tag && *pattern.tag != name.second) continue;
          if (at->second == nowhere) at->second = number;
          else parent_[root(number)] = root(at->second);
        }
      class_of_receive_.push_back(at->second);
    }
  }

  std::size_t root(std::size_t number) {
    while (parent_[number] != number) number = parent_[number] = parent_[parent_[number]];
    return number;
  }

  void settle(Cluster&& cluster, const std::vector<bool>& is_timed, Clusters& clusters) {
    const Index source = course_.messages[cluster.messages.front()].source;
    const bool has_one_source =
        std::ranges::all_of(cluster.messages, [&](Index m) { return course_.messages[m].source == source; });
    if (has_one_source && std::ranges::none_of(cluster.messages, [&](Index m) { return is_timed[m]; }))
      return pair_up(cluster, clusters);
    for (const Index m : cluster.messages) clusters.receive_of[m] = Clusters::open;
    for (const Index r : cluster.receives) clusters.message_of[r] = Clusters::open;
    const auto by_source = [&](Index a, Index b) {
      return std::pair(course_.messages[a].source, a) < std::pair(course_.messages[b].source, b);
    };
    std::ranges::sort(cluster.messages, by_source);
    clusters.undetermined.push_back(std::move(cluster));
  }

  void pair_up(const Cluster& cluster, Clusters& clusters) {
    std::size_t first = 0;  // messages before it are taken
    for (const Index r : cluster.receives) {
      while (first < cluster.messages.size() && clusters.receive_of[cluster.messages[first]] != none) ++first;
      for (std::size_t i = first; i < cluster.messages.size(); ++i) {
        const Index m = cluster.messages[i];
        if (clusters.receive_of[m] != none || !accepts(course_.receives[r], course_.messages[m])) continue;
        clusters.receive_of[m] = r;
        clusters.message_of[r] = m;
        break;
      }
    }
  }

  const Course& course_;
  std::vector<Index> messages_, receives_;
  std::vector<std::size_t> class_of_message_, class_of_receive_, parent_;
};

}  // namespace

Clusters clusters_of(const Course& course, const std::vector<bool>& is_timed) {
  Clusters clusters;
  clusters.receive_of.assign(course.messages.size(), none);
  clusters.message_of.assign(course.receives.size(), none);
  std::map<std::pair<Index, ContextId>, Place> places;
  const auto place = [&](Index actor, ContextId context) -> Place& {
    return places.try_emplace({actor, context}, course).first->second;
  };
  for (Index m = 0; m < course.messages.size(); ++m)
    place(course.messages[m].destination, course.messages[m].context).add_message(m);
  for (Index r = 0; r < course.receives.size(); ++r)
    place(course.receives[r].actor, course.receives[r].pattern.context).add_receive(r);
  for (auto& [where, each] : places) each.split(where.first, is_timed, clusters);
  return clusters;
}

}  // namespace rehearse::mc::predict
