// SPDX-License-Identifier: MIT
//
// Stores the large data of operations. Equal data are stored once: a program that sends the same block a thousand times
// needs memory for one.
//
// Ownership: the data live as long as a pointer to them; the store must outlive all these pointers.
// Threads:   none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>

#include "mc/history/hash128.hpp"

namespace rehearse::mc::history {

class DataStore {
 public:
  using Data = std::shared_ptr<const std::byte[]>;

  static constexpr std::size_t worthwhile = 1024;  // bytes; smaller data are copied instead

  DataStore() = default;
  DataStore(const DataStore&) = delete;
  DataStore& operator=(const DataStore&) = delete;

  // A copy of the bytes, shared with earlier calls that had the same hash. `hash`: of the bytes.
  Data keep(const Hash128& hash, std::span<const std::byte> bytes);

  std::uint64_t bytes() const { return bytes_; }  // of the stored data

 private:
  std::unordered_map<Hash128, std::weak_ptr<const std::byte[]>, HashOfHash> known_;
  std::uint64_t bytes_ = 0;
};

}  // namespace rehearse::mc::history
