// SPDX-License-Identifier: MIT
//
// Large data of operations, once for all that are equal: a program that sends the same block a thousand times needs it
// once.
//
// Ownership: who holds the pointer holds the data; the store must outlive all of them.
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

  static constexpr std::size_t worthwhile = 1024;  // bytes: below it they are better copied

  DataStore() = default;
  DataStore(const DataStore&) = delete;
  DataStore& operator=(const DataStore&) = delete;

  // A copy of the bytes, whose hash this is.
  Data keep(const Hash128& hash, std::span<const std::byte> bytes);

  std::uint64_t bytes() const { return bytes_; }  // of all that is held

 private:
  std::unordered_map<Hash128, std::weak_ptr<const std::byte[]>, HashOfHash> known_;
  std::uint64_t bytes_ = 0;
};

}  // namespace rehearse::mc::history
