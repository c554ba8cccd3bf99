// SPDX-License-Identifier: MIT
//
// Which bytes of memory the buffers of an operation are, exactly, without a list of them: repetitions of repetitions of
// blocks, as datatypes have them.
//
// Cost:   as the description is long, not as the memory is large. Two runs of blocks at equal distances are compared in
//         one step, at different distances in as many as Euclid's algorithm takes; whole buffers are distinguished by
//         their hulls first.
// Units:  bytes; positions are addresses.
// Source: whether a * i + c modulo m is ever in an interval is answered by sums of floors
//         (R. Graham, D. Knuth, O. Patashnik, Concrete Mathematics, 3.5).
#pragma once

#include <cstdint>
#include <vector>

#include "smpi/collective/blocks.hpp"

namespace rehearse::smpi {

// From `begin` on, before `end`.
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
  // Whether some byte is in it twice.
  bool meets_itself() const;

 private:
  friend class FootprintComparison;

  // `count` times a block of `bytes`, or the children, at `offset`, `offset` + `stride`...
  struct Node {
    std::int64_t offset = 0;  // of the first, relative to the parent
    std::int64_t stride = 0;  // positive if there are several
    std::int64_t count = 1;
    Span one;                // hull of one of them, relative to where it begins
    std::int64_t reach = 0;  // the greatest end of it and of all siblings before it
    std::uint32_t children = 0;
    std::uint32_t child_count = 0;  // 0: a block; sorted by where they begin

    std::int64_t begin() const { return offset + one.begin; }
    std::int64_t end() const { return offset + (count - 1) * stride + one.end; }
  };

  void add_buffer(const Buffer& buffer, std::uint32_t at);
  void add_run(std::span<const Run> runs, std::uint32_t at);
  void add_children(std::span<const Run> runs, std::uint32_t parent);
  void absorb_child(std::uint32_t parent);
  void close(std::uint32_t parent);

  std::vector<Node> nodes_;  // the first is all of it
  bool twice_ = false;       // a run lies on itself
};

}  // namespace rehearse::smpi
