// SPDX-License-Identifier: MIT
//
// A variable that actors of one simulation share. load(), store() and similar functions may be called without a lock:
// like those of std::atomic, they are sequentially consistent. read() and write() are for variables that other means
// protect: a mutex, messages, a barrier. They stand for the accesses to an ordinary variable. `rehearse check` reports
// two of them as a race (race.variable) if one writes and nothing orders them, and also one of them and an atomic
// access. Accesses take no time.
//
// In simulated time an actor runs until it blocks, so a plain variable would suffice. A checker tries other actors
// first at each of these calls, and learns from the calls which steps are independent. It cannot see plain variables.
//
// Ownership: an ordinary object of the program, used by actors only.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "simcore/actor_api/shared_object.hpp"
#include "simcore/way.hpp"

namespace rehearse::sim {

namespace kernel {
class AccessHistory;
}

class SharedVariableBase : private SharedObject {
 protected:
  SharedVariableBase();
  ~SharedVariableBase();

  enum class Order : std::uint8_t { atomic, plain };
  // The access that comes next; evaluated again after other actors ran.
  struct Intent {
    const SharedVariableBase* variable;
    bool (*changes)(const Intent& intent);
    Order order = Order::atomic;
  };
  void go_at(const Intent& intent);
  static bool always(const Intent&) { return true; }
  static bool never(const Intent&) { return false; }

 private:
  static void ask(const void* intent, const kernel::ActorRecord& self, Way& way);
  void note_access(kernel::ActorRecord& self, bool changes, Order order);

  std::unique_ptr<kernel::AccessHistory> history_;  // null: no access was noted
};

template <class T>
class SharedVariable : private SharedVariableBase {
 public:
  SharedVariable() = default;
  explicit SharedVariable(T value) : value_(std::move(value)) {}

  // ---- plain accesses
  T read() {
    go_at({this, never, Order::plain});
    return value_;
  }
  void write(T value) {
    go_at({this, always, Order::plain});
    value_ = std::move(value);
  }

  // ---- atomic accesses
  T load() {
    go_at({this, never});
    return value_;
  }
  void store(T value) {
    go_at({this, always});
    value_ = std::move(value);
  }
  T exchange(T value) {
    go_at({this, always});
    return std::exchange(value_, std::move(value));
  }
  T fetch_add(const T& amount) {
    go_at({this, always});
    return std::exchange(value_, value_ + amount);
  }
  // True: the value was `expected` and is now `desired`. False: `expected` becomes the current value.
  bool compare_exchange(T& expected, T desired) {
    struct Comparison : Intent {
      const T* expected;
    };
    const Comparison comparison{{this,
                                 [](const Intent& intent) {
                                   const auto& self = static_cast<const SharedVariable&>(*intent.variable);
                                   return self.value_ == *static_cast<const Comparison&>(intent).expected;
                                 }},
                                &expected};
    go_at(comparison);
    const bool equal = value_ == expected;
    if (equal) value_ = std::move(desired);
    else expected = value_;
    return equal;
  }

 private:
  T value_{};
};

}  // namespace rehearse::sim
