// SPDX-License-Identifier: MIT
//
// The steps behind the alternatives of a Choose, for drivers that need their dependences.
//
// Meaning: two steps that touch no object in common, or the same only in ways that do not exclude each other, lead to
//          the same in either order. Plain variables are no objects: who shares them takes care that steps which touch
//          them share an object, too (a mutex that is held, say).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace rehearse {

enum class Access : std::uint8_t {
  reads,
  writes,
  acquires,  // takes one of its tokens; a way that waits for one is not possible before
  frees,     // gives one
  makes,     // what needs it cannot happen before
  needs,
};

// Objects and continuing actors are distinguished by numbers that are equal whenever their causes are, up to the order
// of steps that can change places.
struct Touch {
  static constexpr std::int32_t does_not_wait = INT32_MIN;

  std::uint64_t object = 0;
  Access access = Access::reads;
  std::int32_t tokens = 0;  // before it acquires one, if it waits for one

  bool operator==(const Touch&) const = default;
};

struct Way {
  static constexpr std::size_t touches_max = 2;

  std::uint64_t who = 0;
  bool is_possible = true;
  bool touches_anything = false;  // what it touches is not known
  std::uint8_t touch_count = 0;
  std::array<Touch, touches_max> touches = {};

  void add(const Touch& touch) { touches[touch_count++] = touch; }
  std::span<const Touch> touched() const { return {touches.data(), touch_count}; }
};

// What a group of actors could do next.
struct Ways {
  std::span<const Way> list;  // those of the Choose by their index, then those that wait for a token
  bool strayed = false;       // the step before this touched more than its Way said: anything
};

}  // namespace rehearse
