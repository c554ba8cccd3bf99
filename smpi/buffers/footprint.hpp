// SPDX-License-Identifier: MIT
//
// The exact set of bytes of an operation's buffers, without a list of bytes: nested repetitions of blocks, as in
// datatypes.
//
// Cost:   proportional to the length of the description, not to the size of the memory. Two runs of blocks at equal
//         distances are compared in one step, at different distances in as many steps as Euclid's algorithm. The hulls
//         of whole buffers are compared first.
// Units:  bytes; positions are addresses.
// Source: sums of floors, which decide whether a * i + c modulo m is ever in an interval (R. Graham, D. Knuth,
//         O. Patashnik, Concrete Mathematics, 3.5).
#pragma once

#include <cstdint>
#include <vector>

#include "smpi/collective/blocks.hpp"

namespace rehearse::smpi {

// The addresses from `begin` to before `end`.
struct Span {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  bool empty() const { return begin >= end; }
  bool meets(const Span& other) const { return begin < other.end && other.begin < end; }
};

// The least span that holds all bytes of the buffer; empty if it has none.
Span hull_of(const Buffer& buffer);
Span hull_of(const Blocks& blocks);

class Footprint {
 public:
  explicit Footprint(const Blocks& blocks);

  bool meets(const Footprint& other) const;
  bool meets(const Span& bytes) const;
  // Whether it contains a byte twice.
  bool meets_itself() const;

 private:
  friend class FootprintComparison;

  // `count` times a block of `bytes`, or the children, at `offset`, `offset` + `stride`...
  struct Node {
    std::int64_t offset = 0;  // of the first, relative to the parent
    std::int64_t stride = 0;  // positive if there are several
    std::int64_t count = 1;
    Span one;                // hull of one repetition, relative to its beginning
    std::int64_t reach = 0;  // the greatest end of this node and all earlier siblings
    std::uint32_t children = 0;
    std::uint32_t child_count = 0;  // 0: a block; sorted by their beginnings

    std::int64_t begin() const { return offset + one.begin; }
    std::int64_t end() const { return offset + (count - 1) * stride + one.end; }
  };

  void add_buffer(const Buffer& buffer, std::uint32_t at);
  void add_run(std::span<const Run> runs, std::uint32_t at);
  void add_children(std::span<const Run> runs, std::uint32_t parent);
  void absorb_child(std::uint32_t parent);
  void close(std::uint32_t parent);

  std::vector<Node> nodes_;  // the first is the root
  bool twice_ = false;       // a run overlaps itself
};

}  // namespace rehearse::smpi
