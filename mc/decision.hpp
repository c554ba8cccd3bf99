// SPDX-License-Identifier: MIT
//
// Decisions of an execution by the places of the program at which they are made, so that people can read them and a
// program that was compiled again can find them: "the second receive of actor 0 in collect() takes what actor 2 sent by
// its first send in work()".
//
// Ownership: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simcore/ids.hpp"

namespace rehearse::mc {

// What makes a call the same one in another build: actor, call, function and occurrence; file and line are for people.
struct CallSite {
  ActorId actor;
  std::string call;              // its name; empty: unknown
  std::string function, file;    // that contain it; empty: unknown
  int line = 0;
  std::uint32_t occurrence = 0;  // among the actor's calls of this name in this function that do such a thing: 1, 2...
  bool operator==(const CallSite&) const = default;
};

struct DecidedMatch {
  CallSite receive, message;
  bool any_source = false;  // the receive names none
  // As schedules of this build of the program name them.
  RequestId receive_number = {}, message_number = {};
  bool operator==(const DecidedMatch&) const = default;
};

struct DecidedAnswer {
  bool flag = true;
  std::vector<std::uint32_t> completed;  // indices into the list of the call
  std::optional<CallSite> seen;          // the message that a probe reported
  bool operator==(const DecidedAnswer&) const = default;
};

struct Decision {
  CallSite at;                         // the call that observes it
  std::vector<DecidedMatch> matches;
  std::optional<DecidedAnswer> answer;
  bool waits_for_ever = false;         // although its message came: another receive took it
  bool operator==(const Decision&) const = default;
};

}  // namespace rehearse::mc
