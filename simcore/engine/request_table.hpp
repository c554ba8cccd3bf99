// SPDX-License-Identifier: MIT
//
// The started requests of one actor that nobody has observed yet, by their growing numbers.
//
// Cost: constant for the oldest and the newest, otherwise logarithmic in how many there are.
#pragma once

#include <algorithm>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::engine {

template <class T>
class RequestTable {
 public:
  // Requires: id is greater than all before.
  void add(RequestId id, T& request) { entries_.push_back({id, &request}); }

  T& find(RequestId id) const {
    const Entry& entry = entries_[place_of(id)];
    REHEARSE_ASSERT(entry.request != nullptr, "a request is observed once");
    return *entry.request;
  }

  void remove(RequestId id) {
    entries_[place_of(id)].request = nullptr;
    ++gone_;
    while (!entries_.empty() && entries_.back().request == nullptr) {
      entries_.pop_back();
      --gone_;
    }
    if (gone_ < 32 || gone_ < entries_.size() / 2) return;
    std::erase_if(entries_, [](const Entry& entry) { return entry.request == nullptr; });
    gone_ = 0;
  }

 private:
  struct Entry {
    RequestId id;
    T* request = nullptr;
  };

  std::size_t place_of(RequestId id) const {
    const auto found =
        std::lower_bound(entries_.begin(), entries_.end(), id,
                         [](const Entry& entry, RequestId wanted) { return entry.id < wanted; });
    REHEARSE_ASSERT(found != entries_.end() && found->id == id, "a request was started before");
    return static_cast<std::size_t>(found - entries_.begin());
  }

  std::vector<Entry> entries_;
  std::size_t gone_ = 0;
};

}  // namespace rehearse::engine
