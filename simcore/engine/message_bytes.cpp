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
  is_in_buffer_ = bytes.data() != nullptr && bytes.size() < sparse_copy_bytes;
  if (bytes.data() == nullptr) {
    size_ = bytes.size();
    return;
  }
  if (is_in_buffer_) {
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
