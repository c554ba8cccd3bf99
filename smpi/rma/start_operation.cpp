// SPDX-License-Identifier: MIT
//
// See start_operation.hpp.
#include "smpi/rma/start_operation.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/process.hpp"
#include "smpi/request/request.hpp"
#include "smpi/rma/access.hpp"

namespace rehearse::smpi {
namespace {

// Only as much as is moved, if one side has less than the other.
void limit(const OneSided& call, PreparedOperation& operation) {
  const bool is_element = is_atomic(call.deed) && operation.header.element != MPI_DATATYPE_NULL;
  const std::uint64_t unit =
      is_element ? static_cast<std::uint64_t>(predefined_datatype(operation.header.element)->size()) : 1;
  if (operation.origin.type != nullptr && call.deed != Deed::swap)
    shorten(operation.blocks, operation.origin.bytes(), unit);
  if (operation.result.type != nullptr) shorten(operation.blocks, operation.result.bytes(), unit);
  std::uint64_t bytes = 0;
  for (const TargetBlock& block : operation.blocks) bytes += block.count * unit;
  operation.header.answer_bytes = has_answer(call.deed) ? bytes : 0;
}

// Ranges of dynamic windows may be detached before the target carries out the operation. The end of a fence or of a
// start epoch stores lent data before other ranks' operations; an accumulate must not overtake them.
bool can_lend(const OneSided& call, const PreparedOperation& operation, EpochKind epoch) {
  const bool keeps_order = call.deed == Deed::put || (call.deed == Deed::accumulate && epoch == EpochKind::passive);
  return keeps_order && driver_services().shares_memory && !windows_are_messages() &&
         operation.window->flavor != MPI_WIN_FLAVOR_DYNAMIC && operation.origin.type->contiguous() &&
         operation.origin.bytes() >= lent_bytes_least;
}

QueuedOperation make_queued(const OneSided& call, PreparedOperation& operation, EpochKind epoch) {
  limit(call, operation);
  QueuedOperation queued;
  if (operation.origin.type != nullptr)
    if (const BufferToken token = begin_use({operation.origin.blocks(), false})) queued.buffers.push_back(token);
  if (operation.result.type != nullptr)
    if (const BufferToken token = begin_use({operation.result.blocks(), true})) queued.buffers.push_back(token);
  const CheckedSide& origin = operation.origin;
  const bool is_sent = origin.type != nullptr && !operation.blocks.empty();
  if (is_sent && can_lend(call, operation, epoch)) {
    const std::byte* begin = static_cast<const std::byte*>(origin.address) + origin.type->layout()[0].offset;
    queued.lent = std::make_shared<LentData>(std::span(begin, origin.bytes()));
    operation.header.lent = queued.lent.get();
    queued.message = make_message(operation.header, operation.blocks, queued.lent->bytes);
    return queued;
  }
  const std::size_t compared = is_sent && call.deed == Deed::swap ? origin.type->size() : 0;
  std::vector<std::byte> data(is_sent ? compared + origin.bytes() : 0);
  if (compared > 0) std::memcpy(data.data(), call.compare, compared);
  if (is_sent) pack(*origin.type, origin.count, origin.address, data.data() + compared);
  queued.message = make_message(operation.header, operation.blocks, data);
  if (has_answer(call.deed))
    queued.take_answer = [side = operation.result,
                          type = DatatypeRef(operation.result.type)](std::span<const std::byte> answer) {
      unpack(*type, side.count, answer, const_cast<void*>(side.address));
      return Trouble{};
    };
  return queued;
}

// ---- The epoch

std::uint64_t exposure_of(const Window& window, int target) {
  const StartEpoch& start = *window.epochs.start;
  for (std::size_t i = 0; i < start.targets.size(); ++i)
    if (start.targets[i] == target) return start.numbers[i];
  return 0;
}

// From the first operation with an answer on, the operations of the epoch for this target are accesses.
void issue_in_start(Window& window, int target, QueuedOperation operation, bool needs_answer) {
  OperationQueue& queue = window.epochs.start->queues[target];
  const AccessEpoch epoch{EpochKind::start, exposure_of(window, target)};
  if ((needs_answer || windows_are_messages()) && !queue.at_once) {
    queue.at_once = true;
    for (QueuedOperation& earlier : std::exchange(queue.operations, {}))
      start_access(window, target, std::move(earlier), epoch);
  }
  if (queue.at_once) start_access(window, target, std::move(operation), epoch);
  else queue.operations.push_back(std::move(operation));
}

void issue_in_fence(Window& window, int target, QueuedOperation operation) {
  const OperationHeader header = OperationView(operation.message).header();
  const bool returns = has_answer(header.deed);
  FenceEpoch& fence = window.epochs.fence;
  fence.is_used = true;
  if (windows_are_messages()) return start_access(window, target, std::move(operation), {EpochKind::fence, 0});
  fence.queues[target].operations.push_back(std::move(operation));
  ask(Traffic{window.communicator->actor_of(target), header.data_bytes, header.answer_bytes, returns});
}

std::string no_epoch_text(const Window& window, int target) {
  const std::string other = open_access_epoch(window);
  if (window.epochs.start) return fmt::format("rank {} is not in the group of {}", target, other);
  if (!other.empty()) return fmt::format("there is no access epoch to rank {}; open is {}", target, other);
  return fmt::format("there is no access epoch to rank {}: no fence, MPI_Win_start or lock is open", target);
}

// An operation with MPI_PROC_NULL, which does nothing.
int do_nothing(const OneSided& call, const Window& window) {
  if (!call.has_request) return MPI_SUCCESS;
  auto request = std::make_unique<Request>();
  request->kind = Request::Kind::one_sided;
  request->state = Request::State::complete;
  request->communicator = window.communicator;
  give_request(call.request, std::move(request));
  return MPI_SUCCESS;
}

}  // namespace

int start_operation(const OneSided& call) {
  Arguments check(call.win);
  if (call.has_request) check.pointer(call.request, "request");
  if (check.failed()) return check.error();
  Window& window = *find_window(call.win);
  const int target = call.target.rank;
  if (target != MPI_PROC_NULL && (target < 0 || target >= window.size()))
    check.require(false, MPI_ERR_RANK,
                  fmt::format("the target is {}, but the ranks of the window are 0 to {}", target, window.size() - 1));
  if (check.failed()) return check.error();
  const bool is_nowhere = target == MPI_PROC_NULL;
  const EpochKind epoch = is_nowhere ? EpochKind::none : epoch_for(window, target);
  if (!is_nowhere)
    check.require(epoch != EpochKind::none, MPI_ERR_RMA_SYNC,
                  epoch == EpochKind::none ? no_epoch_text(window, target) : "",
                  window.epochs.start ? "rma.target" : "rma.no_epoch");
  if (call.has_request)
    check.require(is_nowhere || epoch == EpochKind::passive, MPI_ERR_RMA_SYNC,
                  "an operation with a request needs an epoch of MPI_Win_lock or MPI_Win_lock_all", "rma.passive_only");
  if (check.failed()) return check.error();
  if (is_nowhere) return do_nothing(call, window);
  PreparedOperation operation = prepare(check, call);
  if (check.failed()) return check.error();
  QueuedOperation queued = make_queued(call, operation, epoch);
  switch (epoch) {
    case EpochKind::none: break;
    case EpochKind::fence: issue_in_fence(window, target, std::move(queued)); break;
    case EpochKind::start: issue_in_start(window, target, std::move(queued), has_answer(call.deed)); break;
    case EpochKind::passive:
      start_access(window, target, std::move(queued), {EpochKind::passive, 0},
                   call.has_request ? call.request : nullptr);
      break;
  }
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi
