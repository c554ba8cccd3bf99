// SPDX-License-Identifier: MIT
//
// A stable sort of lists that are nearly always short, which allocates nothing for them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace rehearse::trace::log_gops {

template <class Item, class KeyOf>
void sort_few(std::vector<Item>& items, const KeyOf& key_of) {
  constexpr std::size_t few = 16;
  if (items.size() > few) {
    std::ranges::stable_sort(items, {}, key_of);
    return;
  }
  for (std::size_t i = 1; i < items.size(); ++i)
    for (std::size_t at = i; at > 0 && key_of(items[at]) < key_of(items[at - 1]); --at)
      std::swap(items[at], items[at - 1]);
}

}  // namespace rehearse::trace::log_gops
