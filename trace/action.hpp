// SPDX-License-Identifier: MIT
//
// One action of a rank in a trace, as every format gives it.
//
// Units:     bytes, flops, seconds.
// Ownership: `segments` and `text` point into the reader and are valid until it reads on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "simcore/ids.hpp"
#include "simcore/operation.hpp"

namespace rehearse::trace {

// By which a trace without request numbers names a request: world ranks, and the tag as it was recorded.
struct RequestName {
  std::int32_t source = 0;
  std::int32_t destination = 0;
  std::int32_t tag = 0;
  bool operator==(const RequestName&) const = default;
};

// Any rank, any tag.
inline constexpr std::int32_t any = -1;

// The name of every nonblocking collective.
inline constexpr RequestName collective_name{-333, -333, -4446};

// Whether this name means an open request. One from any source has any name with its destination.
inline bool is_meant(const RequestName& open, const RequestName& name) {
  if (open == collective_name || name == collective_name) return open == name;
  return open == name || (open.source == any && open.destination == name.destination);
}

struct SendAction {
  std::uint32_t destination = 0;  // world rank
  Tag tag = 0;
  std::uint64_t bytes = 0;
  SendMode mode = SendMode::standard;
  bool blocking = true;
  RequestName name = {};  // unless blocking
};

struct ReceiveAction {
  std::optional<std::uint32_t> source;  // world rank; empty: any
  std::optional<Tag> tag;
  std::optional<std::uint64_t> bytes;  // empty: the trace does not say
  bool blocking = true;
  RequestName name = {};  // unless blocking
};

// A send and a receive at the same time, blocking.
struct ExchangeAction {
  SendAction send;
  ReceiveAction receive;
};

struct ComputeAction {
  double flops = 0;
};

struct SleepAction {
  double seconds = 0;
};

// Waits for the oldest open request of this name.
struct WaitAction {
  RequestName name;
  bool is_test = false;  // that was answered yes
};

struct WaitAllAction {};
struct WaitAnyAction {};

struct CollectiveAction {
  std::string_view name;  // as actions are called in time-independent traces; static storage
  CollectiveKind kind = CollectiveKind::barrier;
  Flow flow = Flow::all_to_all;
  std::uint32_t root = 0;  // index into the members
  bool combining = false;
  std::uint64_t elements = 0;               // see CollectiveHints
  std::uint64_t bytes = 0;                  // of the contribution
  std::uint64_t total_bytes = 0;            // see CollectiveHints
  std::span<const std::uint64_t> segments;  // of the contribution, by member; empty: all for all
  std::uint64_t named_bytes = 0;            // of a broadcast: also in members that contribute nothing
  std::uint64_t received_bytes = 0;         // of a scatter: the part of the rank
  // By member: the contributions to an allgatherv, or to a gatherv at its root; the parts for the rank of an alltoallv.
  // Empty: unknown.
  std::span<const std::uint64_t> blocks;
  std::uint64_t agreement = 0;  // a number that is the same in all members; 0: unknown
  double flops = 0;             // computed by the rank behind it
  bool blocking = true;
};

using AnyAction = std::variant<ComputeAction, SleepAction, SendAction, ReceiveAction, ExchangeAction, WaitAction,
                               WaitAllAction, WaitAnyAction, CollectiveAction>;

struct Action {
  AnyAction what = ComputeAction{};
  std::uint32_t communicator = 0;  // index into the communicators of the trace (communicators.hpp)
  std::uint32_t member = 0;        // of the rank, in this communicator
  std::uint64_t line = 0;          // of the file; 0: the format has none
  std::uint32_t site = 0;          // place of the call, see Trace::site_name(); 0: unknown
};

}  // namespace rehearse::trace
