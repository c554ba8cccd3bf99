// SPDX-License-Identifier: MIT
//
// The common data of all current transfers from one host to another.
//
// Shape:   the table keeps the paths of pairs of hosts. When it is full, a path without transfers is replaced. Paths
//          form lists by source and by destination, for changes of a host, and tables by link, for changes of a link.
// Threads: none.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "simcore/platform.hpp"
#include "simcore/sharing/fluid.hpp"
#include "simcore/time.hpp"

namespace rehearse::network {

inline constexpr std::uint32_t no_index = ~0u;

struct Path {
  HostId source;
  HostId destination;
  bool exists = false;
  bool is_off = false;          // one of its links is off
  bool has_profiles = false;    // one of its links has a profile
  double distance_seconds = 0;  // the part of the latency that belongs to no link
  double latency_seconds = 0;
  double weight = 1;
  double window_bound = sharing::unbounded;   // from the transport protocol
  double fatpipe_bound = sharing::unbounded;  // from the narrowest fatpipe,
  LinkId fatpipe;                             // which is this link
  double least_bandwidth = sharing::unbounded;
  double first_bandwidth = sharing::unbounded;  // of the first link
  double store_seconds_per_byte = 0;            // of a frame that each link but the narrowest stores and forwards
  std::vector<LinkId> links;
  std::vector<LinkId> reverse;  // with cross-traffic only
  std::vector<sharing::Use> uses;
  std::vector<sharing::Use> meters;         // of fatpipes, while loads are watched
  std::uint32_t first_transfer = no_index;  // head of a list that the owner of the transfers keeps
  std::uint32_t transfers = 0;

  // The factors for the size that was requested last.
  struct Terms {
    double bytes = -1;
    bool has_envelope = false;
    double latency_seconds = 0;  // of the path
    Duration delay;
    double scale = 1;
    double amount = 0;         // of bytes on the links
    sharing::KnownWork known;  // of such a transfer without its own rate limit
  } last_terms;

  bool is_local() const { return source == destination; }
  double bound() const { return std::min(window_bound, fatpipe_bound); }
};

// Makes the paths of a network model.
class PathMaker {
 public:
  virtual ~PathMaker() = default;
  // Finds the links; called once, after source and destination are set.
  virtual void find(Path& path) = 0;
  // Computes all other members from the current state of the links. Called again after a change.
  virtual void refresh(Path& path) = 0;
};

class PathTable {
 public:
  PathTable(PathMaker& maker, std::size_t hosts, std::size_t most = 65536);

  // Finds or makes the path. This may evict a path without transfers, whose index becomes invalid.
  std::uint32_t find(HostId source, HostId destination) {
    const std::uint32_t recent = recent_[place_of(source, destination)];
    const bool is_it = recent < entries_.size() && entries_[recent].path.source == source &&
                       entries_[recent].path.destination == destination;
    return is_it ? recent : find_or_make(source, destination);
  }
  Path& operator[](std::uint32_t index) { return entries_[index].path; }

  // Call it for links that may change before the first path over them is made. A later call examines
  // all paths.
  void index_link(LinkId link);
  const std::vector<std::uint32_t>& paths_of(LinkId link);  // indexes the link

  template <class Function>
  void for_each_at(HostId host, const Function& function) {
    for (std::uint32_t i = heads_[host.value].by_source; i != no_index; i = entries_[i].source.next) function(i);
    for (std::uint32_t i = heads_[host.value].by_destination; i != no_index; i = entries_[i].destination.next)
      function(i);
  }

 private:
  struct Neighbours {
    std::uint32_t next = no_index;
    std::uint32_t previous = no_index;
  };
  struct Entry {
    Path path;
    Neighbours source;
    Neighbours destination;
  };
  struct Ends {
    HostId source;
    HostId destination;
    bool operator==(const Ends&) const = default;

    struct Hash {
      std::size_t operator()(const Ends& ends) const {
        return std::uint64_t{ends.source.value} << 32 | ends.destination.value;
      }
    };
  };
  struct Heads {
    std::uint32_t by_source = no_index;
    std::uint32_t by_destination = no_index;
  };

  static constexpr int recent_bits = 10;

  std::size_t place_of(HostId source, HostId destination) const {
    return (source.value * 0x9e3779b1u + destination.value * 0x85ebca77u) >> (32 - recent_bits);
  }
  std::uint32_t find_or_make(HostId source, HostId destination);
  std::uint32_t make_room();
  void enter(std::uint32_t index);
  void evict(std::uint32_t index);
  void note_links(std::uint32_t index);
  template <class Function>
  void for_each_link(const Path& path, const Function& function) const;

  PathMaker& maker_;
  std::size_t most_;
  std::vector<Entry> entries_;
  std::size_t hand_ = 0;  // where the next search for an entry to evict continues
  std::vector<Heads> heads_;
  std::unordered_map<Ends, std::uint32_t, Ends::Hash> index_of_;
  std::array<std::uint32_t, 1 << recent_bits> recent_{};  // cache of find(), by both ends; may be out of date
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> paths_of_link_;
};

}  // namespace rehearse::network
