// SPDX-License-Identifier: MIT
//
// A map from pairs of small indices to small indices: open addressing in one array.
//
// Threads: none.
// Source:  Knuth, The Art of Computer Programming 3, 6.4, algorithms L and R (linear probing, deletion
//          that leaves no marks).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rehearse::sharing {

class PairMap {
 public:
  static constexpr std::uint32_t absent = ~0u;

  std::uint32_t find(std::uint32_t a, std::uint32_t b) const {
    if (cells_.empty()) return absent;
    for (std::size_t i = home({a, b});; i = (i + 1) & mask()) {
      if (cells_[i].value == absent) return absent;
      if (cells_[i].pair == Pair{a, b}) return cells_[i].value;
    }
  }

  // Requires: the pair is not there, and the value is not `absent`.
  void insert(std::uint32_t a, std::uint32_t b, std::uint32_t value) {
    if (2 * (size_ + 1) > cells_.size()) grow();
    place({{a, b}, value});
    ++size_;
  }

  // Requires: the pair is there.
  void erase(std::uint32_t a, std::uint32_t b) {
    std::size_t hole = home({a, b});
    while (cells_[hole].pair != Pair{a, b} || cells_[hole].value == absent) hole = (hole + 1) & mask();
    --size_;
    for (std::size_t i = (hole + 1) & mask(); cells_[i].value != absent; i = (i + 1) & mask()) {
      // An entry may fill the hole if its home is not behind the hole.
      if (((i - home(cells_[i].pair)) & mask()) < ((i - hole) & mask())) continue;
      cells_[hole] = cells_[i];
      hole = i;
    }
    cells_[hole].value = absent;
  }

 private:
  struct Pair {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    bool operator==(const Pair&) const = default;
  };
  struct Cell {
    Pair pair;
    std::uint32_t value = absent;
  };

  std::size_t mask() const { return cells_.size() - 1; }
  std::size_t home(Pair pair) const {
    const std::uint64_t both = std::uint64_t{pair.a} << 32 | pair.b;
    return static_cast<std::size_t>((both * 0x9e3779b97f4a7c15u) >> shift_);
  }

  void place(Cell cell) {
    std::size_t i = home(cell.pair);
    while (cells_[i].value != absent) i = (i + 1) & mask();
    cells_[i] = cell;
  }

  void grow() {
    std::vector<Cell> old(cells_.empty() ? 64 : 2 * cells_.size());
    shift_ = cells_.empty() ? 64 - 6 : shift_ - 1;
    old.swap(cells_);
    for (const Cell& cell : old)
      if (cell.value != absent) place(cell);
  }

  std::vector<Cell> cells_;
  std::size_t size_ = 0;
  int shift_ = 64;
};

}  // namespace rehearse::sharing
