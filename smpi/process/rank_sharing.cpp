// SPDX-License-Identifier: MIT
//
// The memory of loaded ranks that may become common: static arrays for folding, and large blocks for merging.
#include <algorithm>
#include <set>

#include "smpi/folding.hpp"
#include "smpi/page_merging.hpp"
#include "smpi/process/rank_program.hpp"

namespace rehearse::smpi {
namespace {

// Calls visit(begin, end), offsets in the range, for data that are in no file: zeros at first. Relocation may have
// copied variables of libraries to the beginning of them, which therefore have other symbols.
template <class Visit>
void visit_zeros(const Images& images, Visit&& visit) {
  for (std::size_t i = 0; i < images.plugins_begin; ++i) {
    const Image& image = images.images[i];
    if (image.system) continue;
    for (const Segment& segment : image.file->segments())
      if (segment.writable) visit(image, segment.address + segment.file_bytes, segment.address + segment.memory_bytes);
  }
}

bool is_copied(const Image& image, const Elf64_Sym& variable) {
  return std::ranges::any_of(image.file->relocations(), [&](const Elf64_Rela& relocation) {
    return ELF64_R_TYPE(relocation.r_info) == R_X86_64_COPY && relocation.r_offset == variable.st_value;
  });
}

void append_statics(const Images& images, std::byte* range, PageMerging::Area& area) {
  for (std::size_t i = 0; i < images.plugins_begin; ++i) {
    const Image& image = images.images[i];
    for (const Segment& segment : image.file->segments()) {
      if (!segment.writable) continue;
      std::uint64_t begin = segment.address;
      if (const auto& relro = image.file->relro(); relro && relro->address == begin)
        begin += std::min(relro->memory_bytes, segment.memory_bytes);
      const std::uint64_t end = segment.address + segment.memory_bytes;
      if (end - begin >= PageMerging::smallest_block)
        area.push_back({range + image.offset + begin, range + image.offset + end});
    }
  }
}

void append_blocks(const Arena& heap, PageMerging::Area& area) {
  for (const std::byte* block = heap.first_block(); block != nullptr; block = heap.next_block(block)) {
    const std::byte* end = heap.end_asked(block);
    if (end >= block + PageMerging::smallest_block)
      area.push_back({const_cast<std::byte*>(block), const_cast<std::byte*>(end)});
  }
}

}  // namespace

void RankProgram::watch_static_arrays(const Part& part) {
  Folding* folding = part.world->spec.folding;
  if (folding == nullptr || folding->options().above == 0) return;
  std::set<const std::byte*> watched;  // a variable may have several names
  visit_zeros(part.world->images, [&](const Image& image, std::uint64_t begin, std::uint64_t end) {
    for (const Elf64_Sym* variable : image.file->variables()) {
      if (!folding->is_automatic(variable->st_size) || variable->st_value < begin) continue;
      if (variable->st_value + variable->st_size > end || is_copied(image, *variable)) continue;
      Folding::StaticArray array{
          std::string(image.file->name_of_variable(*variable)), variable->st_size, part.first_rank, {}};
      for (std::uint32_t i = part.first_rank; i < part.end_rank; ++i)
        array.of_rank.push_back(base(ActorId{i}) + image.offset + variable->st_value);
      if (watched.insert(array.of_rank.front()).second) folding->watch(array);
    }
  });
}

void RankProgram::share_memory(const RankState& rank) {
  if (Folding* folding = world_->spec.folding; folding != nullptr)
    folding->look_after_step({rank.context.identity.id.value, rank.heap, rank.base, rank.base + world_->range_bytes});
  if (PageMerging* merging = world_->spec.merging; merging != nullptr && merging->is_due()) merge_pages();
}

void RankProgram::merge_pages() {
  std::vector<PageMerging::Area> areas(ranks_.size());
  for (const Part& part : parts_)
    for (std::uint32_t i = part.first_rank; i < part.end_rank; ++i) {
      append_statics(part.world->images, base(ActorId{i}), areas[i]);
      append_blocks(ranks_[i].memory->heap(), areas[i]);
    }
  world_->spec.merging->scan(areas);
}

}  // namespace rehearse::smpi
