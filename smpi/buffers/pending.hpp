// SPDX-License-Identifier: MIT
//
// The buffers of the calling rank's operations that are not complete: who must not touch them, and who did.
//
// Rules:     what an operation writes is nobody else's until it is complete; what it reads may be read, but not
//            written. Overlaps of two operations are found when the second begins (buffer.overlap); stores of the
//            program by a checksum over the buffer when it ends (buffer.touched), or one by one where the program was
//            compiled to tell of its accesses (see accesses.cpp).
// Cost:      one comparison per pending operation, or a search among them if they are many; a long look only at those
//            whose hulls overlap.
// Ownership: in the rank's memory, rolled back with it.
// Threads:   only from the rank's own fiber.
// Source:    MPI 5.0, 3.7.2 and 6.12.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "smpi/buffers/footprint.hpp"
#include "smpi/buffers/token.hpp"
#include "smpi/buffers/unwritten.hpp"
#include "smpi/buffers/watched.hpp"
#include "smpi/collective/blocks.hpp"
#include "smpi/handle_registry.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {

// What one operation does with memory.
struct BufferUse {
  Blocks blocks;
  bool written = false;  // otherwise it is read
  bool received = false;  // written, by one message
};

BufferUse use_of(const Transfer& transfer, bool written);

// One pending buffer.
struct PendingBuffer {
  BufferUse use;
  Span hull;
  CreationSite site;                     // of the call that began the operation
  std::optional<std::uint64_t> content;  // when it began; nothing: not to be compared
  std::unique_ptr<Footprint> shape;          // once somebody wanted to know exactly
  bool live = false;

  const Footprint& exact();
};

class PendingBuffers {
 public:
  bool empty() const { return live_ == 0; }

  BufferToken add(BufferUse use, const CreationSite& site, std::uint64_t content_limit);
  PendingBuffer& operator[](BufferToken token) { return slots_[token - 1]; }
  void remove(BufferToken token);

  // Those whose hulls meet this one: f(PendingBuffer&), until it says true.
  template <class F>
  void for_each_near(const Span& hull, F&& f) {
    if (index_.empty()) {
      for (PendingBuffer& slot : slots_)
        if (slot.live && slot.hull.meets(hull) && f(slot)) return;
      return;
    }
    auto at = index_.lower_bound(hull.begin - longest_);
    for (; at != index_.end() && at->first < hull.end; ++at)
      if (PendingBuffer& slot = slots_[at->second]; slot.hull.meets(hull) && f(slot)) return;
  }

  // The memory around these bytes that is between the hulls of those that matter; nothing if one of these has them, or
  // if there are so many that looking at all of them would take long.
  template <class Matters>
  std::optional<Span> gap_around(const Span& bytes, Matters&& matters) const {
    Span gap{0, std::numeric_limits<std::int64_t>::max()};
    if (slots_.size() > many) return std::nullopt;
    for (const PendingBuffer& slot : slots_) {
      if (!slot.live || !matters(slot)) continue;
      if (slot.hull.meets(bytes)) return std::nullopt;
      if (slot.hull.end <= bytes.begin) gap.begin = std::max(gap.begin, slot.hull.end);
      else gap.end = std::min(gap.end, slot.hull.begin);
    }
    return gap;
  }

  // Pieces of memory that are known to be clear, until the next one is added.
  ClearPieces& clear_pieces();

  // Whether this is the first time that the rank is told of these places.
  bool is_news(const void* place, const void* other) { return told_.insert({place, other}).second; }

 private:
  static constexpr std::size_t few = 24;
  static constexpr std::size_t many = 256;

  void watch(const Span& hull);

  std::vector<PendingBuffer> slots_;
  std::vector<std::uint32_t> free_;
  std::size_t live_ = 0;
  std::multimap<std::int64_t, std::uint32_t> index_;  // by where hulls begin; empty while they are few
  std::int64_t longest_ = 0;                          // hull in the index
  std::set<std::pair<const void*, const void*>> told_;
  std::unique_ptr<ClearPieces> pieces_;
};

// An operation that ends within the call: reports overlaps with pending ones, and of its own buffers.
void check_uses(std::vector<BufferUse> uses);
inline void check_use(const Transfer& transfer, bool written) {
  if (!written && buffer_checks().accesses) check_written(use_of(transfer, written).blocks);
  const PendingBuffers* pending = find_per_rank<PendingBuffers>();
  const bool alone = pending == nullptr || pending->empty();
  if (!alone || (written && !transfer.type->contiguous())) check_uses({use_of(transfer, written)});
}

// An operation begins; it reports the overlaps. 0: nothing to be remembered.
BufferToken begin_use(BufferUse use);

// It ends; says whether the buffer was changed meanwhile, for report_changed() when the rank may ask.
std::optional<ChangedBuffer> end_use(BufferToken token);
void report_changed(const ChangedBuffer& changed);

}  // namespace rehearse::smpi
