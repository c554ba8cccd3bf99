// SPDX-License-Identifier: MIT
//
// Containers whose memory comes from the kernel, not from malloc: the interpreter may be in the middle of malloc.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace rehearse::footprint {

template <class T>
struct OwnPages {
  using value_type = T;
  OwnPages() = default;
  template <class U>
  OwnPages(const OwnPages<U>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t count) {
    void* pages = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    return static_cast<T*>(pages);
  }
  void deallocate(T* pages, std::size_t count) { munmap(pages, count * sizeof(T)); }
  bool operator==(const OwnPages&) const { return true; }
};

template <class T>
using PageVector = std::vector<T, OwnPages<T>>;

}  // namespace rehearse::footprint
