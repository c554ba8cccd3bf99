// SPDX-License-Identifier: MIT
//
// The places of the bytes of one element of a datatype: runs of blocks, nested if blocks repeat in groups.
//
// Shape: a list of runs in the order in which bytes are packed. A run without body is `count`
//        blocks of `bytes` contiguous bytes, at offset, offset + stride... A run with a body
//        repeats the `body` entries that follow it in the list, with their offsets relative to each
//        repetition; `bytes` is the number of packed bytes of one repetition.
// Units: bytes; offsets relative to the buffer address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rehearse::smpi {

struct Run {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::int64_t stride = 0;
  std::int64_t count = 1;
  std::uint32_t body = 0;
  bool operator==(const Run&) const = default;
};

using Layout = std::vector<Run>;

// `times` copies of an item, the first at `offset`.
struct Repetition {
  std::int64_t offset = 0;
  std::int64_t times = 1;
  std::int64_t stride = 0;
};

// Makes a layout with few runs: blocks that touch become one block, equal blocks at equal distances one run.
class LayoutBuilder {
 public:
  void append(std::span<const Run> item, Repetition where);
  Layout take() { return std::move(runs_); }

 private:
  void append_run(Run run);
  void append_once(std::span<const Run> item, std::int64_t offset);

  Layout runs_;
  std::size_t open_ = 0;  // earlier entries are runs with a body, or part of one
};

}  // namespace rehearse::smpi
