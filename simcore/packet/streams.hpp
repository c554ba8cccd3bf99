// SPDX-License-Identifier: MIT
//
// The connections of transfers: those that persist, by ranks or hosts, and the equal route that each of them takes.
//
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simcore/cost_model.hpp"
#include "simcore/packet/parameters.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::packet {

// Transfers with the same key share a connection.
struct StreamKey {
  std::uint64_t connection = 0;
  HostId source, destination;
  auto operator<=>(const StreamKey&) const = default;
};

class Streams {
 public:
  // Nothing: the transfer has a connection of its own.
  static std::optional<StreamKey> key_of(const Transfer& transfer, const Parameters& parameters) {
    if (parameters.transport == Transport::raw || transfer.rate != unlimited) return std::nullopt;
    if (parameters.connections == ConnectionScope::message) return std::nullopt;
    if (parameters.connections == ConnectionScope::host) return StreamKey{0, transfer.source, transfer.destination};
    if (transfer.connection == 0) return std::nullopt;
    return StreamKey{transfer.connection, transfer.source, transfer.destination};
  }

  std::optional<std::uint32_t> find(const StreamKey& key) const {
    const auto found = connections_.find(key);
    return found == connections_.end() ? std::nullopt : std::optional(found->second);
  }
  void keep(const StreamKey& key, std::uint32_t connection) {
    connections_[key] = connection;
    if (connection >= keys_.size()) keys_.resize(connection + 1);
    keys_[connection] = key;
  }
  // The next transfer with this key opens another connection.
  void forget(std::uint32_t connection) {
    if (connection >= keys_.size()) return;
    const auto found = connections_.find(keys_[connection]);
    if (found != connections_.end() && found->second == connection) connections_.erase(found);
  }

  // The choice of one of several equal routes, for Route::choice, by the number of the connection.
  static std::uint64_t choice(const Parameters& parameters, HostId from, HostId to, std::uint64_t number) {
    if (!parameters.has_ecmp) return 0;
    SplitMix seed(parameters.seed);
    SplitMix pair(seed.next() ^ (std::uint64_t{from.value} << 32 | to.value));
    return SplitMix(pair.next() + number).next() | 1;
  }

 private:
  struct Hash {
    std::size_t operator()(const StreamKey& key) const {
      SplitMix first(key.connection),
          second(first.next() ^ (std::uint64_t{key.source.value} << 32 | key.destination.value));
      return second.next();
    }
  };

  std::unordered_map<StreamKey, std::uint32_t, Hash> connections_;
  std::vector<StreamKey> keys_;  // by connection
};

}  // namespace rehearse::packet
