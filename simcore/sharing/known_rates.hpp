// SPDX-License-Identifier: MIT
//
// The solutions of sets of flows that were solved before.
//
// Key:     the words that describe a set: for each flow its shape, then the number of each resource that it uses,
// counted
//          in the order of their first uses in the set. So sets that differ only by which resources they use are equal.
// Memory:  a set takes 16 bytes a flow, 4 bytes a word, and 16 more. is_full() says that there is too much; the caller
//          begins again with clear(). Of sets with more than `largest` flows, only the last one is kept.
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
  bool is_full() const { return blocks_.size() >= most_blocks; }
  void clear();

 private:
  // In front of a set's flows, which its words follow.
  struct Head {
    std::uint64_t hash = 0;
    std::uint32_t words = 0;
    std::uint32_t parts = 0;
  };

  static Solution solution_of(const Head* head, std::span<const Word> words, std::uint64_t hash, std::size_t flows);
  static const Head* write(std::byte* bytes, std::span<const Word> words, std::uint64_t hash,
                           std::span<const Flow> flows, std::uint32_t parts);
  std::byte* reserve(std::size_t bytes);
  void grow();

  static constexpr std::size_t largest = 1024;
  static constexpr std::size_t block_bytes = 1u << 18;
  static constexpr std::size_t most_blocks = 32;

  std::vector<const Head*> sets_;  // by hash, with linear probing; the size is a power of two; null: none
  std::size_t used_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* free_ = nullptr;  // of the last block
  std::byte* end_ = nullptr;
  std::unique_ptr<std::byte[]> large_;  // the last set that is too large for the others
};

}  // namespace rehearse::sharing
