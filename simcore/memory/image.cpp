// SPDX-License-Identifier: MIT
//
// Compares memory with a base copy, and restores it from the base and the differences.
#include "simcore/memory/image.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace rehearse {
namespace {

constexpr std::size_t stride = 512, block = 64;  // unit of comparison; unit of stored differences

using Runs = std::vector<ByteRange>;

void add_run(Runs& runs, std::byte* begin, std::byte* end) {
  if (!runs.empty() && runs.back().end == begin) runs.back().end = end;
  else runs.push_back({begin, end});
}

// Adds the blocks of [begin, end) that differ from `copy`.
void compare(std::byte* begin, std::byte* end, const std::byte* copy, std::size_t step, Runs& runs) {
  for (std::byte* at = begin; at < end;) {
    std::byte* next = at + (step - (reinterpret_cast<std::uintptr_t>(at) & (step - 1)));
    if (next > end) next = end;
    if (std::memcmp(at, copy + (at - begin), static_cast<std::size_t>(next - at)) != 0) {
      if (step > block) compare(at, next, copy + (at - begin), block, runs);
      else add_run(runs, at, next);
    }
    at = next;
  }
}

// Calls visit(overlap, copy) for each part of the piece that the base covers; `skip` gets the others.
template <class Visit, class Skip>
void for_each_covered(const ByteRange& piece, const MemoryImage& base, Visit&& visit, Skip&& skip) {
  std::byte* at = piece.begin;
  const std::byte* data = base.data();
  for (const ByteRange& known : base.pieces()) {
    if (known.end > at && known.begin < piece.end) {
      if (known.begin > at) skip(ByteRange{at, known.begin});
      const ByteRange overlap{std::max(at, known.begin), std::min(piece.end, known.end)};
      visit(overlap, data + (overlap.begin - known.begin));
      at = overlap.end;
    }
    data += known.bytes();
  }
  if (at < piece.end) skip(ByteRange{at, piece.end});
}

}  // namespace

MemoryImage::MemoryImage(std::span<const ByteRange> pieces) : pieces_(pieces.begin(), pieces.end()) {
  for (const ByteRange& piece : pieces_) bytes_ += piece.bytes();
  data_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
  std::byte* to = data_.get();
  for (const ByteRange& piece : pieces_) {
    std::memcpy(to, piece.begin, piece.bytes());
    to += piece.bytes();
  }
}

MemoryDelta::MemoryDelta(std::span<const ByteRange> pieces, std::shared_ptr<const MemoryImage> base)
    : base_(std::move(base)), piece_count_(pieces.size()) {
  Runs runs;
  runs.reserve(32);
  for (const ByteRange& piece : pieces)
    for_each_covered(
        piece, *base_,
        [&](const ByteRange& part, const std::byte* copy) { compare(part.begin, part.end, copy, stride, runs); },
        [&](const ByteRange& part) { add_run(runs, part.begin, part.end); });
  run_count_ = runs.size();
  bytes_ = (piece_count_ + run_count_) * sizeof(ByteRange);
  std::size_t to = bytes_;
  for (const ByteRange& run : runs) bytes_ += run.bytes();
  block_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
  std::copy(pieces.begin(), pieces.end(), reinterpret_cast<ByteRange*>(block_.get()));
  std::copy(runs.begin(), runs.end(), reinterpret_cast<ByteRange*>(block_.get()) + piece_count_);
  for (const ByteRange& run : runs) {
    std::memcpy(block_.get() + to, run.begin, run.bytes());
    to += run.bytes();
  }
}

// A delta is a function of the pieces, their bytes, and the base.
bool MemoryDelta::is_same_as(const MemoryDelta& other) const {
  return base_ == other.base_ && bytes_ == other.bytes_ && piece_count_ == other.piece_count_ &&
         run_count_ == other.run_count_ && std::memcmp(block_.get(), other.block_.get(), bytes_) == 0;
}

void MemoryDelta::write_back() const {
  for (const ByteRange& piece : pieces())
    for_each_covered(
        piece, *base_,
        [](const ByteRange& part, const std::byte* copy) { std::memcpy(part.begin, copy, part.bytes()); },
        [](const ByteRange&) {});
  const auto* runs = block<ByteRange>(piece_count_ * sizeof(ByteRange));
  const std::byte* from = block_.get() + (piece_count_ + run_count_) * sizeof(ByteRange);
  for (std::size_t i = 0; i < run_count_; ++i) {
    std::memcpy(runs[i].begin, from, runs[i].bytes());
    from += runs[i].bytes();
  }
}

}  // namespace rehearse
