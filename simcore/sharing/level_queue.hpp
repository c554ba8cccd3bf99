// SPDX-License-Identifier: MIT
//
// The queue of resources to visit: about the lowest level first.
//
// Method:  one bucket per 1/256 of an octave between 2^-64 and 2^64; within a bucket, last in, first out. Two levels of
//          bit masks find the first bucket that is not empty.
// Shape:   small indices, each at most once.
// Cost:    O(1); 150 kB.
// Threads: none.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace rehearse::sharing {

class LevelQueue {
 public:
  LevelQueue() : first_(buckets, none), words_(buckets / 64), summary_(buckets / 64 / 64) {}

  void add_thing() { places_.emplace_back(); }
  bool contains(std::uint32_t thing) const { return places_[thing].bucket != none; }

  // Keeps its place if it is there with a lower level.
  void push(std::uint32_t thing, double level) {
    const std::uint32_t bucket = bucket_of(level);
    Place& place = places_[thing];
    if (place.bucket <= bucket) return;
    if (place.bucket != none) remove(thing);
    place = {bucket, none, first_[bucket]};
    if (first_[bucket] != none) places_[first_[bucket]].previous = thing;
    first_[bucket] = thing;
    words_[bucket / 64] |= std::uint64_t{1} << bucket % 64;
    summary_[bucket / 64 / 64] |= std::uint64_t{1} << bucket / 64 % 64;
  }

  // Removes the next one; false if there is none.
  bool pop(std::uint32_t& thing) {
    for (std::uint32_t s = 0; s < summary_.size(); ++s) {
      if (summary_[s] == 0) continue;
      const std::uint32_t word = s * 64 + static_cast<std::uint32_t>(std::countr_zero(summary_[s]));
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(words_[word]));
      thing = first_[word * 64 + bit];
      remove(thing);
      return true;
    }
    return false;
  }

 private:
  static constexpr std::uint32_t buckets = 128 * 256;
  static constexpr std::uint32_t none = ~0u;
  struct Place {
    std::uint32_t bucket = none;
    std::uint32_t previous = none;
    std::uint32_t next = none;
  };

  static std::uint32_t bucket_of(double level) {
    // Exponent and eight bits of the mantissa grow with a number that is not negative.
    constexpr std::int64_t lowest = std::int64_t{1023 - 64} << 8;
    const auto bits = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(level) >> 44);
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(bits - lowest, 0, buckets - 1));
  }

  void remove(std::uint32_t thing) {
    Place& place = places_[thing];
    const std::uint32_t bucket = place.bucket;
    if (place.next != none) places_[place.next].previous = place.previous;
    if (place.previous != none) places_[place.previous].next = place.next;
    if (first_[bucket] == thing) first_[bucket] = place.next;
    place.bucket = none;
    if (first_[bucket] != none) return;
    words_[bucket / 64] &= ~(std::uint64_t{1} << bucket % 64);
    if (words_[bucket / 64] == 0) summary_[bucket / 64 / 64] &= ~(std::uint64_t{1} << bucket / 64 % 64);
  }

  std::vector<std::uint32_t> first_;    // by bucket
  std::vector<std::uint64_t> words_;    // buckets that are not empty
  std::vector<std::uint64_t> summary_;  // words that are not zero
  std::vector<Place> places_;
};

}  // namespace rehearse::sharing
