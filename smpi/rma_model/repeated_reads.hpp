// SPDX-License-Identifier: MIT
//
// Reads of a window by MPI_Get that teach a rank nothing: they may be a loop that never ends.
//
// Threads: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>

namespace rehearse::smpi::model {

class RepeatedReads {
 public:
  // A read of this place (the message of the operation) finds this value, with nothing but reads since the last one.
  void add(std::span<const std::byte> place, std::span<const std::byte> value);

  // The number of reads in a row that found at their place what an earlier one had found there.
  std::uint32_t count() const { return count_; }

 private:
  std::set<std::uint64_t> found_;  // hashes of places and values
  std::uint32_t count_ = 0;
};

}  // namespace rehearse::smpi::model
