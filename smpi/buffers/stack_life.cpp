// SPDX-License-Identifier: MIT
//
// See stack_life.hpp.
#include "smpi/buffers/stack_life.hpp"

#include <map>
#include <optional>
#include <utility>

#include "simcore/debug.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {
namespace {

// The known frame for a call site and a distance from the stack pointer.
struct KnownFrame {
  std::int64_t slot_distance = 0;
  std::uintptr_t returns_to = 0;
  const void* place = nullptr;
};

struct KnownFrames {
  static constexpr std::size_t max_count = 256;
  std::map<std::pair<const void*, std::int64_t>, KnownFrame> known;
};

std::int64_t number_of(const void* pointer) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

const std::uintptr_t* word_at(std::int64_t address) { return reinterpret_cast<const std::uintptr_t*>(address); }

// The beginning of the program's part of the stack; 0: the stack is not known, or there is no call.
std::int64_t stack_pointer_of_program() {
  const CallScope* scope = CallScope::innermost();
  if (scope == nullptr || scope->stack() == nullptr) return 0;
  const std::int64_t at = number_of(scope->stack());
  return is_on_stack(at) ? at : 0;
}

std::optional<StackFrame> find_frame(std::int64_t address) {
  const HostAllocation host;
  return find_stack_frame(static_cast<std::uintptr_t>(address));
}

}  // namespace

bool is_on_stack(std::int64_t address) {
  const RankState* rank = running_rank();
  if (rank == nullptr) return false;
  const StackSpan& stack = rank->context.stack;
  return address >= number_of(stack.bottom) && address < number_of(stack.top);
}

// Each call checks its buffers with this function, so the common case comes first: buffers outside of the stack.
bool is_on_dead_stack(std::int64_t address) {
  const CallScope* scope = CallScope::innermost();
  if (scope == nullptr || address >= number_of(scope->stack())) return false;
  return is_on_stack(number_of(scope->stack())) && is_on_stack(address);
}

FrameMark frame_mark(std::int64_t address) {
  const std::int64_t stack = is_on_stack(address) ? stack_pointer_of_program() : 0;
  if (stack == 0) return {};
  FrameMark mark{.address = address};
  auto& known = per_rank<KnownFrames>().known;
  const std::pair key{CallScope::innermost()->caller(), address - stack};
  if (const auto found = known.find(key); found != known.end()) {
    const std::uintptr_t* slot = word_at(stack + found->second.slot_distance);
    if (is_on_stack(number_of(slot)) && *slot == found->second.returns_to)
      return {address, slot, *slot, found->second.place};
  }
  const std::optional<StackFrame> frame = find_frame(address);
  if (!frame) return mark;
  mark.slot = word_at(static_cast<std::int64_t>(frame->end - sizeof(std::uintptr_t)));
  mark.returns_to = *mark.slot;
  mark.place = reinterpret_cast<const void*>(frame->place);
  if (known.size() >= KnownFrames::max_count) known.clear();
  known[key] = {number_of(mark.slot) - stack, mark.returns_to, mark.place};
  return mark;
}

bool is_over(const FrameMark& mark) {
  if (mark.address == 0) return false;
  const std::int64_t stack = stack_pointer_of_program();
  if (stack == 0) return false;
  return mark.address < stack || (mark.slot != nullptr && *mark.slot != mark.returns_to);
}

}  // namespace rehearse::smpi
