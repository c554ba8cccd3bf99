// SPDX-License-Identifier: MIT
//
// The net of a proof file, as it is there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rehearse::proof {

constexpr std::uint32_t none = ~std::uint32_t{0};

struct Channel {
  std::uint32_t source = 0, destination = 0;
};

struct Message {
  std::uint32_t channel = 0, number = 0;
};

// When a rank may stay at a point for ever.
enum class Stay : std::uint8_t {
  ends,       // always: it has ended
  fails,      // a failing step leads here, and no other
  goes_on,    // never
  waits,      // if no message is there that a step takes here
  while_any,  // if in addition one of these messages of its own is there
  while_all,  // if in addition all of them are
};

struct Point {
  std::uint32_t rank = 0;
  Stay stay = Stay::waits;
  std::vector<std::uint32_t> own;
};

// The rank stands at `from`, takes the message `taken` (or none), and goes to `to`. It can only do so if it has taken
// all messages with the numbers `after` from the same channel.
struct Step {
  std::uint32_t from = none, to = none, taken = none;
  std::vector<std::uint32_t> after;
  std::vector<std::uint32_t> sends;
};

struct Failure {
  std::uint32_t from = none, taken = none;
};

// A receive at the point accepts the message, although no step takes it there.
struct Accepted {
  std::uint32_t point = none, message = none;
};

struct Start {
  std::uint32_t to = none;
  std::vector<std::uint32_t> sends;
};

struct Net {
  std::uint32_t ranks = 0;
  std::vector<Channel> channels;
  std::vector<Message> messages;
  std::vector<Point> points;
  std::vector<Start> starts;  // by rank
  std::vector<Step> steps;
  std::vector<Failure> failures;
  std::vector<Accepted> accepted;
};

}  // namespace rehearse::proof
