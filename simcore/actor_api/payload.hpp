// SPDX-License-Identifier: MIT
//
// The content of a message: one value of any movable type.
//
// Ownership: the message owns the value until the receiver takes it out. Small values are stored in place.
// Errors:    BadUse with both types, if the taken type differs from the stored one.
#pragma once

#include <concepts>
#include <cstddef>
#include <new>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace rehearse::sim {

class Payload {
 public:
  Payload() = default;

  template <class T>
  requires(!std::same_as<std::decay_t<T>, Payload>) Payload(T&& value) : kind_(&kind_of<std::decay_t<T>>) {
    using Value = std::decay_t<T>;
    if constexpr (in_place<Value>) new (room_) Value(std::forward<T>(value));
    else *reinterpret_cast<Value**>(room_) = new Value(std::forward<T>(value));
  }

  Payload(Payload&& other) noexcept : kind_(std::exchange(other.kind_, nullptr)) {
    if (kind_ != nullptr) kind_->move(other.room_, room_);
  }
  Payload& operator=(Payload&& other) noexcept {
    if (this != &other) {
      reset();
      kind_ = std::exchange(other.kind_, nullptr);
      if (kind_ != nullptr) kind_->move(other.room_, room_);
    }
    return *this;
  }
  ~Payload() { reset(); }

  void reset() {
    if (kind_ != nullptr) std::exchange(kind_, nullptr)->destroy(room_);
  }
  bool has_value() const { return kind_ != nullptr; }

  // The value, if it has that type; null otherwise.
  template <class T>
  const T* peek() const {
    if (kind_ == nullptr || (kind_ != &kind_of<T> && *kind_->type != typeid(T))) return nullptr;
    if constexpr (in_place<T>) return std::launder(reinterpret_cast<const T*>(room_));
    else return *reinterpret_cast<T* const*>(room_);
  }

  // The value, which leaves the payload empty.
  template <class T>
  T take() {
    T* value = const_cast<T*>(peek<T>());
    if (value == nullptr) refuse(typeid(T));
    T taken = std::move(*value);
    reset();
    return taken;
  }

 private:
  struct Kind {
    const std::type_info* type;
    void (*move)(std::byte* from, std::byte* to);  // destroys the value at `from`
    void (*destroy)(std::byte* room);
  };
  static constexpr std::size_t room_bytes = 24;

  template <class T>
  static constexpr bool in_place = sizeof(T) <= room_bytes &&
                                   alignof(T) <= alignof(double) && std::is_nothrow_move_constructible_v<T>;

  template <class T>
  static void move_value(std::byte* from, std::byte* to) {
    if constexpr (in_place<T>) {
      T* value = std::launder(reinterpret_cast<T*>(from));
      new (to) T(std::move(*value));
      value->~T();
    } else {
      *reinterpret_cast<T**>(to) = *reinterpret_cast<T**>(from);
    }
  }
  template <class T>
  static void destroy_value(std::byte* room) {
    if constexpr (in_place<T>) std::launder(reinterpret_cast<T*>(room))->~T();
    else delete *reinterpret_cast<T**>(room);
  }
  template <class T>
  static constexpr Kind kind_of{&typeid(T), move_value<T>, destroy_value<T>};

  [[noreturn]] void refuse(const std::type_info& wanted) const;

  const Kind* kind_ = nullptr;
  alignas(double) std::byte room_[room_bytes];
};

}  // namespace rehearse::sim
