// SPDX-License-Identifier: MIT
//
// Variables of the program in the calling rank's memory, from its debugging information: variables of active functions,
// global variables, and pointers.
//
// Method:  a way is the chain of functions from an MPI call to the function whose stack frame has an address. Each way
//          from each place of a call is walked once. Later it is recognised by its return addresses, which are at the
//          same distances; the places of the variables follow from the position of the call.
// Cost:    of a known way: a search in a table, and a comparison for each function and variable. Of a new way: some
//          microseconds, and reading the entries of its functions. All global variables are read together.
// Ownership: one table for all ranks of a program, in the host's memory. It contains no rank's state.
// Threads: none.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "simcore/debug.hpp"
#include "simcore/debug_variables.hpp"
#include "smpi/process/own_stack.hpp"

namespace rehearse::smpi {

class CallScope;
struct RankState;

// A variable, and its address in the rank's memory.
struct PlacedVariable {
  const DebugVariable* variable = nullptr;
  std::uintptr_t begin = 0;
  // An address where certainly another object begins: in optimized code, an object without a name may share the memory
  // of a variable that is not in use.
  std::uintptr_t limit = 0;
  // No other object can have this memory. In optimized code, a variable that is not yet, or no longer, in use shares
  // its memory with others, and debugging information does not tell when, nor all others: the copy of an argument of an
  // inlined function is known to it only by its registers, and an object without a name not at all.
  bool is_alone = true;

  std::uintptr_t end() const { return begin + variable->type->bytes; }
};

// A few variables; if there are more than `max_count`, the list counts as empty.
class PlacedVariables {
 public:
  static constexpr std::size_t max_count = 4;

  void add(const PlacedVariable& variable) {
    if (count_ < max_count) all_[count_] = variable;
    ++count_;
  }
  std::span<const PlacedVariable> all() const { return std::span(all_).first(count_ > max_count ? 0 : count_); }
  bool empty() const { return all().empty(); }

 private:
  std::array<PlacedVariable, max_count> all_;
  std::size_t count_ = 0;
};

// Pointers of the program that point, or may point, to a buffer.
struct PointerTargets {
  // The buffer is of another type only if none of these fits. The type of the named pointer comes first, then the types
  // of pointers whose value is not known.
  std::vector<const DebugType*> types;
  std::string name;        // of a pointer whose value is the address; empty: there is none
  bool is_certain = true;  // no pointer to void has that value, or may have it
};

class ProgramVariables {
 public:
  // Variables that contain an address of the calling rank's stack; only those that share their memory with no other.
  PlacedVariables on_stack(const RankState& rank, std::uintptr_t address);
  // Global variables that contain an address behind the stack.
  PlacedVariables global(const RankState& rank, std::uintptr_t address);

  // Global pointers, and those of the function that called MPI, that point to the address. Valid until the next call.
  const PointerTargets& targets(const RankState& rank, std::uintptr_t address);

  // Buffers that fit their variables, so that they are not compared again.
  using BufferKey = std::array<std::uint64_t, 5>;
  bool fits(const BufferKey& key) const { return fitting_.contains(key); }
  void note_fit(const BufferKey& key);

 private:
  // Distances are relative to a place in the frame of the MPI function, which is the same in all of its calls.
  struct Placed {
    std::int64_t begin = 0;
    std::int64_t limit = 0;
    const DebugVariable* variable = nullptr;
    bool is_alone = true;
  };
  struct Function {
    std::int64_t end = 0;       // its canonical frame address
    std::uintptr_t caller = 0;  // its return address, relative to the rank's range if it is in it; 0: not compared
    std::vector<Placed> variables;
  };
  using Way = std::vector<Function>;  // innermost first

  struct Place {
    std::uintptr_t return_address = 0;  // relative to the rank's range
    std::uint16_t function = 0;         // of MPI
    auto operator<=>(const Place&) const = default;
  };

  static Function describe(const RankState& rank, const ActiveFrame& frame, std::uintptr_t anchor);
  void walk(const RankState& rank, const CallScope& scope, std::uintptr_t address, std::vector<Way>& ways);

  std::map<Place, std::vector<Way>> places_;
  OwnStack stack_;
  std::set<BufferKey> fitting_;
  PointerTargets targets_;
};

}  // namespace rehearse::smpi
