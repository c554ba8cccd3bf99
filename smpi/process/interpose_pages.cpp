// SPDX-License-Identifier: MIT
//
// Memory by pages (mmap): the mappings of a rank lie in its heap, where they are saved and restored with the rank.
//
// Files:    a private or read-only mapping is a copy of the file as it was when it was mapped.
// Not here: shared mappings of files that may be written, and mappings at addresses of the program's choice, are
//           Fail{unsupported}; a part of a mapping cannot be released alone and stays until all of it is released.
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "simcore/actor_memory.hpp"
#include "simcore/arena.hpp"
#include "simcore/support/page.hpp"
#include "smpi/buffers/freed.hpp"
#include "smpi/page_merging.hpp"
#include "smpi/process/allocation.hpp"
#include "smpi/process/files.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

void* no_memory() {
  errno = ENOMEM;
  return MAP_FAILED;
}

// Bytes beyond the end of the file are zero.
bool copy_file(int file, off_t offset, std::byte* to, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t got = RankFiles::is_descriptor(file) && rank_files() != nullptr
                            ? rank_files()->read_at(file, to, bytes, offset)
                            : pread(file, to, bytes, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) return true;
    to += got;
    offset += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

void* rank_mmap(void*, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  if ((flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) != 0)
    fail_rank(FailureKind::unsupported, "unsupported.function",
              "mmap at an address of the program's choice (MAP_FIXED)");
  const bool of_file = (flags & MAP_ANONYMOUS) == 0;
  if (of_file && (flags & MAP_TYPE) != MAP_PRIVATE && (protection & PROT_WRITE) != 0)
    fail_rank(FailureKind::unsupported, "unsupported.function",
              "mmap of a file that is shared and written (MAP_SHARED)");
  if (bytes == 0) {
    errno = EINVAL;
    return MAP_FAILED;
  }
  Arena& heap = *this_rank().heap;
  const std::size_t room = (bytes + page_bytes - 1) / page_bytes * page_bytes;
  auto* block = static_cast<std::byte*>(of_file ? nullptr : folded_allocation(page_bytes, room));
  if (block != nullptr) return block;
  block = static_cast<std::byte*>(heap.allocate_aligned(page_bytes, room));
  if (block == nullptr) return no_memory();
  clear_memory(block, block + room);
  if (of_file && !copy_file(file, offset, block, bytes)) {
    const int reason = errno;
    heap.release(block);
    errno = reason;
    return MAP_FAILED;
  }
  return block;
}

int rank_munmap(void* address, std::size_t) {
  RankState& rank = this_rank();
  if (rank.heap->check(address) == Arena::BlockState::live && !must_keep(address)) std::free(address);
  return 0;
}

void* rank_mremap(void* address, std::size_t, std::size_t wanted, int flags, void*) {
  RankState& rank = this_rank();
  if (rank.heap->check(address) != Arena::BlockState::live) {
    errno = EFAULT;
    return MAP_FAILED;
  }
  if (wanted <= rank.heap->usable_bytes(address)) {
    rank.heap->use_all(address);
    return address;
  }
  if ((flags & MREMAP_MAYMOVE) == 0 || (flags & MREMAP_FIXED) != 0) return no_memory();
  const std::size_t room = (wanted + page_bytes - 1) / page_bytes * page_bytes;
  auto* moved = static_cast<std::byte*>(rank.heap->allocate_aligned(page_bytes, room));
  if (moved == nullptr) return no_memory();
  const std::size_t known = rank.heap->usable_bytes(address);
  std::memcpy(moved, address, known);
  clear_memory(moved + known, moved + room);
  if (!must_keep(address)) std::free(address);
  return moved;
}

// The rank's memory stays readable and writable: snapshots read it.
int rank_mprotect(void* address, std::size_t bytes, int protection) {
  if (!this_rank().covers(address)) return ::mprotect(address, bytes, protection);
  if ((protection & PROT_EXEC) == 0) return 0;
  fail_rank(FailureKind::unsupported, "unsupported.function", "mprotect of data that becomes code (PROT_EXEC)");
}

int rank_madvise(void* address, std::size_t bytes, int advice) {
  auto* begin = static_cast<std::byte*>(address);
  if (advice != MADV_DONTNEED || !this_rank().covers(address)) return 0;
  if (PageMerging* merging = this_rank().world->spec.merging; merging != nullptr) {
    const HostAllocation host;
    merging->separate({begin, begin + bytes}, true);
  }
  clear_memory(begin, begin + bytes);
  return 0;
}

}  // namespace

InterposerList page_interposers() {
  return {{"mmap", function_address(rank_mmap)},
          {"mmap64", function_address(rank_mmap)},
          {"munmap", function_address(rank_munmap)},
          {"mremap", function_address(rank_mremap)},
          {"mprotect", function_address(rank_mprotect)},
          {"madvise", function_address(rank_madvise)},
          {"posix_madvise", function_address(rank_madvise)}};
}

}  // namespace rehearse::smpi
