// SPDX-License-Identifier: MIT
//
// Reserves ranges, and copies the live parts of a range out and back.
//
// Shape: a snapshot is a list of pieces (address, number of bytes) and the differences from a base copy that the
//        snapshots of an actor share. Of a part larger than sparse_limit, only the touched pages are saved; pages
//        touched later are zero again after a restore.
#include "simcore/actor_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "simcore/arena.hpp"
#include "simcore/memory/image.hpp"
#include "simcore/memory/paged_part.hpp"
#include "simcore/memory/pages.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {
namespace {

constexpr std::size_t gib = std::size_t{1} << 30;
constexpr std::size_t range_alignment = std::size_t{2} << 20;
constexpr std::size_t sparse_limit = std::size_t{128} << 10;
constexpr std::size_t paged_limit = std::size_t{1} << 20;  // a part with more touched bytes is paged
constexpr std::size_t red_zone = 128;  // x86-64 System V ABI: leaf functions write below the stack pointer

bool is_same_range(const ByteRange& a, const ByteRange& b) { return a.begin == b.begin && a.end == b.end; }

class MemorySnapshot final : public Snapshot {
 public:
  struct Paged {
    PagedPart* part = nullptr;
    PagedState state;
  };
  MemorySnapshot(MemoryDelta delta, std::vector<ByteRange> sparse, std::vector<Paged> paged, std::size_t base_bytes)
      : delta_(std::move(delta)), sparse_(std::move(sparse)), paged_(std::move(paged)), base_bytes_(base_bytes) {}

  std::uint64_t bytes() const override { return sizeof *this + delta_.bytes() + base_bytes_; }
  bool is_same_as(const Snapshot& other) const override {
    const auto& that = static_cast<const MemorySnapshot&>(other);
    return paged_.empty() && that.paged_.empty() && std::ranges::equal(sparse_, that.sparse_, is_same_range) &&
           delta_.is_same_as(that.delta_);
  }
  std::span<const Paged> paged() const { return paged_; }
  const MemoryDelta& delta() const { return delta_; }
  std::span<const ByteRange> sparse() const { return sparse_; }

 private:
  MemoryDelta delta_;
  std::vector<ByteRange> sparse_;  // parts whose pieces are only the touched pages
  std::vector<Paged> paged_;
  std::size_t base_bytes_;  // bytes of the shared base, if this snapshot created it
};

std::size_t bytes_of(std::span<const ByteRange> pieces) {
  std::size_t sum = 0;
  for (const ByteRange& piece : pieces) sum += piece.bytes();
  return sum;
}

std::byte* round_down(std::byte* address, std::size_t unit) {
  return address - reinterpret_cast<std::uintptr_t>(address) % unit;
}

bool set_access(const ByteRange& area, int protection) { return mprotect(area.begin, area.bytes(), protection) == 0; }

// Clears the pages of a sparse part that were touched after the snapshot was taken.
void clear_new_pages(const ByteRange& part, std::span<const ByteRange> pieces) {
  std::vector<ByteRange> touched;
  append_touched(part, touched);
  auto piece = std::lower_bound(pieces.begin(), pieces.end(), part.begin,
                                [](const ByteRange& range, const std::byte* begin) { return range.begin < begin; });
  for (ByteRange run : touched) {
    while (run.begin < run.end) {
      while (piece != pieces.end() && piece->end <= run.begin) ++piece;
      std::byte* next = piece == pieces.end() ? run.end : std::min(run.end, piece->begin);
      if (next > run.begin) clear_bytes({run.begin, next});
      if (next == run.end) break;
      run.begin = std::min(run.end, piece->end);
    }
  }
}

}  // namespace

ActorSpace::ActorSpace(std::uint32_t actors) {
  REHEARSE_ASSERT(actors > 0, "memory for no actors");
  range_bytes_ = std::min(64 * gib, 16 * 1024 * gib / actors) / range_alignment * range_alignment;
  total_bytes_ = range_bytes_ * actors;
  for (std::uintptr_t at = actor_window_begin; at + total_bytes_ <= actor_window_end; at += 1024 * gib) {
    void* mapped = mmap(reinterpret_cast<void*>(at), total_bytes_, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (mapped == MAP_FAILED) continue;
    base_ = static_cast<std::byte*>(mapped);
    madvise(base_, total_bytes_, MADV_NOHUGEPAGE);  // a rank that touches a page must not get two megabytes
    return;
  }
  throw std::bad_alloc();
}

bool ActorSpace::make_executable() { return mprotect(base_, total_bytes_, PROT_READ | PROT_WRITE | PROT_EXEC) == 0; }

ActorSpace::~ActorSpace() { munmap(base_, total_bytes_); }

ActorMemory::ActorMemory(StackSpan stack, std::byte* heap, std::byte* heap_end)
    : stack_(stack), heap_begin_(heap), heap_end_(heap_end), dirty_end_(std::make_unique<std::byte*>(heap)) {
  heap_ = Arena::create(heap_begin_, heap_end_, dirty_end_.get());
}

ActorMemory::~ActorMemory() = default;

void ActorMemory::add_region(std::byte* begin, std::byte* end) {
  if (begin < end) regions_.emplace_back(begin, end);
  std::sort(regions_.begin(), regions_.end());
  areas_heap_end_ = nullptr;
}

void ActorMemory::add_scratch(std::byte* begin, std::byte* end) {
  if (begin < end) scratch_.push_back({begin, end});
  areas_heap_end_ = nullptr;
}

void ActorMemory::reset_heap() { heap_ = Arena::create(heap_begin_, heap_end_, dirty_end_.get()); }

// Adds the whole part up to sparse_limit; beyond that only its touched pages.
void ActorMemory::add_part(ByteRange part, std::uint64_t limit_bytes, std::vector<ByteRange>& sparse) {
  if (part.begin >= part.end) return;
  if (part.bytes() <= sparse_limit) return pieces_.push_back(part);
  const std::size_t before = pieces_.size();
  PagedPart* paged = paged_part(part, 0);
  if (paged == nullptr) {
    append_touched(part, pieces_);
    const std::size_t touched = bytes_of(std::span(pieces_).subspan(before));
    if (touched <= limit_bytes) paged = paged_part(part, touched);
  }
  if (paged == nullptr) return sparse.push_back(part);
  pieces_.resize(before);
  const ByteRange pages = paged->range();
  if (part.begin < pages.begin) pieces_.push_back({part.begin, pages.begin});
  if (pages.end < part.end) pieces_.push_back({pages.end, part.end});
  paged_now_.push_back(paged);
}

// The part as a paged part, or null. A part becomes paged when enough of it is touched. Stacks may end and begin.
PagedPart* ActorMemory::paged_part(ByteRange part, std::size_t touched_bytes) {
  std::byte* begin = round_down(part.begin + page_bytes - 1, page_bytes);
  for (const auto& paged : paged_)
    if (paged->range().begin == begin) return paged.get();
  const bool is_stack = part.begin >= stack_.bottom && part.begin < stack_.top;
  if (touched_bytes < paged_limit || is_stack || !is_paging_possible_) return nullptr;
  std::byte* end = part.begin == heap_begin_ ? used_heap_end() : round_down(part.end, page_bytes);
  auto made = PagedPart::make({begin, end});
  is_paging_possible_ = made != nullptr;
  if (made == nullptr) return nullptr;
  paged_.push_back(std::move(made));
  return paged_.back().get();
}

void ActorMemory::extend_paged() {
  std::byte* heap_pages = round_down(heap_begin_ + page_bytes - 1, page_bytes);
  for (const auto& paged : paged_)
    if (paged->range().begin == heap_pages) paged->extend(used_heap_end());
}

ActorMemory::PageTraffic ActorMemory::page_traffic() const {
  PageTraffic sum;
  for (const auto& paged : paged_) {
    sum.copied += paged->pages_copied();
    sum.restored += paged->pages_restored();
  }
  return sum;
}

// The end of the used heap, rounded up so that the next blocks are inside, too.
std::byte* ActorMemory::used_heap_end() const {
  constexpr std::size_t step = std::size_t{2} << 20;  // the range of one page of page tables
  return std::min(round_down(*dirty_end_ + step - 1, step), round_down(heap_end_, page_bytes));
}

std::unique_ptr<Snapshot> ActorMemory::save(const std::byte* stack_pointer, std::uint64_t limit_bytes) {
  if (stack_pointer < stack_.bottom || stack_pointer > stack_.top) return nullptr;
  std::byte* from = stack_.top - (stack_.top - stack_pointer) - red_zone;
  parts_.assign(
      {{std::max(from, stack_.bottom), stack_.top}, {heap_begin_, heap_begin_ + (heap_->high_water() - heap_begin_)}});
  for (const auto& [begin, end] : regions_) parts_.push_back({begin, end});
  std::sort(parts_.begin(), parts_.end(), [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  pieces_.clear();
  paged_now_.clear();
  extend_paged();
  std::vector<ByteRange> sparse;
  for (const ByteRange& part : parts_) add_part(part, limit_bytes, sparse);
  const std::size_t payload = bytes_of(pieces_);
  std::size_t all = payload;
  for (const PagedPart* part : paged_now_) all += part->bytes();
  if (all > limit_bytes) return nullptr;
  std::size_t base_bytes = 0;
  const auto renew_base = [&] {  // the first snapshot keeps the base alive
    base_bytes = base_ ? bytes_of(pieces_) : 0;
    base_ = std::make_shared<const MemoryImage>(pieces_);
  };
  if (!base_) renew_base();
  MemoryDelta delta(pieces_, base_);
  if (delta.bytes() > payload / 2) {
    renew_base();
    delta = MemoryDelta(pieces_, base_);
  }
  std::vector<MemorySnapshot::Paged> paged;
  for (PagedPart* part : paged_now_) paged.push_back({part, part->save(base_bytes)});
  return std::make_unique<MemorySnapshot>(std::move(delta), std::move(sparse), std::move(paged), base_bytes);
}

void ActorMemory::restore(const Snapshot& saved) {
  const auto& snapshot = static_cast<const MemorySnapshot&>(saved);
  extend_paged();
  for (const ByteRange& part : snapshot.sparse()) clear_new_pages(part, snapshot.delta().pieces());
  snapshot.delta().write_back();
  for (const auto& [part, state] : snapshot.paged()) part->restore(state);
}

void ActorMemory::renew_areas() {
  areas_heap_end_ = used_heap_end();
  std::vector<ByteRange> parts{{stack_.bottom, stack_.top}, {heap_begin_, std::max(heap_begin_, areas_heap_end_)}};
  for (const auto* list : {&regions_, &scratch_})
    for (const auto& [begin, end] : *list) parts.push_back({begin, end});
  for (ByteRange& part : parts)
    part = {round_down(part.begin, page_bytes), round_down(part.end + page_bytes - 1, page_bytes)};
  std::sort(parts.begin(), parts.end(), [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  areas_.clear();
  for (const ByteRange& part : parts) {
    if (areas_.empty() || areas_.back().end < part.begin) areas_.push_back(part);
    else areas_.back().end = std::max(areas_.back().end, part.end);
  }
  // An attribute that the neighbouring memory does not have. It prevents the kernel from merging and splitting
  // mappings, which would cost more than closing.
  for (const ByteRange& area : areas_) madvise(area.begin, area.bytes(), MADV_DONTDUMP);
}

bool ActorMemory::close() {
  if (areas_heap_end_ < *dirty_end_) renew_areas();
  is_open_ = false;
  return std::ranges::all_of(areas_, [](const ByteRange& area) { return set_access(area, PROT_NONE); });
}

bool ActorMemory::open() {
  is_open_ = true;
  const int access = PROT_READ | PROT_WRITE | (is_executable_ ? PROT_EXEC : 0);
  return std::ranges::all_of(areas_, [access](const ByteRange& area) { return set_access(area, access); });
}

void clear_memory(std::byte* begin, std::byte* end) {
  if (begin >= end) return;
  if (const ByteRange range{begin, end}; range.bytes() <= page_bytes) return clear_bytes(range);
  std::vector<ByteRange> touched;
  append_touched({begin, end}, touched);
  for (const ByteRange& run : touched) clear_bytes(run);
}

}  // namespace rehearse
