// SPDX-License-Identifier: MIT
//
// Reference counting for the objects behind MPI handles. For instance, a freed datatype stays alive while a pending
// operation or another datatype uses it.
//
// Ownership: a Ref owns one reference; the handle of the program is one more (handle_registry.hpp).
//            Objects that are `immortal` (the predefined ones) are constants of the program, shared
//            by all ranks: never counted, never deleted, never written.
// Threads:   none: an object belongs to one rank.
#pragma once

#include <cstdint>
#include <utility>

namespace rehearse::smpi {

class SharedObject {
 public:
  enum class Lifetime : std::uint8_t { counted, immortal };

  explicit SharedObject(Lifetime lifetime) : lifetime_(lifetime) {}
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  bool immortal() const { return lifetime_ == Lifetime::immortal; }

 protected:
  ~SharedObject() = default;

 private:
  template <class T>
  friend class Ref;

  Lifetime lifetime_;
  mutable std::uint32_t references_ = 0;
};

// One reference to a T (a SharedObject), or none.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : object_(object) { retain(); }
  Ref(const Ref& other) : object_(other.object_) { retain(); }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
  Ref(const Ref<U>& other) : object_(other.get()) {
    retain();
  }
  ~Ref() { release(); }
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  void retain() const {
    if (object_ != nullptr && !object_->immortal()) ++object_->references_;
  }
  void release() const {
    if (object_ != nullptr && !object_->immortal() && --object_->references_ == 0) destroy(object_);
  }
  // Not inlined: gcc 12 does not see that immortal objects are never deleted, and warns.
  [[gnu::noinline]] static void destroy(T* object) { delete object; }

  T* object_ = nullptr;
};

}  // namespace rehearse::smpi
