// SPDX-License-Identifier: MIT
//
// See known_memory.hpp.
//
// Method: blocks of the heap never move, so that every so many of them one is noted, in the rank's own memory; the
//         notes are continued when an address lies behind the last one.
#include "smpi/known_memory.hpp"

#include <algorithm>
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
  return {Region::heap_block, reinterpret_cast<std::uintptr_t>(end)};
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
  return {Region::variable, base + end};
}

}  // namespace

KnownMemory known_memory(std::uintptr_t address) {
  const RankState* rank = running_rank();
  if (rank == nullptr || !rank->covers(reinterpret_cast<const void*>(address))) return {};
  const std::uint64_t offset = address - reinterpret_cast<std::uintptr_t>(rank->base);
  const RangeLayout& layout = rank->world->layout;
  if (offset < layout.stack_end) return {};
  if (offset >= layout.heap_begin && offset < layout.heap_end) return known_heap(*rank->heap, address);
  return known_variable(*rank, offset);
}

}  // namespace rehearse::smpi
