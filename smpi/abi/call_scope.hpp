// SPDX-License-Identifier: MIT
//
// The current MPI call of a rank: its function, its arguments as words, and its place.
//
// Shape:     a chain from the innermost call outwards. It has more than one link only while a function of the user that
//            MPI has called (an operator, an error handler) calls MPI again. Our own code calls
//            rehearse::smpi::calls::X, which opens no scope.
// Ownership: scopes live on the rank's stack; the arguments must outlive the scope.
// Threads:   one chain per rank; only on a rank.
#pragma once

#include <cstdint>
#include <type_traits>

#include "simcore/actor.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process.hpp"

namespace rehearse::smpi {

class CallScope;

struct CallChain {
  const CallScope* innermost = nullptr;
  std::uint64_t calls = 0;  // number of calls so far, if they are counted; it distinguishes the polls of a loop
  std::uint64_t step = counts_calls() ? 1 : 0;
  std::uint64_t* counters = nullptr;  // calls by function, if the program uses MPI_T; else null
  bool has_threads = false;           // the rank has created threads
  bool is_fallible = false;           // processes can fail
  bool is_other_thread = false;       // the running thread did not start MPI
};

// For a call by a thread that did not start MPI: ends the rank unless any thread may call this function.
void check_thread(std::uint16_t function);
// Before a call of a rank with threads: lets others run first, from time to time if threads poll by the function, and
// always if the order of the threads is followed.
void note_polling(std::uint16_t function);

// For a call where processes can fail: ends the rank, as unsupported, unless the call knows failures.
void refuse_with_failures(std::uint16_t function);

// The place of a call in the program.
struct CallPlace {
  const void* caller = nullptr;  // the return address
  const void* stack = nullptr;   // the end of the caller's part of the stack; null: not known
  bool is_fortran = false;       // the result of the call is an argument (ierror)
};

class CallScope {
 public:
  // `function` indexes functions() of api.hpp; `arguments` has one word per parameter of it.
  CallScope(std::uint16_t function, const std::uint64_t* arguments, const CallPlace& place,
            LibraryCode::Length length = LibraryCode::Length::any)
      : not_measured_(length),
        chain_(per_rank<CallChain>()),
        outer_(chain_.innermost),
        arguments_(arguments),
        place_(place),
        number_(chain_.calls += chain_.step),
        function_(function) {
    if (chain_.has_threads && outer_ == nullptr) [[unlikely]]
      note_polling(function);
    chain_.innermost = this;
    if (chain_.is_fallible) [[unlikely]]
      refuse_with_failures(function);
    if (chain_.counters != nullptr) ++chain_.counters[function];
    if (chain_.is_other_thread) [[unlikely]]
      check_thread(function);
  }
  ~CallScope() { chain_.innermost = outer_; }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

  std::uint16_t function() const { return function_; }
  std::uint64_t argument(std::uint32_t index) const { return arguments_[index]; }
  const void* caller() const { return place_.caller; }  // the return address in the program
  const void* stack() const { return place_.stack; }    // the program's own stack is at or above it; may be null
  bool is_fortran() const { return place_.is_fortran; }
  std::uint64_t number() const { return number_; }
  const CallScope* outer() const { return outer_; }

  // The call that the rank is in; null outside of MPI.
  static const CallScope* innermost() { return per_rank<CallChain>().innermost; }

 private:
  LibraryCode not_measured_;
  CallChain& chain_;
  const CallScope* outer_;
  const std::uint64_t* arguments_;
  CallPlace place_;
  std::uint64_t number_;
  std::uint16_t function_;
};

// An argument as a word: integers sign-extended, pointers as their address.
template <class T>
std::uint64_t argument_word(T value) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<std::uint64_t>(value);
  } else {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
}

}  // namespace rehearse::smpi
