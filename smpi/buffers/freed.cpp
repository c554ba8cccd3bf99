// SPDX-License-Identifier: MIT
//
// See freed.hpp.
#include "smpi/buffers/freed.hpp"

#include <array>
#include <optional>
#include <string>

#include "simcore/support/format.hpp"
#include "smpi/buffers/unwritten.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/library.hpp"
#include "smpi/process/rank_state.hpp"
#include "smpi/process/thread_order.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

std::optional<Span> span_of(const void* block) {
  const RankState* rank = running_rank();
  if (rank == nullptr || rank->heap->check(block) != Arena::BlockState::live) return std::nullopt;
  const auto begin = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(block));
  return Span{begin, begin + static_cast<std::int64_t>(rank->heap->usable_bytes(block))};
}

// The place where the memory is freed: a call of MPI, or the program itself.
struct FreeingPlace {
  ReportedPlace place{{}, "frees the memory"};
  std::string text;  // " by MPI_Free_mem at a.c:12"

  FreeingPlace() {
    const CreationSite call = creation_site();
    if (call.return_address != nullptr) {
      text = " by " + text_of(call);
      return;
    }
    ProgramPlace here = program_place();
    place.site.return_address = here.address;
    if (!here.frame.file.empty()) text = fmt::format(" at {}:{}", here.frame.file, here.frame.line);
    place.frame = std::move(here.frame);
  }
  const void* address() const {
    return place.site.return_address != nullptr ? place.site.return_address : creation_site().return_address;
  }
};

void report_pending(PendingBuffers& all, const PendingBuffer& pending) {
  if (!buffer_checks().lifetimes) return;
  const LibraryCode not_measured;
  const FreeingPlace freeing;
  if (!all.is_first_report(freeing.address(), pending.site.return_address)) return;
  const std::string what = text_of_buffer(pending.text(), pending.site) + " is freed" + freeing.text +
                           (pending.is_released() ? ", although only its request was freed: the operation is not known "
                                                    "to be complete"
                                                  : " before the operation is complete");
  const std::array others{ReportedPlace{pending.site, "began here, and is not complete"}};
  report_places("buffer.freed", what, freeing.place, others);
}

// Reports only the first pending buffer, because the others have the same cause.
bool check_pending_block(PendingBuffers& all, void* block, const Span& bytes) {
  PendingBuffer* first = nullptr;
  all.for_each_near(bytes, [&](PendingBuffer& pending) {
    if (!pending.exact().meets(bytes)) return false;
    pending.content.reset();
    if (first == nullptr) first = &pending;
    return false;
  });
  if (first == nullptr) return false;
  all.keep(block, bytes);
  report_pending(all, *first);
  return true;
}

void check_attached(AttachedBuffer& attached, const Span& bytes) {
  const auto at = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(attached.address));
  if (!attached.attached || attached.gone || at < bytes.begin || at >= bytes.end) return;
  attached.gone = true;
  if (!buffer_checks().lifetimes) return;
  const LibraryCode not_measured;
  const FreeingPlace freeing;
  const std::string what =
      text_of_buffer("the buffer (" + bytes_text(static_cast<std::uint64_t>(attached.bytes)) + ")", attached.site) +
      " is freed" + freeing.text + " while it is attached";
  const std::array others{ReportedPlace{attached.site, "attaches it"}};
  report_places("buffer.freed", what, freeing.place, others);
}

}  // namespace

bool keep_pending_block(void* block) {
  // Who frees memory must come after all who use it.
  if (ThreadOrder* order = followed_order(); order != nullptr)
    if (const std::optional<Span> bytes = span_of(block)) order->note_access(*bytes, true, nullptr);
  // MPI_Finalize has reported operations that were never completed, and no message arrives any more.
  if (const Library* mpi = find_per_rank<Library>(); mpi == nullptr || mpi->phase == Phase::finalized) return false;
  const std::optional<Span> bytes = span_of(block);
  if (!bytes) return false;
  forget_arrived(*bytes);
  if (AttachedBuffers* attached = find_per_rank<AttachedBuffers>(); attached != nullptr) {
    check_attached(attached->process, *bytes);
    for (auto& [owner, buffer] : attached->others) check_attached(buffer, *bytes);
  }
  PendingBuffers* all = find_per_rank<PendingBuffers>();
  return all != nullptr && !all->empty() && check_pending_block(*all, block, *bytes);
}

}  // namespace rehearse::smpi
