// SPDX-License-Identifier: MIT
//
// The content of a message: one value of any movable type.
//
// Ownership: the message owns the value until the receiver takes it out. Small values are stored in place.
// Processes: a value that came from another process is kept as bytes, and becomes a value when it is looked at.
// Errors:    BadUse with both types, if the taken type differs from the stored one.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "simcore/actor_api/wire_types.hpp"

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

  Payload(Payload&& other) noexcept { take_from(other); }
  Payload& operator=(Payload&& other) noexcept {
    if (this != &other) {
      reset();
      take_from(other);
    }
    return *this;
  }
  ~Payload() { reset(); }

  void reset() {
    if (kind_ == nullptr) return;
    std::exchange(kind_, nullptr)->destroy(room_);
    clear();
  }
  bool has_value() const { return kind_ != nullptr; }

  // The value, if it has that type; null otherwise.
  template <class T>
  const T* peek() const {
    if (kind_ == &kind_of<Bytes>) become<T>();
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

  // ---- for messages between processes
  // A value of the type with this name, as std::type_info has it.
  static Payload from_wire(std::string type, std::string bytes) {
    return type.empty() ? Payload() : Payload(Bytes{std::move(type), std::move(bytes)});
  }
  bool has_wire() const { return kind_ == nullptr || kind_->save != nullptr; }
  std::string wire_type() const;   // empty: it holds nothing
  std::string wire_bytes() const;  // requires has_wire()
  std::string type_in_words() const;

 private:
  struct Bytes {
    std::string type, bytes;
  };
  struct Kind {
    const std::type_info* type;
    void (*move)(std::byte* from, std::byte* to);  // destroys the value at `from`
    void (*destroy)(std::byte* room);
    void (*save)(const std::byte* room, WireSaver& saver);  // null: the type has no Wire
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
  static const T& value_at(const std::byte* room) {
    if constexpr (in_place<T>) return *std::launder(reinterpret_cast<const T*>(room));
    else return **reinterpret_cast<T* const*>(room);
  }
  template <class T>
  static void save_value(const std::byte* room, WireSaver& saver) {
    if constexpr (std::is_same_v<T, Bytes>) saver.add(value_at<T>(room).bytes.data(), value_at<T>(room).bytes.size());
    else saver(value_at<T>(room));
  }
  template <class T>
  static constexpr auto saver_of() -> void (*)(const std::byte*, WireSaver&) {
    if constexpr (std::is_same_v<T, Bytes>) return save_value<T>;
    else if constexpr (sim::has_wire<T>) return save_value<T>;
    else return nullptr;
  }
  template <class T>
  static constexpr Kind kind_of{&typeid(T), move_value<T>, destroy_value<T>, saver_of<T>()};

  // From bytes, if they are those of a T.
  template <class T>
  void become() const {
    if constexpr (!std::is_same_v<T, Bytes> && sim::has_wire<T>) {
      const Bytes& held = value_at<Bytes>(room_);
      if (held.type != typeid(T).name()) return;
      WireLoader loader(held.bytes);
      T value = Wire<T>::load(loader);
      if (!loader.is_good() || !loader.is_at_end()) refuse(typeid(T));
      const_cast<Payload&>(*this) = Payload(std::move(value));
    }
  }

  // Requires: this one is empty.
  void take_from(Payload& other) {
    if (other.kind_ == nullptr) return;
    kind_ = std::exchange(other.kind_, nullptr);
    kind_->move(other.room_, room_);
    other.clear();
  }
  void clear() { std::memset(room_, 0, sizeof room_); }  // old bytes would make equal states of a program different

  [[noreturn]] void refuse(const std::type_info& wanted) const;

  const Kind* kind_ = nullptr;
  alignas(double) std::byte room_[room_bytes]{};
};

}  // namespace rehearse::sim
