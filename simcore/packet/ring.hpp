// SPDX-License-Identifier: MIT
//
// A queue in one array that grows by doubling. An empty one that was never used has no memory.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

namespace rehearse::packet {

template <class T>
class Ring {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  bool empty() const { return size_ == 0; }
  std::uint32_t size() const { return size_; }
  T& operator[](std::uint32_t index) { return data_[(head_ + index) & mask_]; }
  const T& operator[](std::uint32_t index) const { return data_[(head_ + index) & mask_]; }
  T& front() { return data_[head_]; }
  T& back() { return (*this)[size_ - 1]; }
  void pop_back() { --size_; }

  void push_back(const T& value) {
    if (size_ == capacity()) grow();
    data_[(head_ + size_++) & mask_] = value;
  }
  void pop_front() {
    head_ = (head_ + 1) & mask_;
    --size_;
  }
  void clear() { head_ = size_ = 0; }
  void release() {
    clear();
    data_.reset();
    mask_ = 0;
  }

 private:
  std::uint32_t capacity() const { return data_ ? mask_ + 1 : 0; }
  void grow() {
    const std::uint32_t larger = capacity() == 0 ? 4 : 2 * capacity();
    auto data = std::make_unique_for_overwrite<T[]>(larger);
    for (std::uint32_t i = 0; i < size_; ++i) data[i] = (*this)[i];
    data_ = std::move(data);
    mask_ = larger - 1;
    head_ = 0;
  }

  std::unique_ptr<T[]> data_;
  std::uint32_t head_ = 0;
  std::uint32_t size_ = 0;
  std::uint32_t mask_ = 0;
};

}  // namespace rehearse::packet
