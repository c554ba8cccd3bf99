// SPDX-License-Identifier: MIT
//
// The time of a replayed trace by its use: by action, place, rank, pair of ranks and size of messages; and the critical
// path.
//
// Waits:  late_sender: of a receive, until its message leaves. late_receiver: of a send, until its receive is posted.
//         late_member: of a collective, until the member comes that it needs and that comes last (the root of a
//         broadcast or scatter; the members before it in a scan). transfer, collective: the rest of the wait.
// Path:   from the end of the last rank back to date 0. It goes through the activity of a rank; where the rank waited,
//         it goes over the message or collective to the rank that ended the wait, at the date at which it did. Its
//         parts add up to the simulated time.
// Memory: 32 bytes for each operation that takes time, 48 more if it waits.
// Source: late senders and receivers, waits at collectives: Wolf, Mohr, Automatic performance analysis of hybrid
//         MPI/OpenMP applications, J. Systems Architecture 49, 2003. Critical path: Boehme et al., Scalable critical-
//         path based performance analysis, IPDPS 2012.
// Errors: as of replay_trace().
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/trace_replay.hpp"
#include "simcore/time.hpp"

namespace rehearse::app {

enum class Spent : std::uint8_t {
  computation,
  late_sender,
  late_receiver,
  late_member,
  transfer,
  collective,
  overhead,  // the rank's own time for messages, and reads of the clock
  polling,
  pause,
};
inline constexpr std::size_t uses_of_time = 9;
std::string_view name_of(Spent spent);

struct TimeByUse {
  std::array<Duration, uses_of_time> spent{};

  Duration& operator[](Spent use) { return spent[static_cast<std::size_t>(use)]; }
  Duration operator[](Spent use) const { return spent[static_cast<std::size_t>(use)]; }
  Duration all() const;
  void add(const TimeByUse& other);
};

// An action at a place. Computation is that before the call at this place.
struct ProfileRow {
  std::string action;
  std::string function, file;  // empty: unknown
  std::uint32_t line = 0;
  std::uint64_t operations = 0;
  std::uint64_t bytes = 0;  // sent, or contributed to collectives
  TimeByUse time;
  TimeByUse path;  // the part on the critical path
};

struct ProfileRank {
  TimeByUse time, path;
  std::uint64_t messages = 0, bytes = 0;  // sent, without those of collectives
};

struct ProfilePair {
  std::uint32_t source = 0, destination = 0;
  std::uint64_t messages = 0, bytes = 0;
  Duration late_sender, late_receiver, transfer;  // waits for these messages
};

// Messages from `least` bytes to the next class.
struct ProfileSize {
  std::uint64_t least = 0;
  std::uint64_t messages = 0, bytes = 0;
  Duration flight;  // from the departure of each to its arrival
};

struct TimeProfile {
  std::vector<ProfileRow> rows;    // by the time in them, most first
  std::vector<ProfileRank> ranks;  // by rank
  std::vector<ProfilePair> pairs;  // by source and destination
  std::vector<ProfileSize> sizes;  // powers of two, those that occur
  TimeByUse path;
  TimePoint end;

  // One row for each action, without places.
  std::vector<ProfileRow> by_action() const;
  // One row for each function of the program, without actions and lines. Computation belongs to the function of the
  // call that ends it.
  std::vector<ProfileRow> by_function() const;
};

struct TraceProfile {
  TraceReplay replay;
  std::optional<TimeProfile> profile;  // nothing: the replay did not end
  std::vector<std::string> caveats;
};

Result<TraceProfile> profile_trace(const TraceReplayRequest& request);

}  // namespace rehearse::app
