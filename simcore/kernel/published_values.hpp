// SPDX-License-Identifier: MIT
//
// The values that actors have published, in a table without pointers: its members are a set, whatever their order.
//
// Errors: BadUse for a name that is too long.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace rehearse::sim::kernel {

class PublishedValues {
 public:
  static constexpr std::size_t name_bytes = 64;  // with a zero at the end
  static constexpr std::size_t usual = 256;      // more are possible

  struct Entry {
    std::uint64_t pid = 0;
    std::int64_t value = 0;
    std::array<char, name_bytes> name = {};
  };

  void set(std::uint32_t pid, const std::string& name, std::int64_t value);
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace rehearse::sim::kernel
