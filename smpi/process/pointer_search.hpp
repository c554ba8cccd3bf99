// SPDX-License-Identifier: MIT
//
// Searches for pointers of a rank that point to one address.
//
// Threads: none.
#pragma once

#include <cstdint>

#include "simcore/debug.hpp"
#include "simcore/debug_variables.hpp"
#include "smpi/process/program_variables.hpp"

namespace rehearse::smpi {

class PointerSearch {
 public:
  // The search on the stack goes from `frame` outwards.
  PointerSearch(const RankState& rank, const ActiveFrame& frame, std::uintptr_t address, PointerTargets& found)
      : rank_(rank), frame_(frame), address_(address), found_(found) {}

  // Searches the variables in scope at the code address `offset` of the file, in the frame.
  void search_scope(DebugVariables& file, std::uint64_t offset);
  // Searches the global variables of a file that is loaded at `base`.
  void search_globals(DebugVariables& file, std::uintptr_t base);

 private:
  void check(DebugVariables& file, const DebugVariable& variable);
  // Compares the value of a pointer with the address.
  void compare(DebugVariables& file, const std::string& name, const DebugType& pointer, std::uintptr_t value);
  // Searches pointers in an object: in records and short arrays, and in the objects that these point to, one step deep.
  void search_object(DebugVariables& file, const std::string& name, const DebugType& type, std::uintptr_t begin,
                     int deeper);
  void add(const std::string& name, const DebugType& target);
  bool is_readable(std::uintptr_t begin, std::uint64_t bytes) const;

  const RankState& rank_;
  const ActiveFrame& frame_;
  std::uintptr_t address_;
  PointerTargets& found_;
  int remaining_ = 4096;  // number of pointers still to compare
};

}  // namespace rehearse::smpi
