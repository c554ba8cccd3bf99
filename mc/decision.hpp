// SPDX-License-Identifier: MIT
//
// Decisions of an execution, named by their places in the program. People can read them, and they can be found in a
// rebuilt program: "the second receive of actor 0 in collect() takes the message of actor 2 from its first send in
// work()".
//
// Ownership: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simcore/ids.hpp"

namespace rehearse::mc {

// Actor, call, function and occurrence identify a call in another build; file and line are for people.
struct CallSite {
  ActorId actor;
  std::string call;            // its name; empty: unknown
  std::string function, file;  // of the call; empty: unknown
  int line = 0;
  std::uint32_t occurrence = 0;  // number among the actor's calls of this name and kind in this function: 1, 2...
  bool operator==(const CallSite&) const = default;
};

struct DecidedMatch {
  CallSite receive, message;
  bool any_source = false;  // the receive names no source
  // The names in schedules of this build of the program.
  RequestId receive_number = {}, message_number = {};
  bool operator==(const DecidedMatch&) const = default;
};

// What an answer means if the call is one of the library, of which the program knows nothing.
enum class Meaning : std::uint8_t {
  plain,
  fails,                // the actor fails in the call
  goes_on,              // it could have failed there
  chooses_who_fails,    // one more actor will fail
  chooses_nobody,       // no further actor will
  hears_of_failure,     // of another actor
  hears_of_revocation,  // of a communicator
  completes,            // it could have heard of something instead
};

struct DecidedAnswer {
  bool flag = true;
  std::vector<std::uint32_t> completed;  // indices into the list of the call
  std::optional<CallSite> seen;          // the message that a probe reported
  Meaning means = Meaning::plain;
  bool operator==(const DecidedAnswer&) const = default;
};

struct Decision {
  CallSite at;  // the call that observes it
  std::vector<DecidedMatch> matches;
  std::optional<DecidedAnswer> answer;
  bool waits_for_ever = false;  // because another receive took its message
  bool operator==(const Decision&) const = default;
};

}  // namespace rehearse::mc
