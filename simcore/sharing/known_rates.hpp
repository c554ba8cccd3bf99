// SPDX-License-Identifier: MIT
//
// The solutions of sets of flows that were solved before.
//
// Key:     the words that describe a set: for each flow its shape, then the number of each resource that it uses,
// counted
//          in the order of their first uses in the set. So sets that differ only by which resources they use are equal.
// Ends:    when a flow or two end, the rest of their part is another set. A set remembers which, so that the rest need
//          not be described to be found.
// Memory:  a set takes 24 bytes a flow, 4 bytes a word, and 32 more. is_full() says that there is too much; the caller
//          begins again with clear(). Of sets with many flows, only the last one is kept.
// Threads: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace rehearse::sharing {

class KnownRates {
 public:
  using Word = std::uint32_t;
  static constexpr std::uint32_t by_bound = ~0u;
  // Names a set that is kept, until the next clear(). 0: none.
  using Place = std::uint32_t;

  struct Flow {
    double level = 0;         // of the limit; of a flow at its bound: the rate
    std::uint32_t limit = 0;  // which of the resources that it uses, or by_bound
    std::uint32_t part = 0;   // the connected part of the set
  };
  struct Solution {
    std::span<const Flow> flows;  // empty: nothing is known
    std::uint32_t parts = 0;
    Place place = 0;  // of the set; 0: it is too large, or not kept yet
  };

  // Valid until the next change. `hash`: of the words; `flows`: so many.
  Solution find(std::span<const Word> words, std::uint64_t hash, std::size_t flows) const;
  // Requires: nothing is known of the set. Returns its place.
  Place keep(std::span<const Word> words, std::uint64_t hash, std::span<const Flow> flows, std::uint32_t parts);
  // Flows of one part of a set that end at one date, by their numbers in the set.
  struct Ending {
    std::uint32_t flow = 0;
    std::uint32_t other = nobody;
    bool operator==(const Ending&) const = default;
  };
  static constexpr std::uint32_t nobody = ~0u;
  // The set that is left of the part; nothing: it was not noted, or others of the same flow were noted later.
  Solution left_by(Place set, const Ending& ending) const;
  void note_left(Place set, const Ending& ending, Place left);
  bool is_full() const { return blocks_.size() >= most_blocks && 2 * free_ > block_units; }
  void clear();

 private:
  static constexpr std::size_t unit = 16;  // bytes

  // What is left when `other` ends together with the flow whose place in the set this is. 0: nothing was noted.
  struct Left {
    Place place = 0;
    std::uint32_t other = nobody;
  };
  // In front of a set's flows. Behind them are what each leaves, and then the words. A place is that of a head: block
  // and unit in it. Its upper bits are some of the hash, so that a place of another set rarely costs a look at its
  // head.
  struct alignas(unit) Head {
    std::uint64_t hash = 0;
    std::uint32_t words = 0;
    std::uint32_t parts = 0;
    std::uint32_t flows = 0;
  };

  // Whether a set of so many words and flows is too large for a block.
  static bool is_large(std::size_t words, std::size_t flows) {
    return flows > largest || size_of(words, flows) > largest_bytes;
  }
  static std::size_t size_of(std::size_t words, std::size_t flows) {
    return sizeof(Head) + flows * (sizeof(Flow) + sizeof(Left)) + words * sizeof(Word);
  }
  static Solution solution_of(const Head* head, std::span<const Word> words, std::uint64_t hash, std::size_t flows);
  static void write(std::byte* bytes, std::span<const Word> words, std::uint64_t hash, std::span<const Flow> flows,
                    std::uint32_t parts);
  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32) & ~place_mask; }
  Head* head_at(Place place) const {
    const std::uint32_t at = place & place_mask;
    return reinterpret_cast<Head*>(blocks_[at / block_units].get() + at % block_units * unit);
  }
  static const Flow* flows_of(const Head* head) { return std::launder(reinterpret_cast<const Flow*>(head + 1)); }
  static Left* left_of(Head* head) {
    return std::launder(reinterpret_cast<Left*>(reinterpret_cast<Flow*>(head + 1) + head->flows));
  }
  Place reserve(std::size_t bytes);
  void insert(Place place, std::uint64_t hash);
  void grow();

  static constexpr std::size_t largest = 1024;            // flows
  static constexpr std::size_t largest_bytes = 1u << 17;  // of a set, half a block
  static constexpr std::uint32_t block_units = 1u << 14;
  static constexpr std::uint32_t most_blocks = 32;
  static constexpr std::uint32_t place_mask = block_units * most_blocks - 1;

  std::vector<Place> sets_;  // by hash, with linear probing; the size is a power of two
  std::size_t used_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::uint32_t free_ = block_units;    // unit in the last block
  std::unique_ptr<std::byte[]> large_;  // the last set that is too large for the others
};

}  // namespace rehearse::sharing
