// SPDX-License-Identifier: MIT
//
// A counted reference to an object of the kernel. The kernel counts with retain(T*) and release(T*) in the
// namespace of the type.
//
// Threads: none; counts are not atomic.
#pragma once

#include <utility>

namespace rehearse::sim {

template <class T>
class Reference {
 public:
  Reference() = default;
  explicit Reference(T* object) : object_(object) {
    if (object_ != nullptr) retain(object_);
  }
  Reference(const Reference& other) : Reference(other.object_) {}
  Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Reference& operator=(Reference other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Reference() {
    if (object_ != nullptr) release(object_);
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  bool operator==(const Reference& other) const = default;

 private:
  T* object_ = nullptr;
};

}  // namespace rehearse::sim
