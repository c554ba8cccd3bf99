// SPDX-License-Identifier: MIT
//
// See accesses.hpp.
#include "smpi/buffers/accesses.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/buffers/exposed.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/process/thread_order.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

void report(const PendingBuffer& pending, bool stores, const void* place) {
  const LibraryCode not_measured;
  const Frame at = find_source(static_cast<const char*>(place) - 1);
  const std::string line = at.file.empty() ? "" : fmt::format(" at {}:{}", at.file, at.line);
  const std::string what = fmt::format("{}{}{} {}, {}", stores ? "writes" : "reads", line, stores ? " to" : "",
                                       text_of_buffer(pending.text(), pending.site),
                                       pending.is_released()
                                           ? "whose request was freed, and which is not known to be complete"
                                           : "which is not complete");
  const ReportedPlace here{{"", place}, stores ? "writes here" : "reads here"};
  const std::array others{ReportedPlace{pending.site, "began here, and is not complete"}};
  report_places(stores ? "buffer.written" : "buffer.read", what, here, others);
}

// Of memory with at least `widest_access` bytes.
ClearSpan clear_span_of(const Span& memory) {
  return {static_cast<std::uintptr_t>(memory.begin),
          static_cast<std::uintptr_t>(memory.end - memory.begin - widest_access + 1)};
}

bool matters(const PendingBuffer& pending, bool stores) { return stores || pending.use.written; }

// Whether any of them can matter. A thousand puts may read one buffer: then loads near it need no search.
bool may_matter(const PendingBuffers& all, bool stores) { return stores || !all.is_only_read(); }

// If the access is outside of the hulls of all pending buffers, the gap around the access is clear.
void note_clear_span(PendingBuffers& all, const Span& bytes, bool stores) {
  const std::optional<Span> gap =
      all.gap_around(bytes, [&](const PendingBuffer& pending) { return matters(pending, stores); });
  if (!gap || gap->end - gap->begin < widest_access || (!stores && may_be_arrived(*gap)) || may_be_exposed(*gap))
    return;
  watched.clear(stores) = {static_cast<std::uintptr_t>(gap->begin),
                           static_cast<std::uintptr_t>(gap->end - gap->begin - widest_access + 1)};
}

// Notes the largest piece of memory around the access that meets no pending buffer, so that it is not searched again.
void note_clear_piece(PendingBuffers& all, const Span& bytes, bool stores) {
  for (const std::int64_t size : {1048576, 65536, 4096, 512, 64}) {
    const std::int64_t begin = bytes.begin & -size;
    const Span piece{begin, begin + size};
    if (bytes.end > piece.end) return;
    bool is_met = false;
    if (may_matter(all, stores))
      all.for_each_near(piece, [&](PendingBuffer& pending) {
        is_met = matters(pending, stores) && pending.exact().meets(piece);
        return is_met;
      });
    if (is_met || (!stores && may_be_arrived(piece))) continue;
    if (may_be_exposed(piece)) {
      if (!may_be_exposed(bytes)) continue;
      watched.exposed(stores) = clear_span_of(piece);
      watched.exposing = find_per_rank<ExposedMemory>();
      return;
    }
    all.clear_pieces().at(static_cast<std::uintptr_t>(bytes.begin), stores) = clear_span_of(piece);
    return;
  }
}

}  // namespace

// The span only grows while a buffer is pending.
void watch_span(const Span& hull) {
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
  watched.exposed_loads = watched.exposed_stores = {};
}

void note_clear_memory(const Span& memory, const Span& bytes, bool stores) {
  const ClearSpan& around = watched.exposed(stores);
  const auto begin = static_cast<std::int64_t>(around.begin);
  const auto end = static_cast<std::int64_t>(around.begin + around.bytes) + widest_access - 1;
  const Span clear{std::max(memory.begin, begin), std::min(memory.end, end)};
  if (clear.end - clear.begin < widest_access) return;
  ClearPieces& pieces = per_rank<PendingBuffers>().clear_pieces();
  pieces.at(static_cast<std::uintptr_t>(bytes.begin), stores) = clear_span_of(clear);
}

void watch_all() { watched = {.clear_loads = {}, .clear_stores = {}, .begin = 0, .bytes = all_memory.bytes}; }

void watch_needed() {
  watched = {};
  if (PendingBuffers* all = find_per_rank<PendingBuffers>(); all != nullptr)
    all->for_each_near({0, std::numeric_limits<std::int64_t>::max()}, [](const PendingBuffer& pending) {
      watch_span(pending.hull);
      return false;
    });
  watch_arrived();
  watch_exposed();
}

namespace {

void note_threads_access(const Span& bytes, bool stores, const void* place) {
  if (ThreadOrder* order = followed_order(); order != nullptr) order->note_access(bytes, stores, place);
}

void check_pending_access(const Span& bytes, bool stores, const void* place) {
  PendingBuffers* all = find_per_rank<PendingBuffers>();
  if (all == nullptr) return;
  bool is_met = false;
  // A report may end the rank, or return much later: it must not hold references into the search.
  while (may_matter(*all, stores)) {
    PendingBuffer* touched = nullptr;
    all->for_each_near(bytes, [&](PendingBuffer& pending) {
      if (!matters(pending, stores) || !pending.exact().meets(bytes)) return false;
      is_met = true;
      if (stores) pending.content.reset();  // the change is reported here
      if (!all->is_first_report(place, pending.site.return_address)) return false;
      touched = &pending;
      return true;
    });
    if (touched == nullptr) break;
    report(*touched, stores, place);
  }
  if (is_met || bytes.end - bytes.begin > widest_access || followed_order() != nullptr) return;
  note_clear_span(*all, bytes, stores);
  note_clear_piece(*all, bytes, stores);
}

}  // namespace

void report_access(const Span& bytes, bool stores, const void* place) {
  const bool is_narrow = bytes.end - bytes.begin <= widest_access;
  if (is_narrow && watched.exposed(stores).holds(static_cast<std::uintptr_t>(bytes.begin)))
    return note_exposed_access(*watched.exposing, bytes, stores, place);
  note_threads_access(bytes, stores, place);
  if (!stores) check_read(bytes, place);
  const Span noted = note_own_access(bytes, stores, place);
  check_pending_access(bytes, stores, place);
  if (is_narrow && watched.exposed(stores).holds(static_cast<std::uintptr_t>(bytes.begin)))
    note_clear_memory(noted, bytes, stores);
}

void report_copying(const Span& bytes, const void* place) {
  note_threads_access(bytes, false, place);
  note_own_access(bytes, false, place);
  check_pending_access(bytes, false, place);
}

}  // namespace rehearse::smpi
