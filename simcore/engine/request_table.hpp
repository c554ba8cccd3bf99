// SPDX-License-Identifier: MIT
//
// The started requests of one actor that are not observed yet, in the order of their numbers.
//
// Cost: constant if no request between the first and the wanted one was removed, or if the wanted one follows the last
//       one found; otherwise logarithmic in the number of requests.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::engine {

template <class T>
class RequestTable {
 public:
  // Requires: id is greater than all earlier ones.
  void add(RequestId id, T& request) { entries_.push_back({id, &request}); }

  T& find(RequestId id) {
    const Entry& entry = entries_[place_of(id)];
    REHEARSE_ASSERT(entry.request != nullptr, "a request is observed once");
    return *entry.request;
  }

  T& take(RequestId id) {
    const std::size_t place = place_of(id);
    REHEARSE_ASSERT(entries_[place].request != nullptr, "a request is observed once");
    T& request = *entries_[place].request;
    remove_at(place);
    return request;
  }

  void remove(RequestId id) { remove_at(place_of(id)); }

  // Whether these are all its requests, in their order. Then at(i) is that of the i-th.
  bool has_just(std::span<const RequestId> ids) const {
    return gone_ == 0 && std::ranges::equal(entries_, ids, {}, &Entry::id);
  }
  T& at(std::size_t place) { return *entries_[place].request; }
  void clear() {
    entries_.clear();
    gone_ = 0;
  }

 private:
  void remove_at(std::size_t place) {
    entries_[place].request = nullptr;
    ++gone_;
    while (!entries_.empty() && entries_.back().request == nullptr) {
      entries_.pop_back();
      --gone_;
    }
    if (gone_ < 32 || gone_ < entries_.size() / 2) return;
    std::erase_if(entries_, [](const Entry& entry) { return entry.request == nullptr; });
    gone_ = 0;
  }

  struct Entry {
    RequestId id;
    T* request = nullptr;
  };

  bool is_at(std::size_t place, RequestId id) const { return place < entries_.size() && entries_[place].id == id; }

  std::size_t place_of(RequestId id) {
    REHEARSE_ASSERT(!entries_.empty(), "a request was started before");
    for (const std::size_t guess : {last_, last_ + 1, id.value - std::size_t{entries_.front().id.value}})
      if (is_at(guess, id)) return last_ = guess;
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), id,
                                        [](const Entry& entry, RequestId wanted) { return entry.id < wanted; });
    REHEARSE_ASSERT(found != entries_.end() && found->id == id, "a request was started before");
    return last_ = static_cast<std::size_t>(found - entries_.begin());
  }

  std::vector<Entry> entries_;
  std::size_t gone_ = 0;
  std::size_t last_ = 0;  // the place of the last one found
};

}  // namespace rehearse::engine
