// SPDX-License-Identifier: MIT
//
// Counting mappings, copying code.
#include "smpi/process/mapping.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

#include "simcore/actor_memory.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/page.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint64_t spare_mappings = 1024;  // for this process's own libraries, buffers and threads
constexpr std::uint64_t guard_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t usual_limit = 65530;

std::uint64_t count_lines(const char* file) {
  std::ifstream in(file);
  std::uint64_t count = 0;
  for (std::string line; std::getline(in, line);) ++count;
  return count;
}

}  // namespace

MappingNeed need_of(const Images& images, std::uint64_t ranks) {
  // The guard below the stack, the stack, and the memory behind the last image; each image splits the memory around it.
  MappingNeed need{ranks, 2, 0};
  for (const Image& image : images.images) {
    need.mappings += 2;
    for (const Segment& segment : image.file->segments())
      if (!segment.writable && segment.file_bytes > 0)
        need.code_bytes += page_ceiling(segment.address + segment.file_bytes) - page_floor(segment.address);
  }
  return need;
}

MappingRoom mapping_room() {
  std::ifstream in("/proc/sys/vm/max_map_count");
  std::uint64_t limit = usual_limit;
  if (!(in >> limit)) limit = usual_limit;
  const std::uint64_t used = count_lines("/proc/self/maps") + spare_mappings;
  const auto memory = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes;
  return {limit > used ? limit - used : 0, memory / 4};
}

Result<Mapping> plan_mapping(std::span<const MappingNeed> needs, const MappingRoom& room) {
  std::uint64_t ranks = 0, mappings = 0, bytes = 0;
  for (const MappingNeed& need : needs) {
    ranks += need.ranks;
    mappings += need.ranks * need.mappings;
    bytes += need.ranks * need.code_bytes;
  }
  if (mappings <= room.mappings) return Mapping::mapped;
  if (bytes <= room.copied_bytes) return Mapping::copied;
  return Error{
      fmt::format("{} ranks need about {} mappings of memory, and the kernel allows {} more; their code ({} MiB in "
                  "all) is too large to be copied; accepted: fewer ranks, or sysctl vm.max_map_count={}",
                  ranks, mappings, room.mappings, bytes >> 20, mappings + mappings / 8 + 2 * spare_mappings)};
}

void copy_code(const Image& image, std::byte* range) {
  for (const Segment& segment : image.file->segments()) {
    if (segment.writable || segment.file_bytes == 0) continue;
    if (const std::byte* from = image.file->bytes_at(segment.address, segment.file_bytes); from != nullptr)
      std::memcpy(range + image.offset + segment.address, from, segment.file_bytes);
  }
}

bool guard_stack(Mapping mapping, std::byte* range, const RangeLayout& layout) {
  if (mapping == Mapping::mapped) return mprotect(range, layout.stack_begin, PROT_NONE) == 0;
  const std::uint64_t bytes = std::min(guard_bytes, layout.stack_begin);
  return install_guard({range + layout.stack_begin - bytes, range + layout.stack_begin});
}

}  // namespace rehearse::smpi
