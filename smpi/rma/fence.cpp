// SPDX-License-Identifier: MIT
//
// MPI_Win_fence.
//
// Method: a fence that may end an epoch is a barrier whose contributions are the queued operations. Each member then
//         carries out those on its own memory. If any member needs answers, a second barrier takes them back. The
//         network carries the data of an operation when it is issued (Traffic), not in these barriers.
// Source: MPI 5.0, 12.5.1. A fence that ends no epoch (the first one, one behind MPI_MODE_NOSUCCEED, one with
//         MPI_MODE_NOPRECEDE) need not wait.
#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "simcore/actor.hpp"
#include "simcore/signature_number.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/buffers/exposed.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/error.hpp"
#include "smpi/library.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process.hpp"
#include "smpi/report.hpp"
#include "smpi/rma/delivery.hpp"
#include "smpi/rma/operation_message.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {
namespace {

constexpr int fence_assertions = MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;

// One contribution with a segment for each member.
struct Segments {
  std::vector<std::byte> data;
  std::vector<std::uint64_t> bytes;
};

// All members must give the same of the assertions that concern all.
std::uint64_t agreement_of(int assertion) {
  const auto common = static_cast<std::uint64_t>(assertion & (MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED));
  return SignatureNumber::make(SignatureForm::hashed, 0, common + 2).value;
}

Segments segments_of(const FenceEpoch& fence, int members) {
  Segments segments;
  for (int target = 0; target < members; ++target) {
    const std::size_t before = segments.data.size();
    if (const auto queue = fence.queues.find(target); queue != fence.queues.end())
      for (const QueuedOperation& operation : queue->second.operations)
        segments.data.insert(segments.data.end(), operation.message.begin(), operation.message.end());
    segments.bytes.push_back(segments.data.size() - before);
  }
  return segments;
}

bool needs_answers(const FenceEpoch& fence) {
  return std::ranges::any_of(fence.queues, [](const auto& queue) {
    return std::ranges::any_of(queue.second.operations,
                               [](const QueuedOperation& one) { return static_cast<bool>(one.take_answer); });
  });
}

// The members' operations on the caller's memory, and whether any member needs answers.
struct Received {
  std::vector<Delivery> deliveries;
  bool needs_answers = false;
};

int exchange_operations(Window& window, int assertion, Received& received) {
  const FenceEpoch& fence = window.epochs.fence;
  const Segments segments = segments_of(fence, window.size());
  const std::uint8_t wants = needs_answers(fence) ? 1 : 0;
  Contribution contribution;
  contribution.signature = agreement_of(assertion);
  contribution.data = segments.data;
  contribution.segments = segments.bytes;
  contribution.remark = std::as_bytes(std::span(&wants, 1));
  contribution.hints.kind = CollectiveKind::barrier;
  return run_collective(window.communicator, {"MPI_Win_fence"}, contribution, {[&](Contributions from) {
                          for (int i = 0; i < window.size(); ++i) {
                            const auto data = from[static_cast<std::size_t>(i)];
                            if (!data.empty()) received.deliveries.push_back({i, {data.begin(), data.end()}});
                          }
                          for (const Remark& remark : from.remarks())
                            received.needs_answers |= !remark.text.empty() && remark.text.front() != std::byte{0};
                          return Trouble{};
                        }});
}

// The answers are kept until all operations of the epoch are carried out.
void require_room_for_answers(const std::vector<Delivery>& deliveries) {
  constexpr std::uint64_t most_bytes = std::uint64_t{2} << 30;
  std::uint64_t sum = 0;
  for (const Delivery& delivery : deliveries) {
    for (std::span<const std::byte> rest(delivery.messages); !rest.empty();) {
      const OperationView view(rest);
      rest = rest.subspan(view.bytes());
      if (has_answer(view.header().deed)) sum += view.header().answer_bytes;
    }
  }
  if (sum > most_bytes) unsupported("MPI_Win_fence after gets of more than 2 GB from one rank in one epoch");
}

int exchange_answers(Window& window, const std::vector<std::vector<std::byte>>& answers,
                     std::vector<std::vector<std::byte>>& received) {
  Segments segments;
  for (const std::vector<std::byte>& answer : answers) {
    segments.data.insert(segments.data.end(), answer.begin(), answer.end());
    segments.bytes.push_back(answer.size());
  }
  Contribution contribution;
  contribution.data = segments.data;
  contribution.segments = segments.bytes;
  contribution.hints.kind = CollectiveKind::barrier;
  return run_collective(window.communicator, {"MPI_Win_fence"}, contribution, {[&](Contributions from) {
                          for (int i = 0; i < window.size(); ++i) {
                            const auto data = from[static_cast<std::size_t>(i)];
                            received.emplace_back(data.begin(), data.end());
                          }
                          return Trouble{};
                        }});
}

// Ends the uses of buffers and stores the answers.
void conclude_queue(OperationQueue& queue, std::span<const std::byte> answers) {
  std::vector<ChangedBuffer> changed;
  for (QueuedOperation& operation : queue.operations) {
    bool has_place = true;
    for (const BufferToken token : operation.buffers) {
      EndedUse ended = end_use(token);
      if (ended.changed) changed.push_back(std::move(*ended.changed));
      has_place = has_place && ended.has_place;
    }
    if (!operation.take_answer) continue;
    const std::uint64_t bytes = OperationView(operation.message).header().answer_bytes;
    if (has_place) operation.take_answer(answers.first(bytes));
    answers = answers.subspan(bytes);
  }
  queue.operations.clear();
  for (const ChangedBuffer& buffer : changed) report_changed(buffer);
}

// MPI_MODE_NOSTORE: the caller has not stored into its window since the last fence. Segments of others in a shared
// window do not count.
void check_no_store(const Window& window, const Exposed& exposed) {
  const auto begin = reinterpret_cast<std::int64_t>(window.own().base);
  const Span own{begin, begin + static_cast<std::int64_t>(window.own().bytes)};
  const auto store = std::ranges::find_if(exposed.uses, [&](const OwnUse& use) {
    return use.stores && (!window.is_shared() || use.hull.meets(own));
  });
  if (store == exposed.uses.end()) return;
  report_places("rma.assert", "MPI_MODE_NOSTORE is given, but the rank has stored into its window since the last fence",
                {{}, "gives the assertion"}, std::array{ReportedPlace{store->site, "stores into the window"}});
}

// The members' operations are accesses: each member waits for its own ones, then for all members.
int end_accesses(Window& window) {
  const int failure = finish_operations(window, every_target);
  Contribution nothing;
  nothing.hints.kind = CollectiveKind::barrier;
  const int error = run_collective(window.communicator, {"MPI_Win_fence"}, nothing, {nothing_to_do});
  return failure != MPI_SUCCESS ? failure : error;
}

// The caller is about to leave the fence: its buffers are the program's again. All members have entered it, so the data
// that targets have not taken yet can be stored there.
void store_lent_data(Window& window) {
  for (const auto& [target, queue] : window.epochs.fence.queues)
    for (const QueuedOperation& operation : queue.operations) {
      if (operation.lent == nullptr) continue;
      std::vector<std::byte> nothing;
      const bool is_taken = window.part(target).window->fence_count > window.fence_count;
      if (!is_taken) OperationView(operation.message).carry_out(nothing);
    }
  window.fences_stored = window.fence_count + 1;
}

int end_fence_epoch(Window& window, int assertion) {
  if (window.epochs.fence.is_used) ask(Settle{});
  const Exposed exposed = per_rank<ExposedMemory>().end(&window.epochs.fence);
  if ((assertion & MPI_MODE_NOSTORE) != 0) check_no_store(window, exposed);
  Received received;
  int error = exchange_operations(window, assertion, received);
  if (error != MPI_SUCCESS) return error;
  if (windows_are_messages()) return end_accesses(window);
  store_lent_data(window);
  require_room_for_answers(received.deliveries);
  if (window.epochs.fence.no_put) check_no_put(window, received.deliveries, window.epochs.fence.site);
  const std::vector<std::vector<std::byte>> answers = carry_out(window, received.deliveries, exposed);
  std::vector<std::vector<std::byte>> mine(static_cast<std::size_t>(window.size()));
  if (received.needs_answers) {
    mine.clear();
    error = exchange_answers(window, answers, mine);
  }
  for (auto& [target, queue] : window.epochs.fence.queues)
    conclude_queue(queue, mine[static_cast<std::size_t>(target)]);
  window.epochs.fence.queues.clear();
  return error;
}

// A fence that ends no epoch: waiting for the others is allowed.
int open_only(Window& window, int assertion) {
  Contribution contribution;
  contribution.flow = Flow::optional;
  contribution.signature = agreement_of(assertion);
  contribution.hints.kind = CollectiveKind::barrier;
  return run_collective(window.communicator, {"MPI_Win_fence"}, contribution, {nothing_to_do});
}

void check_fence(Arguments& check, const Window* window, int assertion) {
  if (check.failed()) return;
  check.require(
      (assertion & ~fence_assertions) == 0, MPI_ERR_ASSERT,
      [&] { return fmt::format("the assertion is {}, which has other bits than those of MPI_Win_fence", assertion); },
      "argument.value");
  const Epochs& epochs = window->epochs;
  const std::string open = epochs.is_passive() || epochs.start ? open_access_epoch(*window)
                           : epochs.exposure                   ? open_epoch(*window)
                                                               : "";
  if (!open.empty()) check.require(false, MPI_ERR_RMA_SYNC, open + " is open", "rma.nested");
  check.require((assertion & MPI_MODE_NOPRECEDE) == 0 || !epochs.fence.is_used, MPI_ERR_RMA_SYNC,
                "MPI_MODE_NOPRECEDE is given, but operations were issued since the last fence", "rma.assert");
}

int fence(int assertion, MPI_Win win) {
  Arguments check(win);
  Window* window = find_window(win);
  check_fence(check, window, assertion);
  if (check.failed()) return check.error();
  publish_stores(*window);
  FenceEpoch& epoch = window->epochs.fence;
  const bool ends = epoch.must_end && (assertion & MPI_MODE_NOPRECEDE) == 0;
  const int error = ends ? end_fence_epoch(*window, assertion) : open_only(*window, assertion);
  ++window->fence_count;
  epoch.is_open = epoch.must_end = (assertion & MPI_MODE_NOSUCCEED) == 0;
  epoch.is_used = false;
  epoch.no_put = (assertion & MPI_MODE_NOPUT) != 0;
  epoch.site = creation_site();
  window->heard_before = library().heard;
  if (epoch.is_open) per_rank<ExposedMemory>().add(&epoch, memory_of(*window));
  else per_rank<ExposedMemory>().end(&epoch);
  absorb_updates(*window);
  return error;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Win_fence(int assert, MPI_Win win) { return fence(assert, win); }

}  // namespace rehearse::smpi::calls
