// SPDX-License-Identifier: MIT
//
// The definitions of malloc and its family for this process.
//
// The address of a block shows its owner: all ranges of actors are in a window of the address space where nothing else
// is mapped (actor_memory.hpp). A rank's block that is freed outside of its rank stays: the rank's memory
// changes only while the rank runs.
// A local static of our own code that is first reached on a rank is initialised with the host's allocator (the
// __cxa_guard functions below): it lives for all ranks, and is not rolled back with one.
//
// Not in the sanitizer build, whose own malloc must stay in place (it cannot load programs).
#include "smpi/process/heap.hpp"

#include <dlfcn.h>
#include <malloc.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "simcore/actor_memory.hpp"
#include "smpi/folding.hpp"
#include "smpi/page_merging.hpp"
#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

thread_local Arena* rank_heap = nullptr;
thread_local Folding* rank_folding = nullptr;
thread_local PageMerging* rank_merging = nullptr;
thread_local int host_depth = 0;

[[maybe_unused]] Arena* active_heap() { return host_depth == 0 ? rank_heap : nullptr; }

// Whether the caller may free the block, which is in the window of the ranks: it is a live block of the running rank. A
// block of another rank, or from an earlier life of the rank, is kept; any other address in the running rank's range is
// an error.
[[maybe_unused]] bool is_freeable(const void* block, const char* what) {
  const RankState* rank = running_rank();
  if (rank == nullptr || !rank->covers(block)) return false;
  if (rank_heap->check(block) == Arena::BlockState::live) return true;
  char text[128];
  std::snprintf(text, sizeof text, "%s of %p, which is %s", what, block,
                rank_heap->check(block) == Arena::BlockState::free ? "already freed" : "not an allocated block");
  fail_rank(FailureKind::crash, "crash.heap", text);
}

// Free memory has no merged pages: the heap clears it as private memory.
[[maybe_unused]] void separate_block(void* block, bool keeps_content) {
  const std::size_t bytes = rank_merging == nullptr ? 0 : rank_heap->usable_bytes(block);
  if (bytes < PageMerging::smallest_block) return;
  const int before = errno;
  const HostAllocation host;
  auto* begin = static_cast<std::byte*>(block);
  rank_merging->separate({begin, begin + bytes}, keeps_content);
  errno = before;
}

// Releases a block of the running rank, which may be a folded array.
[[maybe_unused]] void release_block(void* block) {
  if (rank_folding != nullptr) {
    const int before = errno;
    const HostAllocation host;
    rank_folding->unfold(block);
    errno = before;
  }
  separate_block(block, false);
  rank_heap->release(block);
}

}  // namespace

void set_rank_heap(Arena* heap, Folding* folding, PageMerging* merging) {
  rank_heap = heap;
  rank_folding = folding;
  rank_merging = merging;
}
HostAllocation::HostAllocation() { ++host_depth; }
HostAllocation::~HostAllocation() { --host_depth; }
bool in_host_allocation() { return host_depth != 0; }

}  // namespace rehearse::smpi

#if !defined(__SANITIZE_ADDRESS__)

using rehearse::Arena;
using namespace rehearse::smpi;

extern "C" {

void* __libc_malloc(std::size_t);
void __libc_free(void*);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

static void* or_no_memory(void* block) {
  if (block == nullptr) errno = ENOMEM;
  return block;
}

void* malloc(std::size_t bytes) {
  Arena* heap = active_heap();
  return heap == nullptr ? __libc_malloc(bytes) : or_no_memory(heap->allocate(bytes));
}

void* calloc(std::size_t count, std::size_t bytes) {
  Arena* heap = active_heap();
  if (heap == nullptr) return __libc_calloc(count, bytes);
  std::size_t total = 0;
  return or_no_memory(__builtin_mul_overflow(count, bytes, &total) ? nullptr : heap->allocate_zeroed(total));
}

void free(void* block) {
  if (!rehearse::in_actor_window(block)) return __libc_free(block);
  if (is_freeable(block, "free()")) release_block(block);
}

void* realloc(void* block, std::size_t bytes) {
  if (block == nullptr) return malloc(bytes);
  if (!rehearse::in_actor_window(block)) return __libc_realloc(block, bytes);
  if (!is_freeable(block, "realloc()")) return or_no_memory(nullptr);
  if (bytes == 0) {
    release_block(block);
    return nullptr;
  }
  if (rank_folding == nullptr || !rank_folding->knows(block)) {
    separate_block(block, true);
    return or_no_memory(rank_heap->reallocate(block, bytes));
  }
  void* moved = rank_heap->allocate(bytes);
  if (moved == nullptr) return or_no_memory(nullptr);
  std::memcpy(moved, block, std::min(bytes, rank_heap->usable_bytes(block)));
  release_block(block);
  return moved;
}

void* memalign(std::size_t alignment, std::size_t bytes) {
  Arena* heap = active_heap();
  if (heap == nullptr) return __libc_memalign(alignment, bytes);
  if ((alignment & (alignment - 1)) != 0) {
    errno = EINVAL;
    return nullptr;
  }
  return or_no_memory(heap->allocate_aligned(alignment, bytes));
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
void* valloc(std::size_t bytes) { return memalign(4096, bytes); }
void* pvalloc(std::size_t bytes) { return memalign(4096, (bytes + 4095) / 4096 * 4096); }

int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  const int before = errno;
  void* made = memalign(alignment, bytes);
  errno = before;
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}

void* reallocarray(void* block, std::size_t count, std::size_t bytes) {
  std::size_t total = 0;
  return __builtin_mul_overflow(count, bytes, &total) ? or_no_memory(nullptr) : realloc(block, total);
}

std::size_t malloc_usable_size(void* block) {
  if (block == nullptr) return 0;
  if (rehearse::in_actor_window(block)) {
    if (rank_heap == nullptr || !rank_heap->owns(block)) return 0;
    rank_heap->use_all(block);
    return rank_heap->usable_bytes(block);
  }
  static std::size_t (*of_libc)(void*) = nullptr;
  if (of_libc == nullptr) of_libc = reinterpret_cast<decltype(of_libc)>(dlsym(RTLD_NEXT, "malloc_usable_size"));
  return of_libc(block);
}

int __cxa_guard_acquire(std::uint64_t* guard) {
  static decltype(&__cxa_guard_acquire) real = nullptr;  // constant initialisation: needs no guard itself
  if (real == nullptr) real = reinterpret_cast<decltype(real)>(dlsym(RTLD_NEXT, "__cxa_guard_acquire"));
  const int initialise = real(guard);
  if (initialise != 0) ++host_depth;
  return initialise;
}

void __cxa_guard_release(std::uint64_t* guard) noexcept {
  static decltype(&__cxa_guard_release) real = nullptr;
  if (real == nullptr) real = reinterpret_cast<decltype(real)>(dlsym(RTLD_NEXT, "__cxa_guard_release"));
  --host_depth;
  real(guard);
}

void __cxa_guard_abort(std::uint64_t* guard) noexcept {
  static decltype(&__cxa_guard_abort) real = nullptr;
  if (real == nullptr) real = reinterpret_cast<decltype(real)>(dlsym(RTLD_NEXT, "__cxa_guard_abort"));
  --host_depth;
  real(guard);
}

}  // extern "C"

#endif

namespace rehearse::smpi {

InterposerList heap_interposers() { return {{"malloc_usable_size", function_address(::malloc_usable_size)}}; }

}  // namespace rehearse::smpi
