// SPDX-License-Identifier: MIT
//
// One action of a recorded rank: an operation with its answer, as a kind, flags and numbers.
//
// Numbers: their meaning is fixed by the kind (see `event.cpp`, which has both directions). Contexts and texts are
//          indices into the tables of the file. Requests are counted back from the next request of the rank.
// Units:   bytes, flops, picoseconds.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "simcore/ids.hpp"

namespace rehearse::trace::rtrace {

enum class EventKind : std::uint8_t {
  send,
  receive,
  observe,
  probe,
  collective,
  release,
  choose,
  compute,
  stretch,        // application code between two operations
  shown_stretch,  // a short one, before a read of the clock
  sleep,
  clock,
  note,  // output, or a finding of the library: it matters only for what the rank pays before it
  fail,
  end
};
inline constexpr std::uint8_t event_kinds = 15;
const char* name_of(EventKind kind);

// Which message a receive with a wildcard took.
struct Took {
  enum class State : std::uint8_t { unknown, nothing, message } state = State::unknown;
  std::uint32_t source = 0;
  Tag tag = 0;
};

// Flags of an Event. Those above `unanswered` mean something for some kinds only.
namespace flag {
inline constexpr std::uint32_t unanswered = 1;    // the run ended before the answer
inline constexpr std::uint32_t blocking = 2;      // send, receive, observe, probe, collective
inline constexpr std::uint32_t yes = 4;           // observe, probe: the answer
inline constexpr std::uint32_t any_source = 8;    // receive, probe
inline constexpr std::uint32_t any_tag = 16;      // receive, probe
inline constexpr std::uint32_t takes = 32;        // probe; of a receive: it is of the message that a probe took
inline constexpr std::uint32_t withdraws = 32;    // observe
inline constexpr std::uint32_t combining = 8;     // collective
inline constexpr std::uint32_t commutative = 16;  // collective
inline constexpr std::uint32_t segments = 32;     // collective
inline constexpr std::uint32_t equal = 64;        // collective: all segments are as large as the first
inline constexpr std::uint32_t groups = 128;      // collective
inline constexpr std::uint32_t undecided = 64;    // receive, observe: see Asked
inline constexpr std::uint32_t fraction = 2;      // compute: the volume is the bits of a floating-point number
inline constexpr int choice_bit = 8;              // two bits: mode of a send, quantifier of an observe
inline constexpr std::uint32_t all = (1 << 10) - 1;
}  // namespace flag

struct Event {
  EventKind kind = EventKind::note;
  std::uint32_t flags = 0;
  std::uint32_t site = 0;  // index; 0: unknown
  std::vector<std::int64_t> numbers;
  std::int64_t volume = 0;  // of computation and of sleep
  Took took = {};           // of a receive with a wildcard

  bool has(std::uint32_t which) const { return (flags & which) != 0; }
  std::uint32_t choice() const { return flags >> flag::choice_bit & 3; }
};

// The rank of an event.
struct Caller {
  ActorId rank;
  std::uint32_t ranks = 0;  // of the recording
};

constexpr bool has_volume(EventKind kind) {
  return kind == EventKind::compute || kind == EventKind::stretch || kind == EventKind::shown_stretch ||
         kind == EventKind::sleep;
}
constexpr bool is_wildcard(EventKind kind, std::uint32_t flags) {
  return kind == EventKind::receive && (flags & (flag::any_source | flag::any_tag)) != 0;
}
// Of a computation, in flops.
inline double volume_of(std::int64_t volume, bool is_fraction) {
  return is_fraction ? std::bit_cast<double>(volume) : static_cast<double>(volume);
}
// Whether it starts a request.
constexpr bool starts(EventKind kind) {
  return kind == EventKind::send || kind == EventKind::receive || kind == EventKind::collective;
}

// The numbers of an Event by its kind.
namespace place {
inline constexpr std::size_t context = 0;                    // send, receive, probe, collective
inline constexpr std::size_t peer = 1;                       // send, receive, probe; root of a collective
inline constexpr std::size_t tag = 2;                        // send, receive, probe
inline constexpr std::size_t bytes = 3;                      // send, receive, collective
inline constexpr std::size_t gap = 4;                        // of these: requests left out before this one
inline constexpr std::size_t taken = 5;                      // receive
inline constexpr std::size_t seen_source = 3, seen_tag = 4;  // probe
inline constexpr std::size_t signature = 2, elements = 5, total = 6, name = 7, flow = 8, kind = 9, first = 10,
                             gives = 11, takes = 12, segments = 13;  // collective
inline constexpr std::size_t send_size = 5, receive_size = 6, probe_size = 5;
}  // namespace place

}  // namespace rehearse::trace::rtrace
