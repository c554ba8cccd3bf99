// SPDX-License-Identifier: MIT
//
// The image of an actor's memory: a hash of the bytes that the actor can still read.
//
// Shape: the bytes that count, one behind the other, then the ranges that they come from. Of parts larger than
//        sparse_image_limit, only parts of pages that are not zero count, so it does not matter which pages were
//        touched.
#include <algorithm>
#include <cstring>

#include "simcore/actor_memory.hpp"
#include "simcore/arena.hpp"

namespace rehearse {
namespace {

constexpr std::size_t usual_bytes = std::size_t{24} << 10;  // of an image
constexpr std::size_t sparse_image_limit = std::size_t{128} << 10;

bool is_all_zero(const ByteRange& range) {
  const std::byte* at = range.begin;
  if (at == range.end) return true;
  return *at == std::byte{0} && std::memcmp(at, at + 1, range.bytes() - 1) == 0;
}

// Collects bytes and their places.
class ImageMaker {
 public:
  // `left_out`: ascending and disjoint.
  ImageMaker(const std::vector<ByteRange>& left_out, std::uint64_t limit_bytes)
      : left_out_(left_out), limit_bytes_(limit_bytes) {
    bytes_.reserve(usual_bytes);
    places_.reserve(2 * (left_out.size() + 16));
  }

  bool is_too_large() const { return bytes_.size() > limit_bytes_; }

  void add_whole(const ByteRange& part) {
    for_each_counted(part, [this](const ByteRange& range) { add(range); });
  }

  void add_touched(const ByteRange& part) {
    std::vector<ByteRange> touched;
    append_touched(part, touched);
    for (const ByteRange& run : touched)
      for (std::byte* at = run.begin; at < run.end && !is_too_large();) {
        const std::size_t rest = page_bytes - reinterpret_cast<std::uintptr_t>(at) % page_bytes;
        std::byte* next = std::min(at + rest, run.end);
        for_each_counted({at, next}, [this](const ByteRange& range) {
          if (!is_all_zero(range)) add(range);
        });
        at = next;
      }
  }

  WideHash hash() const {
    const WideHash both[] = {wide_hash(bytes_.data(), bytes_.size()),
                             wide_hash(places_.data(), places_.size() * sizeof places_[0])};
    return wide_hash(both, sizeof both);
  }

 private:
  template <class Visit>
  void for_each_counted(const ByteRange& part, Visit&& visit) const {
    std::byte* at = part.begin;
    auto hole = std::ranges::lower_bound(left_out_, part.begin, std::less<>(), &ByteRange::begin);
    if (hole != left_out_.begin() && (hole - 1)->end > part.begin) --hole;
    for (; hole != left_out_.end() && hole->begin < part.end; ++hole) {
      if (hole->begin > at) visit(ByteRange{at, hole->begin});
      at = std::min(hole->end, part.end);
    }
    if (at < part.end) visit(ByteRange{at, part.end});
  }

  void add(const ByteRange& range) {
    places_.push_back(reinterpret_cast<std::uintptr_t>(range.begin));
    places_.push_back(range.bytes());
    if (bytes_.size() + range.bytes() > limit_bytes_) return bytes_.resize(limit_bytes_ + 1);
    bytes_.insert(bytes_.end(), range.begin, range.end);
  }

  const std::vector<ByteRange>& left_out_;
  std::uint64_t limit_bytes_;
  std::vector<std::byte> bytes_;
  std::vector<std::uint64_t> places_;
};

// Sorts the ranges and joins those that touch.
void normalise(std::vector<ByteRange>& ranges) {
  std::ranges::sort(ranges, std::less<>(), &ByteRange::begin);
  std::size_t last = 0;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].begin <= ranges[last].end) ranges[last].end = std::max(ranges[last].end, ranges[i].end);
    else ranges[++last] = ranges[i];
  }
  if (!ranges.empty()) ranges.resize(last + 1);
}

}  // namespace

std::optional<WideHash> ActorMemory::image(const std::byte* stack_pointer, std::vector<ByteRange> left_out,
                                           std::uint64_t limit_bytes) {
  if (stack_pointer < stack_.bottom || stack_pointer > stack_.top) return std::nullopt;
  std::byte* const heap_end = heap_begin_ + (heap_->high_water() - heap_begin_);
  heap_->for_each_unused([&](const std::byte* begin, const std::byte* end) {
    if (begin < end) left_out.push_back({heap_begin_ + (begin - heap_begin_), heap_begin_ + (end - heap_begin_)});
  });
  normalise(left_out);
  std::vector<ByteRange> parts{{stack_.top - (stack_.top - stack_pointer), stack_.top}, {heap_begin_, heap_end}};
  for (const auto& [begin, end] : regions_) parts.push_back({begin, end});
  ImageMaker maker(left_out, limit_bytes);
  for (const ByteRange& part : parts) {
    if (part.bytes() <= sparse_image_limit) maker.add_whole(part);
    else maker.add_touched(part);
    if (maker.is_too_large()) return std::nullopt;
  }
  return maker.hash();
}

}  // namespace rehearse
