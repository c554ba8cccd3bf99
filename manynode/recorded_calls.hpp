// SPDX-License-Identifier: MIT
//
// The calls of a recorded run, as the inference of skeletons reads them.
//
// Units: bytes, seconds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace rehearse::manynode {

enum class CallKind : std::uint8_t { send, receive, exchange, wait, wait_all, wait_any, collective };

// The numbers of a call. peer: destination of a send, source of a receive, destination of an exchange; from: source of
// an exchange. waited: place of the request among the open ones, the oldest is 0.
enum class Slot : std::uint8_t { peer, bytes, tag, from, from_tag, root, waited, elements };
inline constexpr std::size_t slots = 8;
const char* name_of(Slot slot);

inline constexpr std::int64_t absent = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t anyone = -1;  // peer, from, tag, from_tag

struct RecordedCall {
  CallKind kind = CallKind::wait_all;
  bool blocking = true;
  std::uint8_t mode = 0;           // SendMode
  std::uint32_t name = 0;          // of a collective: index into RecordedRuns::names
  std::uint32_t site = 0;          // index into RecordedRuns::sites; 0: unknown
  std::uint32_t communicator = 0;  // index into RecordedRun::communicators; 0: the world
  std::uint32_t parts = 0;         // index into RecordedRun::parts; 0: all members have the same part
  double seconds = 0;              // of computation before the call
  std::array<std::int64_t, slots> values = {absent, absent, absent, absent, absent, absent, absent, absent};

  std::int64_t& operator[](Slot slot) { return values[static_cast<std::size_t>(slot)]; }
  std::int64_t operator[](Slot slot) const { return values[static_cast<std::size_t>(slot)]; }
};

struct RecordedRun {
  std::string file;
  std::uint32_t ranks = 0;
  std::vector<std::vector<RecordedCall>> calls;           // by rank
  std::vector<double> seconds_after;                      // by rank: computation behind the last call
  std::vector<std::vector<std::uint32_t>> communicators;  // members; the first is the world
  std::vector<std::vector<std::int64_t>> parts;           // by member; the first is unused
};

struct RecordedRuns {
  std::vector<RecordedRun> runs;   // of different numbers of ranks, in rising order
  std::vector<std::string> names;  // of collectives
  std::vector<std::string> sites;  // the first is unknown
};

// In words: "isend at lu.c:120", and "isend at lu.c:120 to 5, 800 bytes, tag 1".
std::string call_of(const RecordedRuns& runs, const RecordedCall& call);
std::string text_of(const RecordedRuns& runs, const RecordedCall& call);

}  // namespace rehearse::manynode
