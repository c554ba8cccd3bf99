// SPDX-License-Identifier: MIT
//
// See message_bytes.hpp.
#include "simcore/engine/message_bytes.hpp"

#include <sys/mman.h>

#include <new>

#include "simcore/support/sparse_copy.hpp"

namespace rehearse::engine {

void MessageBytes::assign(std::span<const std::byte> bytes) {
  if (pages_ != nullptr) unmap();
  if (bytes.size() < sparse_copy_bytes) {
    buffer_.assign(bytes.begin(), bytes.end());
    return;
  }
  void* mapped =
      mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<std::byte*>(mapped);
  size_ = bytes.size();
  copy_sparsely(pages_, bytes.data(), size_, Target::zeros);
}

void MessageBytes::unmap() {
  if (pages_ != nullptr) munmap(pages_, size_);
  pages_ = nullptr;
}

}  // namespace rehearse::engine
