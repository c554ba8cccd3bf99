// SPDX-License-Identifier: MIT
//
// Epochs of MPI_Win_start and MPI_Win_fence, and exposures.
//
// Start:  an exposure is a message to each origin. An origin that needs an answer receives it: MPI_Win_complete waits
//         for it. Operations without an answer wait for nobody. Their records travel to the owner with the message of
//         MPI_Win_complete. MPI_Win_wait adds what happened before the exposure, and knows their effects.
// Fence:  a member enters the fence that ends an epoch with the records of its operations, and with what happened
//         before the fence that opened the epoch. So all members know what happened before each operation. They know
//         the effects of those whose order an element decides behind a second barrier.
// Source: MPI 5.0, 12.5.1 and 12.5.2.
#include <algorithm>
#include <string>
#include <tuple>

#include "simcore/support/format.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/rank_slot.hpp"
#include "smpi/rma_model/atomic_object.hpp"
#include "smpi/rma_model/byte_stream.hpp"
#include "smpi/rma_model/rank_driver.hpp"

namespace rehearse::smpi::model {
namespace {

// The call that promised that no operation of this epoch updates the window, or null.
const CreationSite* promise_of_no_put(const Window& window, const Record& operation) {
  const Epochs& epochs = window.epochs;
  if (is_by_fence(operation.exposure)) return epochs.fence.no_put ? &epochs.fence.site : nullptr;
  return epochs.exposure && epochs.exposure->no_put ? &epochs.exposure->site : nullptr;
}

}  // namespace

// The rank has exposed its window to this origin, once more.
void RankDriver::announce_exposure(std::uint64_t window, ActorId origin) {
  WindowState& state = model_.windows[window];
  const std::uint64_t number = ++state.exposures[origin.value];
  state.openings[origin.value] = {std::make_shared<const Knowledge>(model_.view.known()), model_.view.lamport()};
  OwnStep step;
  std::tie(step.context, step.tag) = exposure_channel(rank_, window, number);
  step.peer = origin;
  step.data = model_.view.news_for({&origin, 1});
  model_.steps.push_back(std::move(step));
  open_gate(window, origin, number, model_.view.known());
}

// The origin's atomic operations that need the exposure may go on.
void RankDriver::open_gate(std::uint64_t window, ActorId origin, std::uint64_t exposure, const Knowledge& known) {
  const auto gate = objects_.find({ObjectKind::gate, window, rank_.value, origin.value});
  if (!gate) return;
  OwnStep step;
  step.context = context_of(*gate, Channel::exposures);
  step.tag = static_cast<Tag>(exposure);
  step.peer = *gate;
  HeldRecords& held = (is_by_fence(exposure) ? model_.fenced : model_.opened)[*gate];
  News news{known, held.missing(model_.view.records()), model_.view.lamport()};
  held.add(news.records);
  step.data = write_news(news);
  model_.steps.push_back(std::move(step));
}

// The origin learns that the target has exposed its window. Then it ends the epoch.
void RankDriver::take_exposure(const WindowMember& member, std::span<const std::byte> message) {
  News news = read_news(message);
  const Opening opening = opening_of(news);
  model_.view.learn(std::move(news));
  const auto epoch = model_.windows[member.window].started.extract(member.owner);
  model_.view.expose({rank_.value, member.owner, member.window, epoch.mapped().exposure}, opening);
}

// The value of a get.
void RankDriver::compute_answer(Begun& begun) {
  const RecordRef record = model_.view.find(begun.records.front());
  if (!model_.view.image().carry_out(record->data, begun.answer)) begun.answer = {std::byte{1}};
}

// The owner ends an exposure: the origin has ended its epoch. Operations whose order an element decides are complete
// when it has answered.
void RankDriver::take_complete(std::uint64_t window, ActorId origin, std::uint64_t exposure) {
  WindowState& state = model_.windows[window];
  const View::Exposure operations{origin.value, rank_.value, window, exposure};
  for (const RecordId id : model_.view.expose(operations, state.openings[origin.value])) {
    const RecordRef record = model_.view.find(id);
    const OperationHeader header = OperationView(record->data).header();
    check_exposed(window, *record);
    if (has_answer(header.deed)) continue;
    if (record->is_settled) {
      model_.view.know_effect(id);
      continue;
    }
    const std::uint64_t place = record->memory.front().begin - state.bases[rank_.value];
    OwnStep step;
    step.kind = OwnStep::Kind::receive;
    step.peer = *objects_.find({ObjectKind::atom, window, rank_.value, place});
    step.context = context_of(step.peer, Channel::answers);
    step.tag = tags::answer;
    model_.steps.push_back(std::move(step));
  }
}

// An element has answered about an operation on the rank's memory, for which the origin does not wait.
void RankDriver::take_settled(std::span<const std::byte> message) {
  const AtomicAnswer answer = read_answer(message);
  Record settled = *model_.view.find(answer.operation);
  settled.is_settled = true;
  settled.lamport = answer.lamport;
  model_.view.settle(std::make_shared<const Record>(std::move(settled)));
  model_.view.know_effect(answer.operation);
}

// ---- Fences

// The news of a member that enters a fence: with what happened before its last one, which opened the epoch.
std::vector<std::byte> RankDriver::fence_news(const WindowState& window) const {
  ByteWriter to;
  const std::vector<std::byte> news = model_.view.news_for(window.members);
  to.add_all(std::span(news));
  to.add(rank_.value);
  to.add(window.opened.lamport);
  const std::vector<std::byte> opening = write_news({*window.opened.known, {}});
  to.add_all(std::span(opening));
  return to.take();
}

// All members have entered the fence. Operations whose order an element decides end later.
void RankDriver::end_fence_epoch(std::uint64_t window, std::span<const Remark> remarks) {
  WindowState& state = model_.windows[window];
  std::map<std::uint32_t, Opening> openings;  // by member
  for (const Remark& remark : remarks) {
    ByteReader from(remark.text);
    model_.view.learn(read_news(from.all<std::byte>()));
    const auto member = from.one<std::uint32_t>();
    Opening& opening = openings[member];
    opening.lamport = from.one<std::uint64_t>();
    opening.known = std::make_shared<const Knowledge>(read_news(from.all<std::byte>()).known);
  }
  for (const auto& [member, opening] : openings)
    for (const RecordId id : model_.view.expose({{}, member, window, fence_exposure(state.fences)}, opening)) {
      const RecordRef record = model_.view.find(id);
      if (member == rank_.value) check_exposed(window, *record);
      if (record->is_settled) model_.view.know_effect(id);
    }
}

void RankDriver::begin_fence_epoch(std::uint64_t window, Opening opening) {
  WindowState& state = model_.windows[window];
  ++state.fences;
  state.opened = std::move(opening);
  for (const ActorId member : state.members)
    open_gate(window, member, fence_exposure(state.fences), *state.opened.known);
}

// What the rank promised, and what it has attached.
void RankDriver::check_exposed(std::uint64_t context, const Record& operation) {
  const Windows* windows = find_per_rank<Windows>(rank_slot(program_, rank_));
  const Window* window = windows == nullptr ? nullptr : find_window(*windows, ContextId{context});
  if (window == nullptr) return;
  const OperationView view(operation.data);
  Finding finding;
  finding.actors = {{operation.id.actor}, rank_};
  if (window->flavor == MPI_WIN_FLAVOR_DYNAMIC && !is_attached(*window, view)) {
    finding.id = "rma.attach";
    finding.message = fmt::format("{} of rank {} touches memory that is not attached to the dynamic window of rank {}",
                                  operation.site.function, operation.id.actor, rank_.value);
  } else if (const CreationSite* promise = promise_of_no_put(*window, operation);
             promise != nullptr && view.updates()) {
    finding.id = "rma.assert";
    finding.message = fmt::format("{} promises by MPI_MODE_NOPUT that nobody updates the window of rank {}, but rank "
                                  "{} does, by {}",
                                  promise->function, rank_.value, operation.id.actor, operation.site.function);
  }
  if (finding.id.empty()) return;
  const Frame frame =
      program_.locate({operation.id.actor}, {"", reinterpret_cast<std::uintptr_t>(operation.site.return_address)});
  finding.locations.push_back(
      {{operation.id.actor}, operation.site.function, frame.file, frame.line, frame.function, "touches the memory"});
  model_.findings.push_back(std::move(finding));
}

}  // namespace rehearse::smpi::model
