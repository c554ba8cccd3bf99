// SPDX-License-Identifier: MIT
//
// The bodies of the messages of a program of actors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/remote/message_socket.hpp"
#include "simcore/support/wide_hash.hpp"
#include "simcore/time.hpp"
#include "simcore/way.hpp"

namespace rehearse::remote {

// Of MessageKind::state. The ways of the choices come first, then those of the actors that wait for a token.
struct State {
  TimePoint now;
  std::uint64_t passed = 0;   // identifies the states before this one
  std::uint64_t reached = 0;  // the same, with this one
  std::uint32_t choices = 0;
  bool strayed = false;
  bool has_read_dates = false;  // some actor, so far
  std::vector<Way> ways;
};

// An actor that stopped: it failed or waits forever.
struct StoppedActor {
  std::string name;
  std::string host;
  std::string what;                   // the exception, or the object of the wait
  std::vector<std::uint64_t> frames;  // addresses of code, innermost first; empty: unknown
};

// Of MessageKind::stopped.
struct Stop {
  TimePoint now;
  std::vector<StoppedActor> racing;  // the two actors of a race on a shared variable; then the others count no more
  std::vector<StoppedActor> failed, blocked;
};

// What an actor does during an interval of a timed run.
enum class Act : std::uint32_t { waits, sends, receives, executes, sleeps, uses_disk };

// Of MessageKind::event: an actor starts (begin = end, no text), does something that takes time, or ends.
struct TimedEvent {
  enum class Kind : std::uint32_t { start, interval, message, end, cut } kind = Kind::start;
  Act act = Act::waits;
  std::uint32_t actor = 0;  // its number in the order of creation, from 1
  std::uint32_t peer = 0;   // message: the receiver
  TimePoint begin, end;
  double amount = 0;       // bytes or flops
  std::string name, host;  // start: of the actor; interval: what it does
  std::vector<std::uint64_t> frames;
};

// A value that an actor has published.
struct PublishedValue {
  std::uint32_t actor = 0;  // its number in the order of creation, from 0
  std::string name;
  std::int64_t value = 0;
  bool operator==(const PublishedValue&) const = default;
};

// Of MessageKind::global_state. At the end of an execution there are no steps, and the image is 0.
struct GlobalState {
  struct Step {
    std::uint64_t doer = 0;         // see simcore/kernel/state_server.hpp
    bool is_early_timeout = false;  // a timeout, while something else can happen
  };
  WideHash image;
  bool has_read_dates = false;  // some actor, so far
  std::vector<Step> steps;
  std::vector<PublishedValue> published;
};

// Of MessageKind::traced.
struct TracedStep {
  WideHash image;                     // before it
  std::uint32_t index = 0;            // among the choices in their order
  std::string text, instead;          // of it and, unless it is the first choice, of the first one
  std::vector<std::uint64_t> frames;  // of the actor that makes it; empty: none does
  std::vector<PublishedValue> published;
};

std::string to_bytes(const State& state);
std::string to_bytes(const GlobalState& state);
std::string to_bytes(const TracedStep& step);
std::string to_bytes(const Stop& stop);
std::string to_bytes(const TimedEvent& event);
std::string to_bytes(const std::vector<std::string>& texts);

// False: the bytes make no sense.
bool from_bytes(const std::string& bytes, State& state);
bool from_bytes(const std::string& bytes, GlobalState& state);
bool from_bytes(const std::string& bytes, TracedStep& step);
bool from_bytes(const std::string& bytes, Stop& stop);
bool from_bytes(const std::string& bytes, TimedEvent& event);
bool from_bytes(const std::string& bytes, std::vector<std::string>& texts);

}  // namespace rehearse::remote
