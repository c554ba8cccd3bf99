// SPDX-License-Identifier: MIT
//
// The bytes that a message carries: a few bytes in a reusable buffer, many bytes in separate pages. Pages that hold
// only zeros take no memory. Of bytes without an address, only the number is kept.
//
// Errors:  std::bad_alloc.
// Threads: none.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rehearse::engine {

class MessageBytes {
 public:
  MessageBytes() = default;
  ~MessageBytes() { unmap(); }
  MessageBytes(const MessageBytes&) = delete;
  MessageBytes& operator=(const MessageBytes&) = delete;

  void assign(std::span<const std::byte> bytes);
  std::span<const std::byte> bytes() const {
    return is_in_buffer_ ? std::span<const std::byte>(buffer_) : std::span<const std::byte>(pages_, size_);
  }
  std::size_t size() const { return is_in_buffer_ ? buffer_.size() : size_; }
  // Releases memory that the next message is not likely to need.
  void trim() {
    if (pages_ != nullptr) unmap();
    if (buffer_.capacity() > kept_bytes) std::vector<std::byte>().swap(buffer_);
  }

 private:
  static constexpr std::size_t kept_bytes = 65536;

  void unmap();

  std::vector<std::byte> buffer_;
  bool is_in_buffer_ = true;
  std::byte* pages_ = nullptr;  // otherwise they hold the bytes; null: the bytes have no values
  std::size_t size_ = 0;
};

}  // namespace rehearse::engine
