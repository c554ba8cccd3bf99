// SPDX-License-Identifier: MIT
//
// The requests of a rank that were started and are not over.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "simcore/ids.hpp"

namespace rehearse::trace::rtrace {

class OpenRequests {
 public:
  // Requires: greater than all before.
  void add(RequestId request) { open_.push_back(request); }

  // Whether each is open, and none is named twice.
  bool are_open(std::span<const RequestId> requests) {
    if (requests.size() == 1) return std::ranges::binary_search(open_, requests.front());
    sort(requests);
    return std::ranges::adjacent_find(sorted_) == sorted_.end() && std::ranges::includes(open_, sorted_);
  }

  void remove(std::span<const RequestId> requests) {
    if (requests.size() == 1) {
      const auto found = std::ranges::lower_bound(open_, requests.front());
      if (found != open_.end() && *found == requests.front()) open_.erase(found);
      return;
    }
    sort(requests);
    std::erase_if(open_, [&](RequestId request) { return std::ranges::binary_search(sorted_, request); });
  }

  // Whether these are all, in their order; each is counted back from `next`.
  bool are_all(std::span<const std::uint32_t> back, std::uint32_t next) const {
    return std::ranges::equal(open_, back, {}, &RequestId::value, [next](std::uint32_t by) { return next - by; });
  }
  // Moves all to `to`.
  void take_all(std::vector<RequestId>& to) {
    to.swap(open_);
    open_.clear();
  }

  std::span<const RequestId> all() const { return open_; }

 private:
  void sort(std::span<const RequestId> requests) {
    sorted_.assign(requests.begin(), requests.end());
    if (!std::ranges::is_sorted(sorted_)) std::ranges::sort(sorted_);
  }

  std::vector<RequestId> open_;    // ascending
  std::vector<RequestId> sorted_;  // scratch
};

}  // namespace rehearse::trace::rtrace
