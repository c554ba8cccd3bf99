// SPDX-License-Identifier: MIT
//
// Messages and remarks of ranks with what their sender knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "simcore/operation.hpp"

namespace rehearse::smpi::model {

// Behind the data of messages and remarks: the news, and the size of the data.
inline void append_news(std::vector<std::byte>& data, std::span<const std::byte> news) {
  const std::uint64_t size = data.size();
  data.insert(data.end(), news.begin(), news.end());
  const auto bytes = std::as_bytes(std::span(&size, 1));
  data.insert(data.end(), bytes.begin(), bytes.end());
}

struct Split {
  std::span<const std::byte> data, news;
};

inline Split split_news(std::span<const std::byte> whole) {
  std::uint64_t size = 0;
  if (whole.size() < sizeof size) return {whole, {}};
  std::memcpy(&size, whole.data() + whole.size() - sizeof size, sizeof size);
  return {whole.first(size), whole.subspan(size, whole.size() - sizeof size - size)};
}

// Of the collectives of MPI_Win_fence: whether it is the first one of a fence that ends an epoch, whose remarks say
// whether a member needs answers.
inline bool ends_epoch(const Collective& fence) { return fence.flow == Flow::all_to_all && !fence.remark.empty(); }

}  // namespace rehearse::smpi::model
