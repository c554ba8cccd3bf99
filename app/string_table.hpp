// SPDX-License-Identifier: MIT
//
// Numbers texts and stores each once, because a run repeats a few texts a million times.
//
// Ownership: the table; references stay valid while it lives.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace rehearse::app {

class StringTable {
 public:
  StringTable() { add(""); }
  StringTable(StringTable&&) = default;
  StringTable& operator=(StringTable&&) = default;
  StringTable(const StringTable&) = delete;
  StringTable& operator=(const StringTable&) = delete;

  // 0 is the empty text.
  std::uint32_t add(std::string_view text) {
    const auto known = numbers_.find(text);
    if (known != numbers_.end()) return known->second;
    const auto number = static_cast<std::uint32_t>(texts_.size());
    texts_.emplace_back(text);
    numbers_.emplace(texts_.back(), number);
    return number;
  }

  const std::string& operator[](std::uint32_t number) const { return texts_[number]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }

 private:
  std::deque<std::string> texts_;  // a deque, so that references stay valid
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

}  // namespace rehearse::app
