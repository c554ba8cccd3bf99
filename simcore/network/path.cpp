// SPDX-License-Identifier: MIT
//
// The table of paths.
#include "simcore/network/path.hpp"

#include <algorithm>

namespace rehearse::network {

PathTable::PathTable(PathMaker& maker, std::size_t hosts, std::size_t most)
    : maker_(maker), most_(most), heads_(hosts) {}

std::uint32_t PathTable::find_or_make(HostId source, HostId destination) {
  std::uint32_t& recent = recent_[place_of(source, destination)];
  const auto known = index_of_.find({source, destination});
  if (known != index_of_.end()) return recent = known->second;
  const std::uint32_t index = make_room();
  recent = index;
  Path& path = entries_[index].path;
  path.source = source;
  path.destination = destination;
  path.exists = false;
  path.links.clear();
  path.reverse.clear();
  maker_.find(path);
  if (path.exists) maker_.refresh(path);
  enter(index);
  return index;
}

// The index of an empty entry, of a new one, or of an evicted path without transfers.
std::uint32_t PathTable::make_room() {
  if (entries_.size() >= most_) {
    for (std::size_t tried = 0; tried < entries_.size(); ++tried) {
      hand_ = (hand_ + 1) % entries_.size();
      if (entries_[hand_].path.transfers > 0) continue;
      evict(static_cast<std::uint32_t>(hand_));
      return static_cast<std::uint32_t>(hand_);
    }
  }
  entries_.emplace_back();
  return static_cast<std::uint32_t>(entries_.size() - 1);
}

void PathTable::enter(std::uint32_t index) {
  Entry& entry = entries_[index];
  index_of_.emplace(Ends{entry.path.source, entry.path.destination}, index);
  std::uint32_t& of_source = heads_[entry.path.source.value].by_source;
  entry.source = {of_source, no_index};
  if (of_source != no_index) entries_[of_source].source.previous = index;
  of_source = index;
  std::uint32_t& of_destination = heads_[entry.path.destination.value].by_destination;
  entry.destination = {of_destination, no_index};
  if (of_destination != no_index) entries_[of_destination].destination.previous = index;
  of_destination = index;
  note_links(index);
}

void PathTable::evict(std::uint32_t index) {
  Entry& entry = entries_[index];
  index_of_.erase({entry.path.source, entry.path.destination});
  const auto unlink = [&](Neighbours Entry::*side, std::uint32_t& head) {
    const Neighbours at = entry.*side;
    (at.previous == no_index ? head : (entries_[at.previous].*side).next) = at.next;
    if (at.next != no_index) (entries_[at.next].*side).previous = at.previous;
  };
  unlink(&Entry::source, heads_[entry.path.source.value].by_source);
  unlink(&Entry::destination, heads_[entry.path.destination.value].by_destination);
  if (paths_of_link_.empty()) return;
  for_each_link(entry.path, [&](LinkId link) {
    if (const auto paths = paths_of_link_.find(link.value); paths != paths_of_link_.end())
      std::erase(paths->second, index);
  });
}

// Calls function(link) once for each link.
template <class Function>
void PathTable::for_each_link(const Path& path, const Function& function) const {
  std::vector<LinkId> links = path.links;
  links.insert(links.end(), path.reverse.begin(), path.reverse.end());
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  for (const LinkId link : links) function(link);
}

void PathTable::note_links(std::uint32_t index) {
  if (paths_of_link_.empty()) return;
  for_each_link(entries_[index].path, [&](LinkId link) {
    if (const auto paths = paths_of_link_.find(link.value); paths != paths_of_link_.end())
      paths->second.push_back(index);
  });
}

void PathTable::index_link(LinkId link) {
  const auto [paths, is_new] = paths_of_link_.try_emplace(link.value);
  if (!is_new) return;
  for (const auto& [ends, index] : index_of_)
    for_each_link(entries_[index].path, [&, list = &paths->second](LinkId crossed) {
      if (crossed == link) list->push_back(index);
    });
  std::sort(paths->second.begin(), paths->second.end());  // the order must not depend on the hash table
}

const std::vector<std::uint32_t>& PathTable::paths_of(LinkId link) {
  index_link(link);
  return paths_of_link_.at(link.value);
}

}  // namespace rehearse::network
