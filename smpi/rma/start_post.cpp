// SPDX-License-Identifier: MIT
//
// MPI_Win_start, complete, post, wait and test.
//
// Method: MPI_Win_start sends an empty message to each target, whose MPI_Win_post starts the receive of it. The send is
//         a standard one, so it waits for the post only where a driver lets standard sends wait: MPI permits both.
//         MPI_Win_complete sends the queued operations, buffered; the target carries them out in MPI_Win_wait. An
//         operation with an answer is an access instead (access.hpp), and waits for the post.
// Source: MPI 5.0, 12.5.2.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/buffers/exposed.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/error.hpp"
#include "smpi/group/group.hpp"
#include "smpi/library.hpp"
#include "smpi/p2p/buffered.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/report.hpp"
#include "smpi/rma/delivery.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::string_view nested_epoch = "rma.nested";
constexpr std::string_view not_open_epoch = "rma.not_open";

// The members of the group as ranks of the window; raises an error if one is none.
std::vector<int> checked_members(Arguments& check, const Window* window, MPI_Group handle) {
  std::vector<int> ranks;
  const Group* group = find_group(handle);
  check.require(group != nullptr, MPI_ERR_GROUP, "the group is MPI_GROUP_NULL, was freed or never existed");
  for (int i = 0; !check.failed() && i < group->size(); ++i) {
    const int rank = window->communicator->rank_of({static_cast<std::uint32_t>(group->process(i))});
    check.require(rank != MPI_UNDEFINED, MPI_ERR_GROUP, "the group has a process that is not in the window");
    ranks.push_back(rank);
  }
  return ranks;
}

void check_assertion(Arguments& check, int assertion, int allowed) {
  check.require((assertion & ~allowed) == 0, MPI_ERR_ASSERT,
                [&] {
                  return fmt::format("the assertion is {}, which has other bits than those of this call", assertion);
                },
                "argument.value");
}

void send_to(const Window& window, int rank, Tag tag, SendMode mode, std::span<const std::byte> data) {
  Send send;
  send.request = library().start_request();
  send.context = window.communicator->message_context();
  send.destination = window.communicator->actor_of(rank);
  send.tag = tag;
  send.mode = mode;
  send.blocking = true;
  send.data = data;
  send.origin = origin_of_call();
  ask(send);
}

RequestId receive_from(const Window& window, int rank, Tag tag) {
  Post post;
  post.request = library().start_request();
  post.pattern = {window.communicator->message_context(), window.communicator->actor_of(rank), tag};
  post.capacity_bytes = std::numeric_limits<std::uint64_t>::max();
  ask(post);
  return post.request;
}

int start(MPI_Group group, int assertion, MPI_Win win) {
  Arguments check(win);
  Window* window = find_window(win);
  check_assertion(check, assertion, MPI_MODE_NOCHECK);
  std::vector<int> targets = checked_members(check, window, group);
  if (check.failed()) return check.error();
  if (const std::string open = open_access_epoch(*window); !open.empty())
    check.require(false, MPI_ERR_RMA_SYNC, open + " is open", nested_epoch);
  if (check.failed()) return check.error();
  for (const int target : targets) send_to(*window, target, start_tag, SendMode::standard, {});
  StartEpoch epoch;
  for (const int target : targets) epoch.numbers.push_back(++window->epochs.started[static_cast<std::size_t>(target)]);
  epoch.targets = std::move(targets);
  epoch.site = creation_site();
  window->epochs.start = std::move(epoch);
  return MPI_SUCCESS;
}

// The data has left, or is with the driver.
void end_buffers(OperationQueue& queue, std::vector<ChangedBuffer>& changed) {
  for (const QueuedOperation& operation : queue.operations)
    for (const BufferToken token : operation.buffers)
      if (EndedUse ended = end_use(token); ended.changed) changed.push_back(std::move(*ended.changed));
}

// The operations of an epoch for one target, on their way.
struct CompleteMessage {
  HandedOver operations;
  std::uint64_t lent_bytes = 0;  // data that is not in the messages
};

// Data that is lent is stored at a target that has exposed its window; otherwise it is kept.
CompleteMessage message_of(const Window& window, int target, std::uint64_t exposure, const OperationQueue& queue) {
  CompleteMessage message;
  std::vector<std::byte>& bytes = message.operations.messages;
  for (const QueuedOperation& operation : queue.operations) {
    const OperationView view(operation.message);
    const bool is_exposed = operation.lent != nullptr &&
                            window.part(target).window->exposure_count[static_cast<std::size_t>(window.rank())] >=
                                exposure;
    if (is_exposed) {
      std::vector<std::byte> nothing;
      view.carry_out(nothing);
      view.append_as_stored(bytes);
    } else {
      bytes.insert(bytes.end(), operation.message.begin(), operation.message.end());
    }
    if (operation.lent == nullptr) continue;
    message.lent_bytes += view.header().data_bytes;
    if (is_exposed) continue;
    operation.lent->keep();
    message.operations.kept.push_back(operation.lent);
  }
  return message;
}

// The target takes the operations from the caller's memory. The network carries bytes without values.
void hand_over(Window& window, int target, CompleteMessage message) {
  HandedOverList& all = window.handed_over[target];
  const auto& taken = window.part(target).window->taken;
  for (const auto count = taken.find(window.rank()); count != taken.end() && all.first < count->second; ++all.first)
    all.entries.erase(all.entries.begin());
  const std::uint64_t bytes = message.operations.messages.size() + message.lent_bytes;
  all.entries.push_back(std::move(message.operations));
  send_to(window, target, complete_tag, SendMode::buffered, {static_cast<const std::byte*>(nullptr), bytes});
}

bool is_handed_over(std::span<const std::byte> data) { return data.data() == nullptr && !data.empty(); }

// The messages of an origin, from the data that it has sent.
std::vector<std::byte> messages_from(const Window& window, int origin, std::span<const std::byte> data) {
  if (!is_handed_over(data)) return {data.begin(), data.end()};
  const HandedOverList& all = window.part(origin).window->handed_over.at(window.rank());
  const auto taken = window.taken.find(origin);
  return all.entries[(taken == window.taken.end() ? 0 : taken->second) - all.first].messages;
}

int complete(MPI_Win win) {
  Arguments check(win);
  Window* window = find_window(win);
  if (check.failed()) return check.error();
  check.require(window->epochs.start.has_value(), MPI_ERR_RMA_SYNC, "no epoch of MPI_Win_start is open",
                not_open_epoch);
  if (check.failed()) return check.error();
  const int error = finish_operations(*window, every_target);
  StartEpoch epoch = std::move(*window->epochs.start);
  window->epochs.start.reset();
  window->heard_before = library().heard;
  std::vector<ChangedBuffer> changed;
  for (std::size_t i = 0; i < epoch.targets.size(); ++i) {
    const int target = epoch.targets[i];
    OperationQueue& queue = epoch.queues[target];
    CompleteMessage message = message_of(*window, target, epoch.numbers[i], queue);
    end_buffers(queue, changed);
    if (message.lent_bytes > 0) hand_over(*window, target, std::move(message));
    else send_to(*window, target, complete_tag, SendMode::buffered, message.operations.messages);
  }
  for (const ChangedBuffer& buffer : changed) report_changed(buffer);
  return error;
}

int post(MPI_Group group, int assertion, MPI_Win win) {
  Arguments check(win);
  Window* window = find_window(win);
  check_assertion(check, assertion, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT);
  std::vector<int> origins = checked_members(check, window, group);
  if (check.failed()) return check.error();
  const Epochs& epochs = window->epochs;
  if (epochs.exposure)
    check.require(false, MPI_ERR_RMA_SYNC, "the exposure of " + text_of(epochs.exposure->site) + " is open",
                  nested_epoch);
  if (epochs.fence.is_used || epochs.lock_all || epochs.locks.contains(window->rank()))
    check.require(false, MPI_ERR_RMA_SYNC, open_access_epoch(*window) + " is open", nested_epoch);
  if (check.failed()) return check.error();
  publish_stores(*window);
  Exposure exposure;
  for (const int origin : origins) {
    exposure.requests.push_back(receive_from(*window, origin, start_tag));
    exposure.requests.push_back(receive_from(*window, origin, complete_tag));
    ++window->exposure_count[static_cast<std::size_t>(origin)];
  }
  exposure.origins = std::move(origins);
  exposure.no_put = (assertion & MPI_MODE_NOPUT) != 0;
  exposure.site = creation_site();
  window->epochs.exposure = std::move(exposure);
  per_rank<ExposedMemory>().add(&window->epochs.exposure, memory_of(*window));
  return MPI_SUCCESS;
}

// All origins have completed their epochs.
void end_exposure(Window& window, const Observation& answer) {
  std::vector<Delivery> deliveries;
  std::vector<int> handed_over;  // by these origins
  for (const Completion& completion : answer.completions) {
    if (completion.index % 2 == 0 || completion.data.empty()) continue;
    const int origin = window.epochs.exposure->origins[completion.index / 2];
    deliveries.push_back({origin, messages_from(window, origin, completion.data)});
    if (is_handed_over(completion.data)) handed_over.push_back(origin);
  }
  heard_from_others();
  std::ranges::stable_sort(deliveries, {}, &Delivery::origin);
  if (window.epochs.exposure->no_put) check_no_put(window, deliveries, window.epochs.exposure->site);
  window.epochs.exposure.reset();
  carry_out(window, deliveries, per_rank<ExposedMemory>().end(&window.epochs.exposure));
  for (const int origin : handed_over) ++window.taken[origin];
}

// `flag`: of MPI_Win_test; null: waits.
int wait(MPI_Win win, int* flag) {
  Arguments check(win);
  Window* window = find_window(win);
  if (check.failed()) return check.error();
  check.require(window->epochs.exposure.has_value(), MPI_ERR_RMA_SYNC, "no exposure of MPI_Win_post is open",
                not_open_epoch);
  if (check.failed()) return check.error();
  if (window->epochs.exposure->requests.empty()) {
    window->epochs.exposure.reset();
    per_rank<ExposedMemory>().end(&window->epochs.exposure);
    if (flag != nullptr) *flag = 1;
    absorb_updates(*window);
    return MPI_SUCCESS;
  }
  const Observation& answer = ask(Observe{window->epochs.exposure->requests, Quantifier::all, flag == nullptr});
  const bool is_over = answer.flag;
  if (flag != nullptr) *flag = is_over ? 1 : 0;
  if (is_over) end_exposure(*window, answer);
  if (is_over) absorb_updates(*window);
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Win_start(MPI_Group group, int assert, MPI_Win win) { return start(group, assert, win); }

int Win_complete(MPI_Win win) { return complete(win); }

int Win_post(MPI_Group group, int assert, MPI_Win win) { return post(group, assert, win); }

int Win_wait(MPI_Win win) { return wait(win, nullptr); }

int Win_test(MPI_Win win, int* flag) {
  Arguments check;
  check.pointer(flag, "flag");
  return check.failed() ? check.error() : wait(win, flag);
}

}  // namespace rehearse::smpi::calls
