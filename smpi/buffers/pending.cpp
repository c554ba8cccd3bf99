// SPDX-License-Identifier: MIT
//
// See pending.hpp.
#include "smpi/buffers/pending.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <utility>

#include "simcore/support/format.hpp"
#include "smpi/buffers/accesses.hpp"
#include "smpi/buffers/content.hpp"
#include "smpi/buffers/exposed.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/folding.hpp"
#include "smpi/process.hpp"
#include "smpi/process/thread_order.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {

constinit thread_local Watched watched;

namespace {

const char* kind_of(bool written) { return written ? "receive buffer" : "send buffer"; }

bool conflict(const BufferUse& a, const BufferUse& b) { return a.written || b.written; }

// Whether the two have a byte in common. `shape` is the footprint of `use`, which is made when it is needed.
bool have_common_bytes(PendingBuffer& pending, const BufferUse& use, std::unique_ptr<Footprint>& shape) {
  if (!shape) shape = std::make_unique<Footprint>(use.blocks);
  return pending.exact().meets(*shape);
}

// "the send buffer (2 MPI_INT, 8 bytes)"
std::string text_of_use(const BufferUse& use) {
  const Buffer* all = use.blocks.as_one();
  const std::string elements = all == nullptr ? "" : fmt::format("{} {}, ", all->count, describe(*all->type));
  return fmt::format("the {} ({}{})", kind_of(use.written), elements, bytes_text(use.blocks.bytes()));
}

void report_overlap(const PendingBuffer& pending, const BufferUse& use) {
  const std::string what = text_of_buffer(text_of_use(use), creation_site()) + " overlaps " +
                           text_of_buffer(pending.text(), pending.site) + ", which is not complete";
  const std::array others{ReportedPlace{pending.site, "began here, and is not complete"}};
  report_places(pending.use.received && use.received ? "buffer.overlap.receives" : "buffer.overlap", what,
                {{}, "uses the same memory"}, others);
}

void report_within(const std::string& buffers, const std::string& what) {
  report_places("buffer.overlap", text_of_buffer(buffers, creation_site()) + what, {}, {});
}

// Whether the blocks follow each other in memory, and none has gaps.
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
    report_within("the receive buffer", " contains the same memory more than once: the datatype, its count or the "
                                        "displacements make its parts overlap");
}

// Compares the use with all pending buffers. Returns whether it meets none of them. The content of a buffer that it
// meets may change, so it is not compared any more. A loop may begin very many operations on one buffer: a use is
// compared with a limited number of those that it meets.
bool check_pending(PendingBuffers& pending, const BufferUse& use) {
  const Span hull = hull_of(use.blocks);
  if (hull.empty() || (!use.written && pending.is_only_read())) return true;
  std::unique_ptr<Footprint> shape;
  constexpr std::size_t most_met = 256;
  std::vector<PendingBuffer*> met;
  pending.for_each_near(hull, !use.written, [&](PendingBuffer& other) {
    if (!conflict(other.use, use) || !have_common_bytes(other, use, shape)) return false;
    if (other.is_released()) other.content.reset();
    else met.push_back(&other);
    return met.size() == most_met;
  });
  if (met.size() == most_met) pending.ignore_contents();
  for (PendingBuffer* other : met) {
    const CreationSite here = creation_site();
    other->content.reset();
    if (pending.is_first_report(here.return_address, other->site.return_address)) report_overlap(*other, use);
  }
  return met.empty();
}

}  // namespace

BufferUse use_of(const Transfer& transfer, bool written) {
  return {Blocks::equal({transfer.buffer, transfer.count, transfer.type}, 1), written, written};
}

std::string text_of_buffer(const std::string& buffer, const CreationSite& site) {
  const std::string place = text_of(site);
  return place.empty() ? buffer : buffer + " of " + place;
}

std::string PendingBuffer::text() const { return text_of_use(use); }

const Footprint& PendingBuffer::exact() {
  if (!shape) shape = std::make_unique<Footprint>(use.blocks);
  return *shape;
}

BufferToken PendingBuffers::add(BufferUse use, const CreationSite& site, std::uint64_t content_limit) {
  if (!kept_.empty()) free_kept();
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
  slot.content = content_limit == 0 || ignores_contents_ ? std::nullopt : content_of(slot.use.blocks, content_limit);
  slot.live = true;
  slot.has_place = true;
  slot.released = {};
  slot.frame = frame_mark(slot.hull.begin);
  if (slot.frame.address != 0 && (lowest_on_stack_ == 0 || slot.frame.address < lowest_on_stack_))
    lowest_on_stack_ = slot.frame.address;
  const auto index = [&](std::uint32_t which) {
    longest_ = std::max(longest_, slots_[which].hull.end - slots_[which].hull.begin);
    index_[slots_[which].use.written ? 1 : 0].emplace(slots_[which].hull.begin, which);
  };
  ++live_;
  if (slot.use.written) ++written_;
  if (is_indexed_) {
    index(at);
  } else if (live_ > few) {
    is_indexed_ = true;
    for (std::uint32_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].live) index(i);
  }
  watch_span(slot.hull);
  return at + 1;
}

void PendingBuffers::remove(BufferToken token) {
  const std::uint32_t at = token - 1;
  PendingBuffer& slot = slots_[at];
  index_[slot.use.written ? 1 : 0].erase({slot.hull.begin, at});
  if (slot.use.written) --written_;
  slot.live = false;
  slot.use = {};
  slot.shape.reset();
  free_.insert(std::ranges::upper_bound(free_, at, std::ranges::greater()), at);
  if (--live_ > 0) return;
  index_ = {};
  is_indexed_ = false;
  longest_ = 0;
  lowest_on_stack_ = 0;
  ignores_contents_ = false;
  watched = {};
  watch_arrived();
  watch_exposed();
}

void PendingBuffers::ignore_contents() {
  if (ignores_contents_) return;
  ignores_contents_ = true;
  for (PendingBuffer& slot : slots_) slot.content.reset();
}

std::optional<ChangedBuffer> PendingBuffers::find_change(const PendingBuffer& pending) {
  if (!pending.has_place) return std::nullopt;
  const bool is_frame = is_over(pending.frame);
  const auto is_same = [&] {
    return !pending.content || content_of(pending.use.blocks, buffer_checks().content_bytes) == pending.content;
  };
  if (!is_frame && is_same()) return std::nullopt;
  return ChangedBuffer{is_frame ? ChangedBuffer::How::frame : ChangedBuffer::How::content, pending.text(), pending.site,
                       pending.released, pending.frame.place};
}

std::optional<ChangedBuffer> PendingBuffers::release(BufferToken token, const CreationSite& site) {
  PendingBuffer& pending = slots_[token - 1];
  if (auto changed = find_change(pending)) {
    remove(token);
    return changed;
  }
  pending.released = site;
  released_.push_back(token);
  return std::nullopt;
}

void PendingBuffers::forget_released() {
  for (const BufferToken token : std::exchange(released_, {}))
    if (EndedUse ended = end_use(token); ended.changed) late_.push_back(std::move(*ended.changed));
}

std::int64_t PendingBuffers::lowest_frame() const {
  std::int64_t lowest = 0;
  for (const PendingBuffer& slot : slots_)
    if (slot.live && slot.has_place && slot.frame.address != 0 && (lowest == 0 || slot.frame.address < lowest))
      lowest = slot.frame.address;
  return lowest;
}

void PendingBuffers::check_frames() {
  if (lowest_on_stack_ == 0 || !is_on_dead_stack(lowest_on_stack_)) return;
  std::vector<ChangedBuffer> over;
  for (PendingBuffer& slot : slots_) {
    if (!slot.live || !slot.has_place || !is_over(slot.frame)) continue;
    slot.has_place = false;
    over.push_back({ChangedBuffer::How::frame, slot.text(), slot.site, slot.released, slot.frame.place});
  }
  lowest_on_stack_ = lowest_frame();
  for (const ChangedBuffer& each : over) report_changed(each);
}

void PendingBuffers::keep(void* block, const Span& bytes) {
  free_kept();
  kept_.push_back({block, bytes});
}

void PendingBuffers::free_kept() {
  for (std::size_t i = 0; i < kept_.size();) {
    bool is_used = false;
    for_each_near(kept_[i].bytes, [&](const PendingBuffer&) { return is_used = true; });
    if (is_used) {
      ++i;
      continue;
    }
    std::free(kept_[i].block);
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

ClearPieces& PendingBuffers::clear_pieces() {
  if (pieces_ == nullptr) pieces_ = std::make_unique<ClearPieces>();
  else if (watched.pieces == nullptr) *pieces_ = {};
  watched.pieces = pieces_.get();
  return *pieces_;
}

void check_uses(std::vector<BufferUse> uses) {
  for (const BufferUse& use : uses) {
    note_own_buffer(use);
    if (ThreadOrder* order = followed_order(); order != nullptr) order->end_buffer(use, creation_site());
  }
  if (!buffer_checks().overlaps) return;
  PendingBuffers& pending = per_rank<PendingBuffers>();
  pending.check_frames();
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (!uses[i].written && buffer_checks().accesses) check_written(uses[i].blocks, uses[i].combined);
    check_itself(uses[i]);
    if (!pending.empty()) check_pending(pending, uses[i]);
    for (std::size_t j = i + 1; j < uses.size(); ++j) {
      if (!conflict(uses[i], uses[j]) || !hull_of(uses[i].blocks).meets(hull_of(uses[j].blocks))) continue;
      if (Footprint(uses[i].blocks).meets(Footprint(uses[j].blocks)))
        report_within("the send buffer and the receive buffer", " overlap");
    }
  }
}

BufferToken begin_use(BufferUse use) {
  const BufferChecks checks = buffer_checks();
  if (use.blocks.bytes() == 0) return 0;
  note_own_buffer(use);
  if (ThreadOrder* order = followed_order(); order != nullptr) order->check_buffer(use);
  // Data must never be written to a part of the stack that our own functions use now, even if no check is on.
  if (checks.none_pending() && !(use.written && is_on_stack(hull_of(use.blocks).begin))) return 0;
  if (!use.written && checks.accesses) check_written(use.blocks, use.combined);
  PendingBuffers& pending = per_rank<PendingBuffers>();
  pending.check_frames();
  bool is_alone = true;
  if (checks.overlaps) {
    check_itself(use);
    is_alone = pending.empty() || check_pending(pending, use);
  }
  const Span hull = hull_of(use.blocks);
  const bool changes_by_itself =
      is_folded({reinterpret_cast<const std::byte*>(hull.begin), static_cast<std::size_t>(hull.end - hull.begin)});
  const BufferUse noted = use;
  const BufferToken token =
      pending.add(std::move(use), creation_site(), is_alone && !changes_by_itself ? checks.content_bytes : 0);
  note_own_begin(noted, token);
  return token;
}

EndedUse end_use(BufferToken token) {
  if (token == 0) return {};
  PendingBuffers& all = per_rank<PendingBuffers>();
  note_own_end(all[token].use, token);
  if (ThreadOrder* order = followed_order(); order != nullptr) order->end_buffer(all[token].use, all[token].site);
  EndedUse ended;
  ended.changed = PendingBuffers::find_change(all[token]);
  ended.has_place = all[token].has_place && !(ended.changed && ended.changed->how == ChangedBuffer::How::frame);
  all.remove(token);
  return ended;
}

namespace {

void report_frame(const ChangedBuffer& changed) {
  if (!buffer_checks().lifetimes) return;
  const std::string function = changed.frame_place == nullptr ? "" : find_source(changed.frame_place).function;
  const std::string what = text_of_buffer(changed.buffer, changed.site) + " was on the stack of " +
                           (function.empty() ? "a function" : function + "()") + ", which returned before " +
                           "the operation was complete; " + text_of(creation_site()) + " is called after that";
  const std::array others{ReportedPlace{changed.site, "began here; the function that had the buffer has returned"}};
  report_places("buffer.freed", what, {{}, "is called when the buffer is gone"}, others);
}

void report_content(const ChangedBuffer& changed) {
  const std::string buffer = text_of_buffer(changed.buffer, changed.site);
  const std::string here = text_of(creation_site());
  if (changed.released.return_address != nullptr) {
    const std::string what = buffer + " was changed before " + here + ", although " + text_of(changed.released) +
                             " had only freed its request: the operation was not known to be complete";
    const std::array others{ReportedPlace{changed.released, "frees the request; the buffer was changed after that"},
                            ReportedPlace{changed.site, "began here"}};
    return report_places("buffer.touched", what, {{}, "comes after the change"}, others);
  }
  const std::array others{ReportedPlace{changed.site, "began here; the buffer was changed between the two"}};
  report_places("buffer.touched", buffer + " was changed before " + here + " completed the operation",
                {{}, "completes it"}, others);
}

}  // namespace

void report_changed(const ChangedBuffer& changed) {
  if (!per_rank<PendingBuffers>().is_first_report(creation_site().return_address, changed.site.return_address)) return;
  if (changed.how == ChangedBuffer::How::frame) report_frame(changed);
  else report_content(changed);
}

void report_late_changes(PendingBuffers& all) {
  for (const ChangedBuffer& changed : all.take_late_changes()) report_changed(changed);
}

void check_pending_buffers() {
  PendingBuffers* all = find_per_rank<PendingBuffers>();
  if (all == nullptr) return;
  all->forget_released();
  report_late_changes(*all);
  all->check_frames();
}

}  // namespace rehearse::smpi
