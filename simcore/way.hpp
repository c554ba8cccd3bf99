// SPDX-License-Identifier: MIT
//
// The steps of the alternatives of a Choose, for drivers that need their dependences.
//
// Meaning: two steps commute if they touch no object in common, or touch it only with compatible accesses. Plain
//          variables are not objects. If actors share them, the steps that touch them must also share an object, for
//          instance a locked mutex.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace rehearse {

enum class Access : std::uint8_t {
  reads,
  writes,
  acquires,  // takes one of its tokens; a step that waits for a token needs one
  frees,     // returns one
  makes,     // enables the steps with `needs`
  needs,
};

// Objects and actors are identified by numbers. Equal histories, up to the order of steps that commute, give equal
// numbers.
struct Touch {
  static constexpr std::int32_t does_not_wait = INT32_MIN;

  std::uint64_t object = 0;
  Access access = Access::reads;
  std::int32_t tokens = 0;  // of the object before the access, if the step waits for one

  bool operator==(const Touch&) const = default;
};

struct Way {
  static constexpr std::size_t touches_max = 2;

  std::uint64_t who = 0;
  bool is_possible = true;
  bool touches_anything = false;  // the touched objects are unknown
  std::uint8_t touch_count = 0;
  std::array<Touch, touches_max> touches = {};

  void add(const Touch& touch) { touches[touch_count++] = touch; }
  std::span<const Touch> touched() const { return {touches.data(), touch_count}; }
};

// The possible next steps of a group of actors.
struct Ways {
  std::span<const Way> list;  // those of the Choose by their index, then those that wait for a token
  bool strayed = false;       // the previous step touched objects that its Way does not list; assume any
};

}  // namespace rehearse
