// SPDX-License-Identifier: MIT
//
// The buffers of the calling rank's pending operations: their permitted uses, and violations.
//
// Rules:     memory that an operation writes must not be used until the operation is complete; memory that it reads
//            may be read, but not written. Overlaps of two operations are found when the second begins
//            (buffer.overlap). Stores of the program are found by a checksum when the operation ends (buffer.touched),
//            or one by one if the program was compiled to report its accesses (see accesses.cpp). Memory that is freed,
//            or that belonged to a function that has returned, is found at that time or at the next call that checks it
//            (buffer.freed).
// Released:  an operation whose request was freed may continue until the rank receives data from another rank: before,
//            the rank cannot know that the operation is over. Until then the program must not change the buffer. The
//            use of the buffer by another operation is not reported, because its data may prove the end of the first.
// Cost:      one comparison per pending operation, or a search among them if they are many; an exact comparison only
//            of those whose hulls overlap.
// Ownership: in the rank's memory, rolled back with it.
// Threads:   only from the rank's own fiber.
// Source:    MPI 5.0, 3.7.2 and 6.12.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "smpi/buffers/footprint.hpp"
#include "smpi/buffers/stack_life.hpp"
#include "smpi/buffers/token.hpp"
#include "smpi/buffers/unwritten.hpp"
#include "smpi/buffers/watched.hpp"
#include "smpi/collective/blocks.hpp"
#include "smpi/handle_registry.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {

class ExposedMemory;
class ThreadOrder;

// The use of memory by one operation.
struct BufferUse {
  Blocks blocks;
  bool written = false;   // otherwise it is read
  bool received = false;  // written, by one message
  bool combined = false;  // read, by a reduction
};

BufferUse use_of(const Transfer& transfer, bool written);

// One pending buffer.
struct PendingBuffer {
  BufferUse use;
  Span hull;
  CreationSite site;                     // of the call that began the operation
  std::optional<std::uint64_t> content;  // hash when it began; nothing: do not compare
  std::unique_ptr<Footprint> shape;      // made when an exact comparison needs it
  FrameMark frame;                       // of the function whose stack contains it
  CreationSite released;                 // of the call that freed the request; empty: none
  bool live = false;
  bool has_place = true;  // false: the function has returned

  bool is_released() const { return released.return_address != nullptr; }
  // "the send buffer (2 MPI_INT, 8 bytes)"
  std::string text() const;

  const Footprint& exact();
};

class PendingBuffers {
 public:
  bool empty() const { return live_ == 0; }
  // Whether all of them are only read.
  bool is_only_read() const { return written_ == 0; }

  BufferToken add(BufferUse use, const CreationSite& site, std::uint64_t content_limit);
  PendingBuffer& operator[](BufferToken token) { return slots_[token - 1]; }
  void remove(BufferToken token);

  // The operation continues without a request, unless its buffer was changed before.
  std::optional<ChangedBuffer> release(BufferToken token, const CreationSite& site);
  // Released operations may be over. Changes of their buffers until now are reported by report_late_changes().
  void forget_released();
  bool has_released() const { return !released_.empty(); }
  std::vector<ChangedBuffer> take_late_changes() { return std::exchange(late_, {}); }
  bool has_late_changes() const { return !late_.empty(); }

  // The contents are not compared any more, until no buffer is pending.
  void ignore_contents();

  // Reports pending buffers that belonged to functions that have returned.
  void check_frames();

  // A change of the buffer, or the return of the function that owned it; empty: none, or it is reported already.
  static std::optional<ChangedBuffer> find_change(const PendingBuffer& pending);

  // Keeps a heap block that the program has freed until no pending buffer overlaps it.
  void keep(void* block, const Span& bytes);

  // Calls f(PendingBuffer&) for those whose hulls meet this one, until it returns true.
  template <class F>
  void for_each_near(const Span& hull, F&& f) {
    for_each_near(hull, false, f);
  }
  // With `only_written`: of those that are written.
  template <class F>
  void for_each_near(const Span& hull, bool only_written, F&& f) {
    if (!is_indexed_) {
      for (PendingBuffer& slot : slots_)
        if (slot.live && (slot.use.written || !only_written) && slot.hull.meets(hull) && f(slot)) return;
      return;
    }
    for (const bool written : {true, false}) {
      if (only_written && !written) return;
      const Index& index = index_[written ? 1 : 0];
      auto at = index.lower_bound({hull.begin - longest_, 0});
      for (; at != index.end() && at->first < hull.end; ++at)
        if (PendingBuffer& slot = slots_[at->second]; slot.hull.meets(hull) && f(slot)) return;
    }
  }

  // The gap around these bytes between the hulls of the buffers that matter; empty if one of these buffers meets the
  // bytes, or if there are too many buffers to search.
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

  // Whether these places are reported for the first time.
  bool is_first_report(const void* place, const void* other) { return reported_.insert({place, other}).second; }

 private:
  static constexpr std::size_t few = 24;
  static constexpr std::size_t many = 256;

  struct KeptBlock {
    void* block;
    Span bytes;
  };

  void free_kept();
  std::int64_t lowest_frame() const;

  std::vector<PendingBuffer> slots_;
  std::vector<std::uint32_t> free_;  // descending, so that it does not depend on the order in which operations ended
  std::size_t live_ = 0, written_ = 0;
  bool ignores_contents_ = false;
  using Index = std::set<std::pair<std::int64_t, std::uint32_t>>;  // beginnings of hulls, and slots
  std::array<Index, 2> index_;                                     // of read and of written buffers
  bool is_indexed_ = false;                                        // false while there are few
  std::int64_t longest_ = 0;                                       // length of a hull in the index
  std::set<std::pair<const void*, const void*>> reported_;
  std::unique_ptr<ClearPieces> pieces_;
  std::vector<BufferToken> released_;
  std::vector<ChangedBuffer> late_;
  std::vector<KeptBlock> kept_;
  std::int64_t lowest_on_stack_ = 0;  // address of a buffer on the stack; 0: there is none
};

// For an operation that ends within the call: reports overlaps with pending ones, and between its own buffers.
void check_uses(std::vector<BufferUse> uses);
inline void check_use(const Transfer& transfer, bool written) {
  if (!written && buffer_checks().accesses) check_written(use_of(transfer, written).blocks, false);
  const PendingBuffers* pending = find_per_rank<PendingBuffers>();
  const bool alone = (pending == nullptr || pending->empty()) && find_per_rank<ExposedMemory>() == nullptr &&
                     find_per_rank<ThreadOrder>() == nullptr;
  if (!alone || (written && !transfer.type->contiguous())) check_uses({use_of(transfer, written)});
}

// An operation begins: reports overlaps. Returns 0 if the buffer need not be watched.
BufferToken begin_use(BufferUse use);

// The operation ends: returns a change of the buffer since its beginning. Pass it to report_changed() when the rank may
// start operations.
EndedUse end_use(BufferToken token);
void report_changed(const ChangedBuffer& changed);

// Reports changes of released buffers. Call it when the rank may start operations.
void report_late_changes(PendingBuffers& all);
inline void report_late_changes() {
  PendingBuffers* all = find_per_rank<PendingBuffers>();
  if (all != nullptr && all->has_late_changes()) report_late_changes(*all);
}

// At MPI_Finalize: checks all buffers that are still pending a last time.
void check_pending_buffers();

// "the send buffer of MPI_Isend at a.c:12": a buffer, and the call that got it.
std::string text_of_buffer(const std::string& buffer, const CreationSite& site);

}  // namespace rehearse::smpi
