// SPDX-License-Identifier: MIT
//
// The solutions of sets of flows that were solved before.
//
// Key:     the words that describe a set: for each flow its shape, then the number of each resource that it uses,
// counted
//          in the order of their first uses in the set. So sets that differ only by which resources they use are equal.
// Memory:  a set takes 16 bytes a flow, 4 bytes a word, and 16 more. is_full() says that there is too much; the caller
//          begins again with clear(). Of sets with many flows, only the last one is kept.
// Threads: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rehearse::sharing {

class KnownRates {
 public:
  using Word = std::uint32_t;
  static constexpr std::uint32_t by_bound = ~0u;

  struct Flow {
    double level = 0;         // of the limit; of a flow at its bound: the rate
    std::uint32_t limit = 0;  // the number of a resource in the set, or by_bound
    std::uint32_t part = 0;   // the connected part of the set
  };
  struct Solution {
    std::span<const Flow> flows;  // empty: nothing is known
    std::uint32_t parts = 0;
  };

  // Valid until the next change. `hash`: of the words; `flows`: so many.
  Solution find(std::span<const Word> words, std::uint64_t hash, std::size_t flows) const;
  // Requires: nothing is known of the set.
  void keep(std::span<const Word> words, std::uint64_t hash, std::span<const Flow> flows, std::uint32_t parts);
  bool is_full() const { return blocks_.size() >= most_blocks && 2 * free_ > block_units; }
  void clear();

 private:
  static constexpr std::size_t unit = 16;  // bytes

  // In front of a set's flows, which its words follow.
  struct alignas(unit) Head {
    std::uint64_t hash = 0;
    std::uint32_t words = 0;
    std::uint32_t parts = 0;
  };
  // Where the head of a set is: block and unit in it. The upper bits are some of the hash, so that a place of another
  // set rarely costs a look at its head. 0: nowhere.
  using Place = std::uint32_t;

  // Whether a set of so many words and flows is too large for a block.
  static bool is_large(std::size_t words, std::size_t flows) {
    return flows > largest || sizeof(Head) + flows * sizeof(Flow) + words * sizeof(Word) > largest_bytes;
  }
  static Solution solution_of(const Head* head, std::span<const Word> words, std::uint64_t hash, std::size_t flows);
  static void write(std::byte* bytes, std::span<const Word> words, std::uint64_t hash, std::span<const Flow> flows,
                    std::uint32_t parts);
  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32) & ~place_mask; }
  const Head* head_at(Place place) const {
    const std::uint32_t at = place & place_mask;
    return reinterpret_cast<const Head*>(blocks_[at / block_units].get() + at % block_units * unit);
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
