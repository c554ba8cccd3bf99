// SPDX-License-Identifier: MIT
//
// The memory of a paused rank: windows, what the rank has stored there, and its accesses. Races.
#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include "simcore/support/format.hpp"
#include "smpi/buffers/exposed.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/rank_slot.hpp"
#include "smpi/report.hpp"
#include "smpi/rma_model/rank_model.hpp"

namespace rehearse::smpi::model {
namespace {

Bytes bytes_of(const void* begin, std::uint64_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  return {address, address + bytes};
}

std::vector<Bytes> own_memory(const Window& window) {
  std::vector<Bytes> memory;
  if (window.flavor == MPI_WIN_FLAVOR_DYNAMIC)
    for (const auto& [begin, bytes] : window.attached) memory.push_back(bytes_of(begin, bytes));
  else if (window.own().bytes > 0) memory.push_back(bytes_of(window.own().base, window.own().bytes));
  return memory;
}

std::vector<std::byte> content_of(const Bytes& memory) {
  const auto* begin = reinterpret_cast<const std::byte*>(memory.begin);
  return {begin, begin + (memory.end - memory.begin)};
}

// The pieces in which the memory differs from the image, with their content.
void add_changed(const Bytes& memory, std::span<const std::byte> image, Record& record) {
  const auto* now = reinterpret_cast<const std::byte*>(memory.begin);
  for (std::size_t i = 0; i < image.size();) {
    if (now[i] == image[i]) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < image.size() && now[end] != image[end]) ++end;
    record.memory.push_back({memory.begin + i, memory.begin + end});
    record.data.insert(record.data.end(), now + i, now + end);
    i = end;
  }
}

// The bytes of a buffer with gaps. Of a large one, the whole hull.
std::vector<Bytes> pieces_of(const Footprint& shape, const Span& hull) {
  constexpr std::int64_t most_bytes = 1 << 16;
  std::vector<Bytes> pieces;
  for (std::int64_t at = hull.begin; at < hull.end && hull.end - hull.begin <= most_bytes; ++at) {
    const auto address = static_cast<std::uintptr_t>(at);
    if (!shape.meets(Span{at, at + 1})) continue;
    if (!pieces.empty() && pieces.back().end == address) ++pieces.back().end;
    else pieces.push_back({address, address + 1});
  }
  if (pieces.empty())
    pieces.push_back({static_cast<std::uintptr_t>(hull.begin), static_cast<std::uintptr_t>(hull.end)});
  return pieces;
}

bool carries_out(const Operation& operation) {
  return std::holds_alternative<Choose>(operation) || std::holds_alternative<Report>(operation);
}

}  // namespace

// New memory first: others learn its content in a barrier that orders no access. Then changes, accesses last.
void RankDriver::look_at_memory(const Operation& operation) {
  const void* slot = rank_slot(program_, rank_);
  const Windows* windows = find_per_rank<Windows>(slot);
  if (windows == nullptr) return;
  std::set<std::uint64_t> live;
  std::vector<const Window*> all;
  windows->made.for_each_live([&](MPI_Win, const std::unique_ptr<Window>& window, const CreationSite&) {
    live.insert(window->communicator->message_context().value);
    all.push_back(window.get());
  });
  for (const Window* window : all) look_at_window(*window);
  std::erase_if(model_.windows, [&](const auto& known) { return !live.contains(known.first); });
  for (const auto& [context, state] : model_.windows) note_changes(state);
  if (model_.fence && !carries_out(operation)) {
    const std::uint64_t window = *std::exchange(model_.fence, std::nullopt);
    add_barrier(end_context ^ window, members_of(window), fence_name);
  }
  if (const ExposedMemory* exposed = find_per_rank<ExposedMemory>(slot); exposed != nullptr) {
    model_.moments.resize(exposed->stretch() + 1);
    model_.moments.back() = std::make_shared<const Knowledge>(model_.view.known());
    exposed->end_stretch();
  }
  for (const Window* window : all) note_uses(*window);
  report_races();
}

void RankDriver::look_at_window(const Window& window) {
  const std::uint64_t context = window.communicator->message_context().value;
  const bool is_new = !model_.windows.contains(context);
  WindowState& state = model_.windows[context];
  const auto members = static_cast<std::size_t>(window.size());
  if (is_new) {
    state.members = window.communicator->members();
    state.issued.resize(members);
    state.complete.resize(members);
    state.opened = std::make_shared<const Knowledge>(model_.view.known());
    for (std::size_t member = 0; member < members; ++member)
      state.bases[state.members[member].value] = reinterpret_cast<std::uintptr_t>(window.parts[member].base);
  }
  const std::vector<Bytes> memory = own_memory(window);
  for (const Bytes& range : memory) {
    const auto is_known = [&](const Bytes& known) { return known.begin == range.begin && known.end == range.end; };
    if (std::ranges::any_of(state.memory, is_known)) continue;
    Record content;
    content.kind = RecordKind::content;
    content.owner = rank_.value;
    content.memory = {range};
    content.data = content_of(range);
    model_.view.add(std::move(content));
  }
  state.memory = memory;
  if (is_new) check_new_window(window, memory);
  if (is_new && members > 1) add_barrier(end_context ^ context, state.members, "MPI_Win_create");
  for (std::size_t target = 0; target < members; ++target)
    for (; state.complete[target] < window.complete[target]; ++state.complete[target])
      for (const RecordId record : state.issued[target][state.complete[target]]) model_.view.know_effect(record);
}

// What the model does not have.
void RankDriver::check_new_window(const Window& window, const std::vector<Bytes>& memory) {
  const auto is_strict = [](const auto& hint) { return hint.first == "accumulate_ops" && hint.second == "same_op"; };
  if (std::ranges::any_of(window.hints, is_strict)) model_.missing = "the hint accumulate_ops in epochs of locks";
  const std::uint64_t context = window.communicator->message_context().value;
  for (const auto& [other, state] : model_.windows)
    for (const Bytes& range : state.memory)
      if (other != context && std::ranges::any_of(memory, [&](const Bytes& one) { return one.meets(range); }))
        model_.missing = "the memory that two windows share";
}

void RankDriver::note_changes(const WindowState& state) {
  Record change;
  change.kind = RecordKind::change;
  change.owner = rank_.value;
  for (const Bytes& range : state.memory)
    add_changed(range, model_.view.image().at(range.begin, range.end - range.begin), change);
  if (!change.memory.empty()) model_.view.add(std::move(change));
}

void RankDriver::note_uses(const Window& window) {
  const ExposedMemory* exposed = find_per_rank<ExposedMemory>(rank_slot(program_, rank_));
  const Exposed* uses = exposed == nullptr ? nullptr : exposed->find(&window);
  if (uses == nullptr || uses->is_taken) return;
  uses->is_taken = true;
  if (uses->left_out > 0 && model_.missing.empty())
    model_.missing = "a rank with many accesses to its window between two calls";
  for (const OwnUse& use : uses->uses) {
    Record record;
    record.kind = use.stores ? RecordKind::store : RecordKind::load;
    record.owner = rank_.value;
    record.site = use.site;
    record.memory = {{static_cast<std::uintptr_t>(use.hull.begin), static_cast<std::uintptr_t>(use.hull.end)}};
    if (use.shape) record.memory = pieces_of(*use.shape, use.hull);
    KnowledgeRef begun = use.since && *use.since < model_.moments.size() ? model_.moments[*use.since] : nullptr;
    model_.view.add(std::move(record), std::move(begun));
  }
}

// Operations of a fence epoch that the rank is about to carry out on its memory.
void RankDriver::note_exposed(WindowState& window, std::span<const std::span<const std::byte>> deliveries) {
  Record record;
  record.kind = RecordKind::exposed;
  record.owner = rank_.value;
  for (std::span<const std::byte> rest : deliveries)
    while (!rest.empty()) {
      const OperationView operation(rest);
      rest = rest.subspan(operation.bytes());
      for (std::uint64_t i = 0; i < operation.header().blocks; ++i) {
        const TargetBlock block = operation.block(i);
        record.memory.push_back(bytes_of(block.address, operation.bytes_of(block)));
      }
    }
  if (!record.memory.empty()) model_.view.add(std::move(record), window.opened);
}

// The rank's windows get the effects that the rank knows of.
void RankDriver::write_memory() {
  program_.next(rank_);  // its memory is accessible now
  if (!model_.view.take_changed()) return;
  for (const auto& [context, state] : model_.windows)
    for (const Bytes& range : state.memory) {
      const std::span<const std::byte> image = model_.view.image().at(range.begin, range.end - range.begin);
      if (!image.empty()) std::memcpy(reinterpret_cast<void*>(range.begin), image.data(), image.size());
    }
}

// ---- Races

namespace {

std::string text_of(const Record& record) {
  if (record.is_operation() || record.site.function[0] != '\0')
    return fmt::format("{} of rank {}", record.site.function, record.id.actor);
  return fmt::format("a {} of rank {}", record.kind == RecordKind::store ? "store" : "load", record.id.actor);
}

std::string missing_order(const Record& a, const Record& b) {
  const bool is_unfinished = a.is_operation() && a.id.number < b.known->clock[a.id.actor];
  const bool other_unfinished = b.is_operation() && b.id.number < a.known->clock[b.id.actor];
  if (is_unfinished || other_unfinished)
    return fmt::format("; {} is not complete at its target then: a flush or an unlock is missing behind it",
                       is_unfinished ? a.site.function : b.site.function);
  return "; an exclusive lock, or a message behind a flush, would order them";
}

}  // namespace

Finding RankDriver::finding_of(const Race& race) {
  const auto& [a, b] = race;
  Finding finding;
  finding.id = "rma.race";
  finding.message = fmt::format("{} and {} touch the same memory of the window of rank {}; nothing orders them{}",
                                text_of(*a), text_of(*b), a->owner, missing_order(*a, *b));
  finding.actors = {{a->id.actor}};
  if (b->id.actor != a->id.actor) finding.actors.push_back({b->id.actor});
  for (const RecordRef& record : {a, b}) {
    const auto address = reinterpret_cast<std::uintptr_t>(record->site.return_address);
    const Frame frame = program_.locate({record->id.actor}, {"", address});
    finding.locations.push_back(
        {{record->id.actor},
         record->site.function,
         frame.file,
         frame.line,
         frame.function,
         record->changes_memory() || record->kind == RecordKind::store ? "writes the memory" : "reads the memory"});
  }
  return finding;
}

// Of the two ranks of a race the lower one reports it.
void RankDriver::report_races() {
  for (const Race& race : model_.view.take_races()) {
    const auto& [a, b] = race;
    if (std::min(a->id.actor, b->id.actor) != rank_.value) continue;
    if (a->kind != RecordKind::exposed && b->kind != RecordKind::exposed) {
      model_.findings.push_back(finding_of(race));
      continue;
    }
    Finding finding;
    finding.id = outcomes_left_out;
    finding.severity = Severity::note;
    finding.message = "operations of lock epochs that touch memory of a fence or exposure epoch";
    finding.actors = {rank_};
    model_.findings.push_back(std::move(finding));
  }
}

}  // namespace rehearse::smpi::model
