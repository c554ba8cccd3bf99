// SPDX-License-Identifier: MIT
//
// See memory_image.hpp.
#include "smpi/rma_model/memory_image.hpp"

#include <algorithm>
#include <cstring>

namespace rehearse::smpi::model {

std::span<const std::byte> MemoryImage::at(std::uintptr_t begin, std::uint64_t bytes) const {
  auto after = ranges_.upper_bound(begin);
  if (after == ranges_.begin()) return {};
  const auto& [first, content] = *--after;
  const std::uint64_t offset = begin - first;
  if (offset + bytes > content->size()) return {};
  return std::span<const std::byte>(*content).subspan(offset, bytes);
}

std::span<std::byte> MemoryImage::changeable(std::uintptr_t begin, std::uint64_t bytes) {
  if (at(begin, bytes).empty()) return {};
  auto& [first, content] = *std::prev(ranges_.upper_bound(begin));
  if (content.use_count() > 1) content = std::make_shared<std::vector<std::byte>>(*content);
  return std::span(*content).subspan(begin - first, bytes);
}

// Makes the range part of the image. Ranges that overlap it or touch it become one.
void MemoryImage::cover(const Bytes& range) {
  if (range.begin == range.end || !at(range.begin, range.end - range.begin).empty()) return;
  Bytes whole = range;
  std::map<std::uintptr_t, Content> joined;
  for (auto it = ranges_.begin(); it != ranges_.end();) {
    const Bytes other{it->first, it->first + it->second->size()};
    if (other.begin > range.end || range.begin > other.end) {
      ++it;
      continue;
    }
    whole = {std::min(whole.begin, other.begin), std::max(whole.end, other.end)};
    joined.insert(ranges_.extract(it++));
  }
  auto content = std::make_shared<std::vector<std::byte>>(whole.end - whole.begin);
  for (const auto& [begin, bytes] : joined)
    std::ranges::copy(*bytes, content->begin() + static_cast<long>(begin - whole.begin));
  ranges_.emplace(whole.begin, std::move(content));
}

void MemoryImage::forget(const Bytes& range) {
  if (at(range.begin, range.end - range.begin).empty()) return;
  const auto whole = ranges_.extract(std::prev(ranges_.upper_bound(range.begin)));
  const std::span<const std::byte> content(*whole.mapped());
  const std::uint64_t before = range.begin - whole.key(), behind = range.end - whole.key();
  const auto add = [&](std::uintptr_t begin, std::span<const std::byte> part) {
    ranges_.emplace(begin, std::make_shared<std::vector<std::byte>>(part.begin(), part.end()));
  };
  if (before > 0) add(whole.key(), content.first(before));
  if (behind < content.size()) add(range.end, content.subspan(behind));
}

bool MemoryImage::has(const OperationView& operation) const {
  for (std::uint64_t i = 0; i < operation.header().blocks; ++i) {
    const TargetBlock block = operation.block(i);
    const std::uint64_t bytes = operation.bytes_of(block);
    if (bytes > 0 && at(reinterpret_cast<std::uintptr_t>(block.address), bytes).empty()) return false;
  }
  return true;
}

void MemoryImage::apply(const Record& record) {
  if (record.is_operation()) {
    std::vector<std::byte> unused;
    carry_out(record.data, unused);
    return;
  }
  std::span<const std::byte> data(record.data);
  if (record.kind == RecordKind::content && data.empty())
    for (const Bytes& range : record.memory) forget(range);
  else
    for (const Bytes& range : record.memory) {
      const std::uint64_t bytes = range.end - range.begin;
      if (record.kind == RecordKind::content) cover(range);
      const std::span<std::byte> there = changeable(range.begin, bytes);
      if (!there.empty()) std::memcpy(there.data(), data.data(), bytes);
      data = data.subspan(bytes);
    }
}

bool MemoryImage::carry_out(std::span<const std::byte> message, std::vector<std::byte>& answer) {
  const OperationView view(message);
  std::vector<TargetBlock> blocks;
  for (std::uint64_t i = 0; i < view.header().blocks; ++i) {
    TargetBlock block = view.block(i);
    const auto address = reinterpret_cast<std::uintptr_t>(block.address);
    const std::uint64_t bytes = view.bytes_of(block);
    const std::span<const std::byte> here = view.updates() ? changeable(address, bytes) : at(address, bytes);
    if (here.empty() && bytes > 0) return false;
    block.address = const_cast<std::byte*>(here.data());  // written only if the operation updates
    blocks.push_back(block);
  }
  OperationView(make_message(view.header(), blocks, view.data())).carry_out(answer);
  return true;
}

}  // namespace rehearse::smpi::model
