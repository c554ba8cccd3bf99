// SPDX-License-Identifier: MIT
//
// Variables of the program in the calling rank's memory, as its debugging information has them: those of the functions
// that are active, global ones, and pointers.
//
// Method:  the functions between an MPI call and the one that has an address on its stack are walked once for each
//          place of a call and way there. From then on the way is recognised by its return addresses, which lie where
//          they lay, and where the variables are follows from where the call is.
// Cost:    a known way: a search in a table, and a comparison for each function and variable on it. A new one: some
//          microseconds, and the reading of the entries of its functions. Global variables are read all at once.
// Ownership: one table for all ranks of a program, in the host's memory. It holds nothing of any rank's state.
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

// A variable, and where it begins in the rank's memory.
struct PlacedVariable {
  const DebugVariable* variable = nullptr;
  std::uintptr_t begin = 0;
  // Where something else begins for certain: in optimized code an object without a name may have the same memory as a
  // variable that is not in use.
  std::uintptr_t limit = 0;
  bool is_tight = true;  // there is no room for an object that is larger than the variable

  std::uintptr_t end() const { return begin + variable->type->bytes; }
};

// A few of them: where there are more, nothing is known.
class PlacedVariables {
 public:
  static constexpr std::size_t most = 4;

  void add(const PlacedVariable& variable) {
    if (count_ < most) all_[count_] = variable;
    ++count_;
  }
  std::span<const PlacedVariable> all() const { return std::span(all_).first(count_ > most ? 0 : count_); }
  bool empty() const { return all().empty(); }

 private:
  std::array<PlacedVariable, most> all_;
  std::size_t count_ = 0;
};

// Pointers of the program that are said to point to a buffer.
struct PointerTargets {
  // All must be wrong for the buffer to be of another type: those of pointers whose value is not known are among them,
  // behind that of the named one.
  std::vector<const DebugType*> types;
  std::string name;        // of a pointer whose value is the address; empty: there is none
  bool is_certain = true;  // there is no pointer to anything (void) that has that value, or might
};

class ProgramVariables {
 public:
  // Those that contain an address of the calling rank's stack; only those that have their memory to themselves.
  PlacedVariables on_stack(const RankState& rank, std::uintptr_t address);
  // Global ones that contain an address behind the stack.
  PlacedVariables global(const RankState& rank, std::uintptr_t address);

  // Pointers of the function that called MPI, and global ones, that point to the address. Valid until the next call.
  const PointerTargets& targets(const RankState& rank, std::uintptr_t address);

  // Buffers that were found to fit their variables, so that nobody compares them again.
  using BufferKey = std::array<std::uint64_t, 5>;
  bool fits(const BufferKey& key) const { return fitting_.contains(key); }
  void note_fit(const BufferKey& key);

 private:
  // Distances are from a place in the frame of the MPI function, whose frame is the same in all of its calls.
  struct Placed {
    std::int64_t begin = 0;
    std::int64_t limit = 0;
    const DebugVariable* variable = nullptr;
  };
  struct Function {
    std::int64_t end = 0;       // its canonical frame address
    std::uintptr_t caller = 0;  // its return address, relative to the rank's range if it is there; 0: not looked at
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
