// SPDX-License-Identifier: MIT
//
// Maps the code of ranks into their ranges, and protects the memory below stacks.
//
// Mapped:  each rank maps the files of its images: the pages are shared, and each rank costs several of the kernel's
//          mappings (VMAs), whose number is limited (vm.max_map_count, as a rule 65,530).
// Copied:  with more ranks than that, all ranges stay one mapping, which is executable, and each rank has a copy of its
//          code. Stacks are guarded by guard pages that need no mapping (MADV_GUARD_INSTALL, Linux 6.13); where the
//          kernel has none, stacks are not guarded.
// Errors:  plan_mapping: the ranks need too many mappings and their code is too large to copy; names the value to set.
// Threads: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "simcore/support/result.hpp"
#include "smpi/process/images.hpp"
#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {

enum class Mapping : std::uint8_t { mapped, copied };

// The needs of the ranks of one program.
struct MappingNeed {
  std::uint64_t ranks = 0;
  std::uint64_t mappings = 0;    // of each
  std::uint64_t code_bytes = 0;  // of each, in whole pages
};
MappingNeed need_of(const Images& images, std::uint64_t ranks);

// The resources of the machine.
struct MappingRoom {
  std::uint64_t mappings = 0;      // additional mappings that this process may create
  std::uint64_t copied_bytes = 0;  // memory for copies of code
};
MappingRoom mapping_room();

// For all programs of a job together.
Result<Mapping> plan_mapping(std::span<const MappingNeed> needs, const MappingRoom& room);

// Copies the read-only parts of the image into the range, which is writable and executable.
void copy_code(const Image& image, std::byte* range);

// Makes the memory below the stack inaccessible. False: the kernel cannot.
bool guard_stack(Mapping mapping, std::byte* range, const RangeLayout& layout);

}  // namespace rehearse::smpi
