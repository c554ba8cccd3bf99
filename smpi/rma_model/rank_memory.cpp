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
#include "smpi/rma_model/race_finding.hpp"
#include "smpi/rma_model/rank_driver.hpp"

namespace rehearse::smpi::model {
namespace {

Bytes bytes_of(const void* begin, std::uint64_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  return {address, address + bytes};
}

std::vector<ShownMemory> shown_memory(const Window& window) {
  std::vector<ShownMemory> memory;
  const auto add = [&](int member, const std::byte* here, const std::byte* there, std::uint64_t bytes) {
    if (bytes == 0) return;
    memory.push_back(
        {bytes_of(here, bytes), reinterpret_cast<std::uintptr_t>(there), window.communicator->actor_of(member).value});
  };
  if (window.flavor == MPI_WIN_FLAVOR_DYNAMIC)
    for (const auto& [begin, bytes] : window.attached) add(window.rank(), begin, begin, bytes);
  else if (!window.is_shared()) add(window.rank(), window.own().base, window.own().base, window.own().bytes);
  else
    for (int member = 0; member < window.size(); ++member)
      add(member, window.seen_at[static_cast<std::size_t>(member)], window.part(member).base,
          window.part(member).bytes);
  return memory;
}

std::vector<std::byte> content_of(const Bytes& memory) {
  const auto* begin = reinterpret_cast<const std::byte*>(memory.begin);
  return {begin, begin + (memory.end - memory.begin)};
}

bool contains(const std::vector<ShownMemory>& memory, const Bytes& range) {
  return std::ranges::any_of(memory, [&](const ShownMemory& known) {
    return known.here.begin == range.begin && known.here.end == range.end;
  });
}

// The pieces in which the memory differs from the image, with their content.
void add_changed(const ShownMemory& memory, std::span<const std::byte> image, Record& record) {
  const auto* now = reinterpret_cast<const std::byte*>(memory.here.begin);
  if (image.empty() || std::memcmp(now, image.data(), image.size()) == 0) return;
  for (std::size_t i = 0; i < image.size();) {
    if (now[i] == image[i]) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < image.size() && now[end] != image[end]) ++end;
    record.memory.push_back({memory.there + i, memory.there + end});
    record.data.insert(record.data.end(), now + i, now + end);
    i = end;
  }
}

// What a rank has changed in memory of a window.
struct Change {
  Record record;
  bool hides_stores = false;
};

void find_changes(const WindowState& state, const MemoryImage& image, std::vector<Change>& found) {
  for (const ShownMemory& range : state.memory) {
    Record change;
    change.kind = RecordKind::change;
    change.owner = range.owner;
    add_changed(range, image.at(range.there, range.here.end - range.here.begin), change);
    if (!change.memory.empty()) found.push_back({std::move(change), state.is_shared && state.hides_accesses});
  }
}

void note_change(Change change, View& view) {
  Record store;
  store.kind = RecordKind::store;
  store.owner = change.record.owner;
  store.memory = change.record.memory;
  view.add(std::move(change.record));
  if (change.hides_stores) view.add(std::move(store));
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

}  // namespace

// New memory first: others learn its content in a barrier that orders no access. Then changes, accesses last. The rank
// has stored into the memory as it was, without the effects of operations that are complete only now; but its stores
// come after these.
void RankDriver::look_at_memory() {
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
  std::vector<Change> changes;
  for (const auto& [context, state] : model_.windows) find_changes(state, model_.view.image(), changes);
  for (const Window* window : all) know_complete(*window);
  for (Change& change : changes) note_change(std::move(change), model_.view);
  if (const ExposedMemory* exposed = find_per_rank<ExposedMemory>(slot); exposed != nullptr) {
    model_.moments.assign(exposed->stretch(), model_.view.known_now());
    exposed->end_stretch();
  }
  for (const Window* window : all) note_uses(*window);
  for (const Window* window : all) note_carriers(*window);
  report_races();
}

// `data`: of memory that is new in a window; empty: it was detached.
void RankDriver::add_content(const Bytes& memory, std::vector<std::byte> data) {
  Record content;
  content.kind = RecordKind::content;
  content.owner = rank_.value;
  content.memory = {memory};
  content.data = std::move(data);
  model_.view.add(std::move(content));
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
    state.is_shared = window.is_shared();
    state.separate = window.is_separate() ? context : 0;
    const ExposedMemory* exposed = find_per_rank<ExposedMemory>(rank_slot(program_, rank_));
    const Exposed* accesses = exposed == nullptr ? nullptr : exposed->find(&window);
    state.hides_accesses = accesses != nullptr && !accesses->shows_accesses;
    for (std::size_t member = 0; member < members; ++member)
      state.bases[state.members[member].value] = reinterpret_cast<std::uintptr_t>(window.parts[member].base);
  }
  const std::vector<ShownMemory> memory = shown_memory(window);
  for (const ShownMemory& own : state.memory)
    if (own.owner == rank_.value && !contains(memory, own.here)) add_content(own.here, {});
  for (const ShownMemory& own : memory)
    if (own.owner == rank_.value && !contains(state.memory, own.here)) add_content(own.here, content_of(own.here));
  state.memory = memory;
  if (is_new) check_new_window(window, memory);
  if (is_new && members > 1) add_barrier(end_context ^ context, state.members, "MPI_Win_create");
}

// Operations of which the rank knows since the last call that they are complete at their targets.
void RankDriver::know_complete(const Window& window) {
  WindowState& state = model_.windows[window.communicator->message_context().value];
  std::vector<RecordId> effects;
  for (std::size_t target = 0; target < state.complete.size(); ++target)
    for (; state.complete[target] < window.complete[target]; ++state.complete[target]) {
      const std::vector<RecordId>& records = *state.open.find({target, state.complete[target]});
      effects.insert(effects.end(), records.begin(), records.end());
      state.open.erase({target, state.complete[target]});
    }
  model_.view.know_effects(effects);
}

// What the model does not have.
void RankDriver::check_new_window(const Window& window, const std::vector<ShownMemory>& memory) {
  const auto is_strict = [](const auto& hint) { return hint.first == "accumulate_ops" && hint.second == "same_op"; };
  if (std::ranges::any_of(window.hints, is_strict)) model_.missing = "the hint accumulate_ops in epochs of locks";
  const std::uint64_t context = window.communicator->message_context().value;
  for (const auto& [other, state] : model_.windows)
    for (const ShownMemory& range : state.memory)
      if (other != context &&
          std::ranges::any_of(memory, [&](const ShownMemory& one) { return one.here.meets(range.here); }))
        model_.missing = "the memory that two windows share";
}

void RankDriver::note_uses(const Window& window) {
  const ExposedMemory* exposed = find_per_rank<ExposedMemory>(rank_slot(program_, rank_));
  const Exposed* uses = exposed == nullptr ? nullptr : exposed->find(&window);
  if (uses == nullptr || uses->is_taken) return;
  uses->is_taken = true;
  if (uses->left_out > 0 && model_.missing.empty())
    model_.missing = "a rank with many accesses to its window between two calls";
  const WindowState& state = model_.windows[window.communicator->message_context().value];
  for (const OwnUse& use : uses->uses)
    for (const ShownMemory& memory : state.memory) note_use(memory, use, state.separate);
}

// The calls that carry stores and updates from one copy of the window to the other. The uses so far came before them.
void RankDriver::note_carriers(const Window& window) {
  WindowState& state = model_.windows[window.communicator->message_context().value];
  const auto note = [&](RecordKind kind, std::uint64_t& known, std::uint64_t now) {
    if (state.separate == 0 || std::exchange(known, now) == now) return;
    Record carrier;
    carrier.kind = kind;
    carrier.owner = rank_.value;
    carrier.separate = state.separate;
    model_.view.add(std::move(carrier));
  };
  note(RecordKind::publish, state.published, window.published);
  note(RecordKind::absorb, state.absorbed, window.absorbed);
}

// The part of the use that touches this memory.
void RankDriver::note_use(const ShownMemory& memory, const OwnUse& use, std::uint64_t separate) {
  Record record;
  record.separate = separate;
  record.kind = use.stores ? RecordKind::store : RecordKind::load;
  record.owner = memory.owner;
  record.site = use.site;
  std::vector<Bytes> pieces = {
      {static_cast<std::uintptr_t>(use.hull.begin), static_cast<std::uintptr_t>(use.hull.end)}};
  if (use.shape) pieces = pieces_of(*use.shape, use.hull);
  for (const Bytes& piece : pieces) {
    const Bytes shown{std::max(piece.begin, memory.here.begin), std::min(piece.end, memory.here.end)};
    if (shown.begin >= shown.end) continue;
    record.memory.push_back(
        {shown.begin - memory.here.begin + memory.there, shown.end - memory.here.begin + memory.there});
  }
  if (record.memory.empty()) return;
  const KnowledgeRef* begun = use.since ? model_.moments.find(*use.since) : nullptr;
  model_.view.add(std::move(record), begun == nullptr ? nullptr : *begun);
}

// The rank's windows get the effects that the rank knows of.
void RankDriver::write_memory() {
  program_.next(rank_);  // its memory is accessible now
  if (!model_.view.take_changed()) return;
  for (const auto& [context, state] : model_.windows)
    for (const auto& [range, there, owner] : state.memory) {
      const std::span<const std::byte> image = model_.view.image().at(there, range.end - range.begin);
      if (!image.empty()) std::memcpy(reinterpret_cast<void*>(range.begin), image.data(), image.size());
    }
}

// ---- Races

// Of the two ranks of a race the lower one reports it. Replacements that clash need an object.
void RankDriver::report_races() {
  std::vector<ObjectName> unknown;
  for (const Clash& clash : model_.view.take_clashes()) {
    const auto window = model_.windows.find(clash.window);
    if (window == model_.windows.end()) {
      model_.missing = "the order of replacements in a window that is free already";
      continue;
    }
    const std::uint64_t place = clash.address - window->second.bases[clash.owner];
    const ObjectName element{ObjectKind::atom, clash.window, clash.owner, place};
    if (!objects_.contains(element)) unknown.push_back(element);
  }
  if (!unknown.empty() && model_.missing.empty()) model_.missing = missing_objects(unknown);
  for (const Race& race : model_.view.take_races()) {
    const auto& [a, b] = race;
    if (std::min(a->id.actor, b->id.actor) != rank_.value) continue;
    model_.findings.push_back(finding_of(race, program_));
  }
}

}  // namespace rehearse::smpi::model
