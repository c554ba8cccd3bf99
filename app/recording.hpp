// SPDX-License-Identifier: MIT
//
// The events of a timed run as data: the calls of each rank with their places, the messages between them, computation,
// and the use of links. Timelines, charts and reports are made from it.
//
// Shape:  intervals in the order of their ends, those that never ended last. The intervals of one rank are in the order
//         of time and do not overlap. Messages are in the order of their first events. A text, place or collective is
//         given by its number in its table; text 0 is empty, place 0 unknown, and `none` is no number.
// Memory: about 64 bytes for an interval, 56 for a message; equal texts are stored once.
// Units:  bytes, flops; rates of links in bytes per second.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/string_table.hpp"
#include "simcore/ids.hpp"
#include "simcore/operation.hpp"
#include "simcore/outcome.hpp"
#include "simcore/platform.hpp"
#include "simcore/time.hpp"

namespace rehearse::app {

inline constexpr std::uint32_t none = ~0u;

// The activity of a rank in an interval. For a call with several activities, the most specific one.
enum class Doing : std::uint8_t { computation, pause, other, probe, wait, send, receive, exchange, collective };
inline constexpr std::uint32_t doings = 9;
std::string_view name_of(Doing doing);

struct Interval {
  std::uint32_t rank = 0;
  std::uint32_t text = 0;    // the call with its arguments; empty for a computation
  std::uint32_t place = 0;   // of the call
  std::uint32_t region = 0;  // text: the name that the program gave the region
  std::uint32_t collective = none;
  std::uint32_t times = 1;  // equal calls that took no time, one after the other
  TimePoint begin, end;     // if it never ended: the end of the run
  std::uint64_t bytes = 0;  // contribution to a collective
  double flops = 0;         // of a computation that the program or trace asks for; 0: unknown
  Doing doing = Doing::other;
  bool is_open = false;  // the rank never leaves it
};

struct RecordedMessage {
  std::uint32_t source = 0;  // rank
  std::uint32_t destination = 0;
  std::uint32_t sender = none;    // interval of the call that started it
  std::uint32_t receiver = none;  // interval of the call that started the receive; none: never received
  std::uint32_t sender_end = none, receiver_end = none;  // intervals of the last waits or tests for them; none: no such
  Tag tag = 0;
  std::uint32_t context = 0;  // number of the context among those of the recording
  std::uint64_t bytes = 0;
  TimePoint sent, arrived;  // if never received: arrived is the end of the run
};

struct RecordedCollective {
  std::uint32_t name = 0;  // text
  std::uint32_t context = 0;
  std::uint64_t number = 0;  // of earlier ones in this context
  CollectiveKind kind = CollectiveKind::by_flow;
  std::uint32_t root = none;  // index into the members, the ranks with an interval of it; none: not rooted
};

// A nonblocking collective of a rank.
struct RecordedCompletion {
  std::uint32_t start = 0;   // interval
  std::uint32_t end = none;  // interval of the last wait or test for it; none: no such
};

// A message inside a collective.
struct RecordedPassage {
  std::uint32_t source = 0, destination = 0;  // ranks
  std::uint64_t bytes = 0;
  TimePoint sent, arrived;
};

struct RecordedPlace {
  std::uint32_t function = 0;  // texts
  std::uint32_t file = 0;
  int line = 0;
  auto operator<=>(const RecordedPlace&) const = default;
};

// The end of a rank.
struct RecordedStop {
  HostId host;
  ActorOutcome::State state = ActorOutcome::State::ended;
  TimePoint time;
  std::uint32_t interval = none;         // in which it stopped
  std::vector<std::uint32_t> waits_for;  // ranks, each of which could end the wait
};

struct RecordedLink {
  LinkId link;
  std::vector<float> rates;  // by time slice, the average
};

// Two neighbours on a used route, the smaller one first. A host has its number; a link has its number plus the number
// of hosts.
struct RecordedEdge {
  std::uint32_t from = 0, to = 0;
  auto operator<=>(const RecordedEdge&) const = default;
};

struct Recording {
  StringTable texts;
  std::vector<RecordedPlace> places;
  std::vector<Interval> intervals;
  std::vector<RecordedMessage> messages;
  std::vector<RecordedCollective> collectives;
  std::vector<RecordedCompletion> completions;      // of the nonblocking collectives
  std::vector<std::vector<std::uint32_t>> members;  // by context: ranks in its order; empty: without collectives
  std::vector<RecordedPassage> passages;            // the first ones, in order of arrival
  std::uint64_t passages_more = 0;                  // number of later ones
  std::vector<RecordedStop> stops;                  // by rank
  TimePoint end;
  std::vector<std::string> lanes;  // names of the ranks; empty: by their numbers

  std::vector<RecordedLink> links;  // the used ones
  Duration slice;                   // of their rates
  std::vector<double> host_flops;   // by host of the platform
  std::vector<RecordedEdge> edges;

  std::string lane_name(std::uint32_t rank) const;    // "rank 3"
  std::string place_text(std::uint32_t place) const;  // "file.c:12 in main"; empty: unknown
};

}  // namespace rehearse::app
