// SPDX-License-Identifier: MIT
//
// Joins neighbours in posting order.
#include "mc/predict/groups.hpp"

#include <set>
#include <unordered_map>

namespace rehearse::mc::predict {

namespace {

// The first wait of an actor that needs each of its receives, and those whose completion alone matters.
struct Waits {
  std::unordered_map<Index, Index> first;
  std::set<Index> single;
};

Waits waits_of(const Course& course, Index actor) {
  Waits result;
  for (Index w = 0; w < course.waits[actor].size(); ++w) {
    for (const Request& need : course.waits[actor][w].needs)
      if (need.kind == Request::Kind::receive) result.first.try_emplace(need.index, w);
    for (const Request& one : course.waits[actor][w].among)
      if (one.kind == Request::Kind::receive) result.single.insert(one.index);
  }
  return result;
}

}  // namespace

std::vector<Group> groups_of(const Course& course, const Cluster& cluster, bool splits) {
  const Waits waits = waits_of(course, cluster.actor);
  const auto size_of = [&](const Receive& r) { return r.took == none ? 0 : course.messages[r.took].bytes; };
  const auto type_of = [&](const Receive& r) { return r.took == none ? 0 : course.messages[r.took].signature; };
  std::vector<Group> groups;
  for (const Index r : cluster.receives) {
    const auto found = waits.first.find(r);
    const Index wait = found == waits.first.end() ? none : found->second;
    const Receive& it = course.receives[r];
    bool joins = !splits && !groups.empty() && groups.back().wait == wait && wait != none && !waits.single.contains(r);
    if (joins) {
      const Receive& last = course.receives[groups.back().receives.back()];
      joins = last.segment == it.segment && last.pattern.source == it.pattern.source &&
              last.pattern.tag == it.pattern.tag && last.capacity == it.capacity && size_of(last) == size_of(it) &&
              type_of(last) == type_of(it) && !waits.single.contains(groups.back().receives.back());
    }
    if (!joins) groups.push_back({{}, wait});
    groups.back().receives.push_back(r);
  }
  return groups;
}

}  // namespace rehearse::mc::predict
