// SPDX-License-Identifier: MIT
//
// See program_variables.hpp.
#include "smpi/process/program_variables.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "simcore/stack_walk.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/pointer_search.hpp"
#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {
namespace {

using Base = DebugPlace::Base;

constexpr std::size_t max_ways = 32;        // to one place of a call
constexpr std::size_t max_functions = 256;  // on a way
constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

constexpr std::uintptr_t no_limit = std::numeric_limits<std::int64_t>::max();
// The program's code is at another address in each rank.
std::uintptr_t relative(const RankState& rank, std::uintptr_t address) {
  return rank.covers(reinterpret_cast<const void*>(address)) ? address - reinterpret_cast<std::uintptr_t>(rank.base)
                                                             : address;
}

std::uintptr_t return_address_of(std::uintptr_t canonical) {
  std::uintptr_t address = 0;
  std::memcpy(&address, reinterpret_cast<const void*>(canonical - sizeof address), sizeof address);
  return address;
}

// The user's file that contains the code; null: none.
const Image* program_at(const RankState& rank, std::uintptr_t address) {
  if (!rank.covers(reinterpret_cast<const void*>(address))) return nullptr;
  const Image* image = rank.world->images.find(address - reinterpret_cast<std::uintptr_t>(rank.base));
  return image == nullptr || image->system ? nullptr : image;
}

std::uintptr_t address_in(const RankState& rank, const Image& image) {
  return reinterpret_cast<std::uintptr_t>(rank.base) + image.offset;
}

// Calls visit(frame) for the function that called MPI and those that called it, until it returns false. `walk` is
// visit_stack or walk_stack.
template <class Walk, class Visit>
void visit_callers(const CallScope& scope, Walk&& walk, Visit&& visit) {
  const auto caller = reinterpret_cast<std::uintptr_t>(scope.caller()) - 1;
  const auto anchor = reinterpret_cast<std::uintptr_t>(&scope);
  bool is_behind = false;
  walk([&](const ActiveFrame& frame) {
    is_behind = is_behind || (frame.address == caller && frame.begin > anchor);
    return !is_behind || visit(frame);
  });
}

}  // namespace

PlacedVariables ProgramVariables::on_stack(const RankState& rank, std::uintptr_t address) {
  PlacedVariables found;
  const CallScope* scope = CallScope::innermost();
  const auto anchor = reinterpret_cast<std::uintptr_t>(scope);
  if (scope == nullptr || address <= anchor) return found;
  const auto distance = static_cast<std::int64_t>(address - anchor);
  const auto room = reinterpret_cast<std::uintptr_t>(rank.base) + rank.world->layout.stack_end - anchor;
  const auto add_from = [&](const Function& function) {
    for (const Placed& placed : function.variables)
      if (placed.begin <= distance && distance - placed.begin < static_cast<std::int64_t>(placed.variable->type->bytes))
        found.add({placed.variable, anchor + static_cast<std::uintptr_t>(placed.begin),
                   anchor + static_cast<std::uintptr_t>(placed.limit), placed.is_alone});
  };
  // Arguments on the stack are in the frame of the caller. Returns whether the way is known.
  const auto find_on = [&](const Way& way) {
    const Function* inner = nullptr;
    for (const Function& function : way) {
      if (function.end == no_end) return true;
      if (static_cast<std::uint64_t>(function.end) > room ||
          relative(rank, return_address_of(anchor + static_cast<std::uintptr_t>(function.end))) != function.caller)
        return false;
      if (distance < function.end) {
        add_from(function);
        if (inner != nullptr) add_from(*inner);
        return true;
      }
      inner = &function;
    }
    return false;
  };
  const Place place{relative(rank, reinterpret_cast<std::uintptr_t>(scope->caller())), scope->function()};
  if (const auto known = places_.find(place); known != places_.end())
    for (const Way& way : known->second)
      if (find_on(way)) return found;
  {
    const HostAllocation host;
    std::vector<Way>& ways = places_[place];
    if (ways.size() >= max_ways) ways.clear();
    stack_.run([&] { walk(rank, *scope, address, ways); });
    if (!find_on(ways.back())) ways.pop_back();
  }
  return found;
}

PlacedVariables ProgramVariables::global(const RankState& rank, std::uintptr_t address) {
  PlacedVariables found;
  const Image* image = program_at(rank, address);
  if (image == nullptr) return found;
  const HostAllocation host;
  const std::uintptr_t base = address_in(rank, *image);
  stack_.run([&] {
    for (const DebugVariable* variable : image->debug_variables->globals_at(address - base)) {
      const std::uintptr_t begin = base + static_cast<std::uintptr_t>(variable->place.offset);
      found.add({variable, begin, begin + variable->type->bytes});
    }
  });
  return found;
}

ProgramVariables::Function ProgramVariables::describe(const RankState& rank, const ActiveFrame& frame,
                                                      std::uintptr_t anchor) {
  Function function;
  function.end = static_cast<std::int64_t>(frame.canonical - anchor);
  function.caller = relative(rank, return_address_of(frame.canonical));
  const Image* image = program_at(rank, frame.address);
  if (image == nullptr) return function;
  const auto begin_of = [&](const DebugPlace& place) -> std::uintptr_t {
    if (place.base != Base::frame && place.base != Base::in_register) return 0;
    const std::uintptr_t base = place.base == Base::frame ? frame.canonical : frame.registers[place.number];
    const std::uintptr_t begin = base + static_cast<std::uintptr_t>(place.offset);
    return begin < frame.begin ? 0 : begin;
  };
  const DebugScope& scope = image->debug_variables->in_scope(frame.address - address_in(rank, *image));
  std::vector<std::uintptr_t> taken(frame.saved.begin(), frame.saved.begin() + static_cast<long>(frame.saved_count));
  for (const DebugPlace& place : scope.places) taken.push_back(begin_of(place));
  std::ranges::sort(taken);
  for (const DebugVariable& variable : scope.variables) {
    const std::uintptr_t begin = begin_of(variable.place);
    const std::uint64_t bytes = variable.type->bytes;
    if (begin == 0 || !variable.place.is_fixed || variable.place.is_indirect || bytes == 0) continue;
    std::uintptr_t limit = begin + bytes;
    if (scope.is_optimized) {
      const auto next = std::ranges::upper_bound(taken, begin);
      limit = next == taken.end() ? no_limit : std::max(limit, *next);
    }
    function.variables.push_back({static_cast<std::int64_t>(begin - anchor), static_cast<std::int64_t>(limit - anchor),
                                  &variable, !scope.is_optimized});
  }
  return function;
}

void ProgramVariables::walk(const RankState& rank, const CallScope& scope, std::uintptr_t address,
                            std::vector<Way>& ways) {
  const auto anchor = reinterpret_cast<std::uintptr_t>(&scope);
  Way way;
  bool is_complete = false;
  visit_callers(scope, visit_stack, [&](const ActiveFrame& frame) {
    Function function = describe(rank, frame, anchor);
    way.push_back(std::move(function));
    is_complete = frame.canonical > address;
    return !is_complete && way.size() < max_functions;
  });
  if (!is_complete) way.push_back({no_end, 0, {}});
  ways.push_back(std::move(way));
}

void ProgramVariables::note_fit(const BufferKey& key) {
  constexpr std::size_t max_fitting = 65536;
  const HostAllocation host;
  if (fitting_.size() >= max_fitting) fitting_.clear();
  fitting_.insert(key);
}

const PointerTargets& ProgramVariables::targets(const RankState& rank, std::uintptr_t address) {
  const HostAllocation host;
  targets_ = {};
  const CallScope* scope = CallScope::innermost();
  if (scope == nullptr) return targets_;
  stack_.run([&] {
    visit_callers(*scope, walk_stack, [&](const ActiveFrame& frame) {
      const Image* image = program_at(rank, frame.address);
      if (image == nullptr) return false;
      PointerSearch search(rank, frame, address, targets_);
      search.search_scope(*image->debug_variables, frame.address - address_in(rank, *image));
      search.search_globals(*image->debug_variables, address_in(rank, *image));
      return false;
    });
  });
  return targets_;
}

}  // namespace rehearse::smpi
