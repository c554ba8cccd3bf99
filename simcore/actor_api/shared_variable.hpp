// SPDX-License-Identifier: MIT
//
// A variable that actors of one simulation share and may access without a lock. Like std::atomic, it is sequentially
// consistent. Accesses take no time.
//
// In simulated time an actor runs until it blocks, so a plain variable would suffice. A checker tries other actors
// first at each of these calls, and learns from the calls which steps are independent. It cannot see plain variables.
//
// Ownership: an ordinary object of the program, used by actors only.
#pragma once

#include <utility>

#include "simcore/actor_api/shared_object.hpp"
#include "simcore/way.hpp"

namespace rehearse::sim {

class SharedVariableBase : private SharedObject {
 protected:
  // The access that comes next; evaluated again after other actors ran.
  struct Intent {
    const SharedVariableBase* variable;
    bool (*changes)(const Intent& intent);
  };
  void go_at(const Intent& intent);
  static bool always(const Intent&) { return true; }
  static bool never(const Intent&) { return false; }

 private:
  static void ask(const void* intent, const kernel::ActorRecord& self, Way& way);
};

template <class T>
class SharedVariable : private SharedVariableBase {
 public:
  SharedVariable() = default;
  explicit SharedVariable(T value) : value_(std::move(value)) {}

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
