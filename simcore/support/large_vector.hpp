// SPDX-License-Identifier: MIT
//
// Vectors of millions of elements: their memory comes in huge pages, where the kernel has them.
//
// Why:     touching a new page of 4 KiB costs an exception of the processor, which takes as long as the work on a
//          hundred elements. A huge page has 2 MiB.
// Memory:  blocks of 2 MiB and more are made of huge pages; so they take up to 2 MiB more than their elements.
// Threads: as the vectors of the standard library.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace rehearse {

template <class T>
class LargeAllocator {
 public:
  using value_type = T;

  LargeAllocator() = default;
  template <class Other>
  LargeAllocator(const LargeAllocator<Other>&) {}

  T* allocate(std::size_t count) {
    if (!is_large(count)) return std::allocator<T>().allocate(count);
    const std::size_t bytes = bytes_of(count);
    void* at = ::operator new(bytes, alignment);
    madvise(at, bytes, MADV_HUGEPAGE);  // fails only if there are no huge pages
    return static_cast<T*>(at);
  }
  void deallocate(T* at, std::size_t count) {
    if (is_large(count)) ::operator delete(at, bytes_of(count), alignment);
    else std::allocator<T>().deallocate(at, count);
  }

  template <class Other>
  bool operator==(const LargeAllocator<Other>&) const {
    return true;
  }

 private:
  static constexpr std::size_t page_bytes = std::size_t{1} << 21;
  static constexpr std::align_val_t alignment{page_bytes};

  // Whole pages.
  static std::size_t bytes_of(std::size_t count) { return (count * sizeof(T) + page_bytes - 1) & ~(page_bytes - 1); }
  // More than fits into memory is refused by the ordinary way.
  static bool is_large(std::size_t count) {
    return count >= page_bytes / sizeof(T) && count <= static_cast<std::size_t>(-1) / 2 / sizeof(T);
  }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace rehearse
