// SPDX-License-Identifier: MIT
//
// See known_memory.hpp.
//
// Method: blocks of the heap never move, so one of every `blocks_per_note` blocks is noted, in the rank's own memory.
//         More notes are added when an address is behind the last one.
#include "smpi/known_memory.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "smpi/per_rank.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {
namespace {

constexpr int blocks_per_note = 32;

struct NotedBlocks {
  std::vector<const std::byte*> notes;  // ascending
};

// The last block that begins at or before the address; null: none does.
const std::byte* find_block(const Arena& heap, const std::byte* address) {
  std::vector<const std::byte*>& notes = per_rank<NotedBlocks>().notes;
  if (notes.empty()) notes.push_back(heap.first_block());
  if (address < notes.front()) return nullptr;
  const std::byte* block = *std::prev(std::ranges::upper_bound(notes, address));
  int passed = 0;
  while (const std::byte* next = heap.next_block(block)) {
    if (next > address) break;
    block = next;
    if (++passed % blocks_per_note == 0 && block > notes.back()) notes.push_back(block);
  }
  return block;
}

KnownMemory known_heap(const Arena& heap, std::uintptr_t address) {
  const auto* byte = reinterpret_cast<const std::byte*>(address);
  if (byte >= heap.high_water()) return {Region::free_heap, 0};
  const std::byte* block = find_block(heap, byte);
  if (block == nullptr) return {Region::free_heap, 0};
  const std::byte* end = heap.end_asked(block);
  if (byte >= end) return {Region::free_heap, 0};
  const auto end_address = reinterpret_cast<std::uintptr_t>(end);
  return {Region::heap_block, end_address, end_address};
}

KnownMemory known_variable(const RankState& rank, std::uint64_t offset) {
  const Image* image = rank.world->images.find(offset);
  if (image == nullptr) return {};
  if (!image->variables) {
    const HostAllocation host;
    image->variables = std::make_unique<Variables>(*image->file);
  }
  const std::uint64_t end = image->variables->end_of(offset - image->offset);
  if (end == 0) return {};
  const auto base = reinterpret_cast<std::uintptr_t>(rank.base) + image->offset;
  return {Region::variable, base + end, base + end};
}

KnownMemory known_stack(const RankState& rank, std::uintptr_t address) {
  KnownMemory known;
  for (const PlacedVariable& each : rank.world->program_variables->on_stack(rank, address).all()) {
    known.region = Region::stack_variable;
    known.limit = std::max(known.limit, each.limit);
    if (each.end() <= known.end) continue;
    known.end = each.end();
    known.variable = each.variable;
  }
  return known;
}

// The offset of the address in the rank's memory; absent: it is not there.
std::optional<std::uint64_t> offset_in(const RankState* rank, std::uintptr_t address) {
  if (rank == nullptr || !rank->covers(reinterpret_cast<const void*>(address))) return std::nullopt;
  return address - reinterpret_cast<std::uintptr_t>(rank->base);
}

bool is_heap(const RangeLayout& layout, std::uint64_t offset) {
  return offset >= layout.heap_begin && offset < layout.heap_end;
}

}  // namespace

KnownMemory known_memory(std::uintptr_t address) {
  const RankState* rank = running_rank();
  const auto offset = offset_in(rank, address);
  if (!offset) return {};
  const RangeLayout& layout = rank->world->layout;
  if (*offset < layout.stack_end) return known_stack(*rank, address);
  if (is_heap(layout, *offset)) return known_heap(*rank->heap, address);
  return known_variable(*rank, *offset);
}

PlacedVariables known_variables(std::uintptr_t address) {
  const RankState* rank = running_rank();
  const auto offset = offset_in(rank, address);
  if (!offset) return {};
  ProgramVariables& variables = *rank->world->program_variables;
  if (*offset < rank->world->layout.stack_end) return variables.on_stack(*rank, address);
  return is_heap(rank->world->layout, *offset) ? PlacedVariables{} : variables.global(*rank, address);
}

ProgramVariables* program_variables() {
  const RankState* rank = running_rank();
  return rank == nullptr ? nullptr : rank->world->program_variables.get();
}

const PointerTargets* pointer_targets(std::uintptr_t address) {
  const RankState* rank = running_rank();
  const auto offset = offset_in(rank, address);
  if (!offset || !is_heap(rank->world->layout, *offset)) return nullptr;
  return &rank->world->program_variables->targets(*rank, address);
}

}  // namespace rehearse::smpi
