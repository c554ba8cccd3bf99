// SPDX-License-Identifier: MIT
//
// Objects with short lives, identified by small numbers. Objects and numbers are reused.
//
// Ownership: the pool owns the objects; references are valid as long as the pool. The caller resets an object, which
//            keeps its contents until then, so that its buffers are reused.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace rehearse::engine {

// T has `std::uint32_t index` and `bool is_live`.
template <class T>
class Pool {
 public:
  T& take() {
    if (free_.empty()) grow();
    T& item = (*this)[free_.back()];
    free_.pop_back();
    item.is_live = true;
    return item;
  }

  void give_back(T& item) {
    item.is_live = false;
    free_.push_back(item.index);
  }

  T& operator[](std::uint32_t index) { return blocks_[index / block_items][index % block_items]; }

  template <class Visit>
  void for_each_live(Visit visit) {
    for (const auto& block : blocks_)
      for (std::uint32_t i = 0; i < block_items; ++i)
        if (block[i].is_live) visit(block[i]);
  }

 private:
  static constexpr std::uint32_t block_items = 32;

  // The lowest number is taken first.
  void grow() {
    const auto first = static_cast<std::uint32_t>(blocks_.size()) * block_items;
    T* block = blocks_.emplace_back(std::make_unique<T[]>(block_items)).get();
    for (std::uint32_t i = block_items; i-- > 0;) {
      block[i].index = first + i;
      free_.push_back(first + i);
    }
  }

  std::vector<std::unique_ptr<T[]>> blocks_;
  std::vector<std::uint32_t> free_;
};

}  // namespace rehearse::engine
