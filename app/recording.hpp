// SPDX-License-Identifier: MIT
//
// The events of a timed run as data: the calls of each rank with their places, the messages between them, computation,
// and the use of links. Timelines, charts and reports are made from it.
//
// Shape:  intervals in the order in which they ended, of one rank by time and without overlap, those that never ended
//         last; messages in the order in which they were first heard of. Texts, places and collectives are named by
//         their number in their table; text 0 is empty, place 0 unknown, and `none` is no number.
// Memory: about 48 bytes for an interval, as much for a message; equal texts are kept once.
// Units:  bytes, flops; rates of links in bytes per second.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/string_table.hpp"
#include "simcore/ids.hpp"
#include "simcore/outcome.hpp"
#include "simcore/platform.hpp"
#include "simcore/time.hpp"

namespace rehearse::app {

inline constexpr std::uint32_t none = ~0u;

// What a rank did in an interval. Of a call that asks for several things the one that says most.
enum class Doing : std::uint8_t { computation, pause, other, probe, wait, send, receive, exchange, collective };
inline constexpr std::uint32_t doings = 9;
std::string_view name_of(Doing doing);

struct Interval {
  std::uint32_t rank = 0;
  std::uint32_t text = 0;    // the call with its arguments; of a computation empty
  std::uint32_t place = 0;   // where it was called
  std::uint32_t region = 0;  // text: of the program's own naming
  std::uint32_t collective = none;
  std::uint32_t times = 1;  // equal calls that took no time, one after the other
  TimePoint begin, end;     // if it never ended: the end of the run
  Doing doing = Doing::other;
  bool is_open = false;  // the rank stands in it forever
};

struct RecordedMessage {
  std::uint32_t source = 0;  // rank
  std::uint32_t destination = 0;
  std::uint32_t sender = none;    // interval of the call that started it
  std::uint32_t receiver = none;  // interval of the call that started the receive; none: never received
  Tag tag = 0;
  std::uint32_t context = 0;  // number of the context among those of the recording
  std::uint64_t bytes = 0;
  TimePoint sent, arrived;  // if never received: arrived is the end of the run
};

struct RecordedCollective {
  std::uint32_t name = 0;  // text
  std::uint32_t context = 0;
  std::uint64_t number = 0;  // how many of that context came before
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

// How a rank ended.
struct RecordedStop {
  HostId host;
  ActorOutcome::State state = ActorOutcome::State::ended;
  TimePoint time;
  std::uint32_t interval = none;         // in which it stands
  std::vector<std::uint32_t> waits_for;  // ranks, any of which would do
};

struct RecordedLink {
  LinkId link;
  std::vector<float> rates;  // by time slice, the average
};

// Two neighbours on a route that was used, the smaller first: hosts, or links counted from the number of hosts on.
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
  std::vector<RecordedPassage> passages;  // in the order in which they arrived; the first so many of them
  std::uint64_t passages_more = 0;        // that came after these
  std::vector<RecordedStop> stops;        // by rank
  TimePoint end;

  std::vector<RecordedLink> links;  // those that were used
  Duration slice;                   // of their rates
  std::vector<double> host_flops;   // by host of the platform
  std::vector<RecordedEdge> edges;

  std::string place_text(std::uint32_t place) const;  // "file.c:12 in main"; empty: unknown
};

}  // namespace rehearse::app
