// SPDX-License-Identifier: MIT
//
// See pending.hpp.
#include "smpi/buffers/pending.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "smpi/buffers/accesses.hpp"
#include "smpi/buffers/content.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/process.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {

constinit thread_local Watched watched;

namespace {

const char* kind_of(bool written) { return written ? "receive buffer" : "send buffer"; }

bool conflict(const BufferUse& a, const BufferUse& b) { return a.written || b.written; }

// Whether the two have a byte in common; `shape` is that of `use`, made when it is needed.
bool really_meet(PendingBuffer& pending, const BufferUse& use, std::unique_ptr<Footprint>& shape) {
  if (!shape) shape = std::make_unique<Footprint>(use.blocks);
  return pending.exact().meets(*shape);
}

void report_overlap(const PendingBuffer& pending, const BufferUse& use) {
  const std::string what = std::string("the ") + kind_of(use.written) + " (" + bytes_text(use.blocks.bytes()) +
                           ") overlaps the " + kind_of(pending.use.written) + " of " + text_of(pending.site) +
                           ", which is not complete";
  const std::array others{ReportedPlace{pending.site, "began here, and is not complete"}};
  report_places(pending.use.received && use.received ? "buffer.overlap.receives" : "buffer.overlap", what,
                {{}, "uses the same memory"}, others);
}

void report_within(const std::string& what) { report_places("buffer.overlap", what, {}, {}); }

// One behind the other, none with gaps.
bool are_in_order(const Blocks& blocks) {
  std::int64_t end = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Buffer block = blocks[i];
    if (block.bytes() == 0) continue;
    const Span hull = hull_of(block);
    if (!block.type->contiguous() || hull.begin < end) return false;
    end = hull.end;
  }
  return true;
}

void check_itself(const BufferUse& use) {
  if (!use.written) return;
  const Buffer* all = use.blocks.as_one();
  if (all != nullptr ? all->count == 0 || all->type->contiguous() : are_in_order(use.blocks)) return;
  if (Footprint(use.blocks).meets_itself())
    report_within("the receive buffer has the same memory in it more than once: the datatype, its count or the "
                  "displacements make its parts overlap");
}

// Against all that are pending; whether it met none. What others write may change: it is not compared any more.
bool check_pending(PendingBuffers& pending, const BufferUse& use) {
  const Span hull = hull_of(use.blocks);
  if (hull.empty()) return true;
  std::unique_ptr<Footprint> shape;
  std::vector<PendingBuffer*> met;
  pending.for_each_near(hull, [&](PendingBuffer& other) {
    if (conflict(other.use, use) && really_meet(other, use, shape)) met.push_back(&other);
    return false;
  });
  for (PendingBuffer* other : met) {
    const CreationSite here = creation_site();
    other->content.reset();
    if (pending.is_news(here.return_address, other->site.return_address)) report_overlap(*other, use);
  }
  return met.empty();
}

}  // namespace

BufferUse use_of(const Transfer& transfer, bool written) {
  return {Blocks::equal({transfer.buffer, transfer.count, transfer.type}, 1), written, written};
}

const Footprint& PendingBuffer::exact() {
  if (!shape) shape = std::make_unique<Footprint>(use.blocks);
  return *shape;
}

BufferToken PendingBuffers::add(BufferUse use, const CreationSite& site, std::uint64_t content_limit) {
  std::uint32_t at = static_cast<std::uint32_t>(slots_.size());
  if (free_.empty()) {
    slots_.emplace_back();
  } else {
    at = free_.back();
    free_.pop_back();
  }
  PendingBuffer& slot = slots_[at];
  slot.hull = hull_of(use.blocks);
  slot.use = std::move(use);
  slot.site = site;
  slot.content = content_limit == 0 ? std::nullopt : content_of(slot.use.blocks, content_limit);
  slot.live = true;
  const auto index = [&](std::uint32_t which) {
    longest_ = std::max(longest_, slots_[which].hull.end - slots_[which].hull.begin);
    index_.emplace(slots_[which].hull.begin, which);
  };
  ++live_;
  if (!index_.empty()) {
    index(at);
  } else if (live_ > few) {
    for (std::uint32_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].live) index(i);
  }
  watch(slot.hull);
  return at + 1;
}

void PendingBuffers::remove(BufferToken token) {
  const std::uint32_t at = token - 1;
  PendingBuffer& slot = slots_[at];
  if (!index_.empty()) {
    auto [entry, end] = index_.equal_range(slot.hull.begin);
    while (entry != end && entry->second != at) ++entry;
    index_.erase(entry);
  }
  slot.live = false;
  slot.use = {};
  slot.shape.reset();
  free_.push_back(at);
  if (--live_ > 0) return;
  index_.clear();
  longest_ = 0;
  watched = {};
}

// The span only grows until nothing is pending.
void PendingBuffers::watch(const Span& hull) {
  if (!buffer_checks().accesses || hull.empty()) return;
  auto begin = static_cast<std::uintptr_t>(hull.begin - widest_access + 1);
  auto end = static_cast<std::uintptr_t>(hull.end);
  for (const bool stores : {false, true}) {
    ClearSpan& clear = watched.clear(stores);
    if (clear.begin < end && begin < clear.begin + clear.bytes) clear = {};
  }
  if (watched.bytes > 0) {
    begin = std::min(begin, watched.begin);
    end = std::max(end, watched.begin + watched.bytes);
  }
  watched.begin = begin;
  watched.bytes = end - begin;
  watched.pieces = nullptr;
}

ClearPieces& PendingBuffers::clear_pieces() {
  if (pieces_ == nullptr) pieces_ = std::make_unique<ClearPieces>();
  else if (watched.pieces == nullptr) *pieces_ = {};
  watched.pieces = pieces_.get();
  return *pieces_;
}

void check_uses(std::vector<BufferUse> uses) {
  if (!buffer_checks().overlaps) return;
  PendingBuffers& pending = per_rank<PendingBuffers>();
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (!uses[i].written && buffer_checks().accesses) check_written(uses[i].blocks);
    check_itself(uses[i]);
    if (!pending.empty()) check_pending(pending, uses[i]);
    for (std::size_t j = i + 1; j < uses.size(); ++j) {
      if (!conflict(uses[i], uses[j]) || !hull_of(uses[i].blocks).meets(hull_of(uses[j].blocks))) continue;
      if (Footprint(uses[i].blocks).meets(Footprint(uses[j].blocks)))
        report_within("the send buffer and the receive buffer overlap");
    }
  }
}

BufferToken begin_use(BufferUse use) {
  const BufferChecks checks = buffer_checks();
  if (checks.none_pending() || use.blocks.bytes() == 0) return 0;
  if (!use.written && checks.accesses) check_written(use.blocks);
  PendingBuffers& pending = per_rank<PendingBuffers>();
  bool is_alone = true;
  if (checks.overlaps) {
    check_itself(use);
    is_alone = pending.empty() || check_pending(pending, use);
  }
  return pending.add(std::move(use), creation_site(), is_alone ? checks.content_bytes : 0);
}

std::optional<ChangedBuffer> end_use(BufferToken token) {
  if (token == 0) return std::nullopt;
  PendingBuffers& all = per_rank<PendingBuffers>();
  PendingBuffer& pending = all[token];
  std::optional<ChangedBuffer> changed;
  if (pending.content && content_of(pending.use.blocks, buffer_checks().content_bytes) != pending.content)
    changed = ChangedBuffer{pending.site, pending.use.written, pending.use.blocks.bytes()};
  all.remove(token);
  return changed;
}

void report_changed(const ChangedBuffer& changed) {
  const CreationSite here = creation_site();
  if (!per_rank<PendingBuffers>().is_news(here.return_address, changed.site.return_address)) return;
  const std::string what = std::string("the ") + kind_of(changed.written) + " (" + bytes_text(changed.bytes) + ") of " +
                           text_of(changed.site) + " was changed before the operation was complete";
  const std::array others{ReportedPlace{changed.site, "began here; the buffer was changed between the two"}};
  report_places("buffer.touched", what, {{}, "completes it"}, others);
}

}  // namespace rehearse::smpi
