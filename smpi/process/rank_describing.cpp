// SPDX-License-Identifier: MIT
//
// The place of a rank in terms of the program: its call, and the active functions.
#include <algorithm>
#include <array>
#include <optional>

#include "simcore/support/hash.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/call_details.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/rank_program.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/process/sockets.hpp"
#include "smpi/user/regions.hpp"

namespace rehearse::smpi {
namespace {

// Calls visit(map, address in its file), if there is a map. The address may be of another rank: all ranks have the same
// code at the same offset.
template <class Visit>
void visit_source(const RankState& rank, std::uintptr_t address, Visit&& visit) {
  const std::uint64_t first = reinterpret_cast<std::uintptr_t>(rank.base) -
                              rank.context.identity.id.value * rank.world->range_bytes;
  const std::uint64_t offset = (address - first) % rank.world->range_bytes;
  const Images& images = rank.world->images;
  const Image* image = images.find(offset);
  if (image != nullptr) visit(*image->source, offset - image->offset);
}

constexpr unsigned function_shift = 48;  // in Program::site(), above the offset: a range has at most 2^36 bytes

struct Introspection {
  RankState& rank;
  std::array<std::uintptr_t, 64> frames{};
  std::size_t frame_count = 0;
  std::string call;
  CallDetails details;
};

// Runs on the rank's stack; does not change its heap.
void spell_call(void* argument) {
  auto& result = *static_cast<Introspection*>(argument);
  const HostAllocation host;
  if (const auto describe_call = result.rank.world->spec.describe_call; describe_call != nullptr)
    result.call = describe_call();
  const auto* sockets = find_per_rank<RankSockets>();
  if (result.call.empty() && sockets != nullptr) result.call = sockets->waiting_call();
}

struct WaitingThread {
  ThreadNumber number = 0;
  std::string call;
  const void* place = nullptr;  // a return address
};

struct WaitingThreads {
  const RankState& rank;
  std::vector<WaitingThread> all;
};

// Runs on the rank's stack, as spell_call().
void spell_threads(void* argument) {
  auto& result = *static_cast<WaitingThreads*>(argument);
  const HostAllocation host;
  RankThreads& threads = per_rank<RankThreads>();
  const CallScope* running = CallScope::innermost();
  for (const RankThread* thread : threads.all) {
    if (thread->status != ThreadStatus::waiting) continue;
    const CallScope* call = thread->number == threads.running ? running : thread->call;
    WaitingThread& found =
        result.all.emplace_back(WaitingThread{thread->number, std::string(thread->wait.function), thread->wait.place});
    if (call == nullptr || result.rank.world->spec.describe_call == nullptr) continue;
    found.place = call->caller();
    per_rank<CallChain>().innermost = call;
    found.call = result.rank.world->spec.describe_call();
  }
  per_rank<CallChain>().innermost = running;
}

// Also captures the stack of the call.
void capture_place(void* argument) {
  auto& result = *static_cast<Introspection*>(argument);
  const HostAllocation host;
  const CrashSite& crash = result.rank.crash;
  if (crash.signal != 0) {
    result.frame_count = crash.frame_count;
    std::copy_n(crash.frames, crash.frame_count, result.frames.begin());
  } else {
    result.frame_count = capture_stack(result.frames);
  }
  spell_call(argument);
  if (const auto details = result.rank.world->spec.call_details; details != nullptr && crash.signal == 0)
    result.details = details(*result.rank.context.operation);
}

}  // namespace

Frame frame_at(const RankState& rank, std::uintptr_t address) {
  Frame frame;
  visit_source(rank, address, [&](const SourceMap& map, std::uint64_t at) { frame = map.find(at); });
  return frame;
}

NotedCall RankProgram::call_of(const RankState& rank) const {
  const auto place = world_->spec.call_site;
  const auto function = world_->spec.call_function;
  const void* slot = rank.context.identity.slot;
  return {place == nullptr ? nullptr : place(slot), function == nullptr ? 0 : function(slot)};
}

// The call's return address, as an offset into the rank's range, and the function's number: equal for all ranks and in
// every run.
std::uint64_t RankProgram::site(ActorId actor) {
  if (has_no_code(actor)) return 0;
  const Rank& at = started(actor);
  const RankState& rank = *at.state;
  const NotedCall call = at.ahead != nullptr     ? NotedCall{at.ahead->place(), at.ahead->function()}
                         : queues_.notes_calls() ? at.call
                                                 : call_of(rank);
  if (call.place == nullptr) return 0;
  return call.function << function_shift |
         static_cast<std::uint64_t>(static_cast<const std::byte*>(call.place) - rank.base);
}

CalledAt RankProgram::called_at(std::uint64_t site) const {
  const std::uint64_t offset = site & ((std::uint64_t{1} << function_shift) - 1);
  CalledAt call{site >> function_shift, {}};
  const auto holds = [offset](const Part& part) { return part.world->images.find(offset - 1) != nullptr; };
  const auto part = std::ranges::find_if(parts_, holds);
  if (offset == 0 || part == parts_.end()) return call;
  const RankState& rank = *ranks_[part->first_rank].state;
  call.frame = frame_at(rank, reinterpret_cast<std::uintptr_t>(rank.base) + offset - 1);
  return call;
}

// Describes an operation after which the rank has run ahead: only the place of its call is known.
CallDescription RankProgram::describe_earlier(const RankState& rank, const Operation& operation) const {
  CallDescription description;
  description.call = kind_name(operation);
  const auto* send = std::get_if<Send>(&operation);
  const auto* access = std::get_if<RemoteAccess>(&operation);
  const Origin origin = send != nullptr ? send->origin : access != nullptr ? access->origin : Origin{};
  if (origin.address == 0) return description;
  description.call = origin.call;
  description.frames.push_back(frame_at(rank, origin.address - 1));
  return description;
}

// A hash of all return addresses into the program on the top of the stack, and of words that look like one. In a loop
// it stays the same.
std::uint64_t RankProgram::call_chain(ActorId actor) {
  constexpr std::size_t words_looked_at = 256;
  if (has_no_code(actor)) return 0;
  const RankState& rank = *started(actor).state;
  const RangeLayout& layout = world_->layout;
  const auto* word = reinterpret_cast<const std::uint64_t*>(rehearse::stack_pointer(rank.context));
  const std::byte* top = rank.thread_stack.top == nullptr ? rank.base + layout.stack_end : rank.thread_stack.top;
  const auto* end = std::min(word + words_looked_at, reinterpret_cast<const std::uint64_t*>(top));
  const auto begin = reinterpret_cast<std::uintptr_t>(rank.base + layout.stack_end);
  const std::uint64_t images_bytes = layout.emergency_begin - layout.stack_end;
  std::uint64_t hash = 0;
  for (; word < end; ++word)
    if (*word - begin < images_bytes) hash = hash_with(hash, *word - begin);
  return hash;
}

CallDescription RankProgram::describe(ActorId actor) {
  if (is_server(actor)) return {"the names that ranks publish", {}};
  if (is_unborn(actor)) return {};
  Rank& rank = started(actor);
  if (rank.ahead != nullptr) return describe_earlier(*rank.state, rank.ahead->front());
  if (std::holds_alternative<Await>(*rank.state->context.operation)) return describe_threads(*rank.state);
  Introspection found{*rank.state, {}, 0, {}, {}};
  {
    const RankSwitch inside(*rank.state, stream_list_, thread_pointer_, host_thread_);
    visit(rank.state->context, capture_place, &found);
  }
  CallDescription description;
  const Operation& operation = *rank.state->context.operation;
  const bool is_last = std::holds_alternative<Fail>(operation) || std::holds_alternative<End>(operation);
  description.call = !found.call.empty() ? found.call : is_last ? "" : kind_name(operation);
  if (!description.call.empty()) description.call += region_text(rank.state->context.identity.slot);
  description.frames = user_frames(*rank.state, std::span(found.frames).first(found.frame_count));
  for (const StartedCall& started : found.details.requests) {
    const Origin origin{started.site.function, reinterpret_cast<std::uintptr_t>(started.site.return_address)};
    description.requests.push_back({started.request, started.site.function, locate(actor, origin)});
  }
  description.numberings = std::move(found.details.numberings);
  description.common_arguments = std::move(found.details.common_arguments);
  return description;
}

// Of a rank whose threads all wait: the first one stands for it.
CallDescription RankProgram::describe_threads(const RankState& rank) const {
  WaitingThreads found{rank, {}};
  {
    const RankSwitch inside(const_cast<RankState&>(rank), stream_list_, thread_pointer_, host_thread_);
    visit(const_cast<RankState&>(rank).context, spell_threads, &found);
  }
  CallDescription description;
  for (const WaitingThread& thread : found.all) {
    Frame at;
    if (thread.place != nullptr) at = frame_at(rank, reinterpret_cast<std::uintptr_t>(thread.place) - 1);
    if (&thread != &found.all.front()) {
      description.threads.push_back({thread.number, thread.call, at});
      continue;
    }
    description.call = thread.call;
    description.frames.push_back(at);
  }
  return description;
}

CallText RankProgram::call_text(ActorId actor) {
  if (has_no_code(actor)) return {};
  Rank& rank = started(actor);
  Introspection found{*rank.state, {}, 0, {}, {}};
  {
    const RankSwitch inside(*rank.state, stream_list_, thread_pointer_, host_thread_);
    visit(rank.state->context, spell_call, &found);
  }
  return {std::move(found.call), region_name(rank.state->context.identity.slot)};
}

// From the innermost function of the user to main; functions of this process are left out.
std::vector<Frame> RankProgram::user_frames(const RankState& rank, std::span<const std::uintptr_t> addresses) const {
  std::vector<Frame> frames;
  for (std::uintptr_t address : addresses) {
    const Image* image = rank.world->images.find(address - reinterpret_cast<std::uintptr_t>(rank.base));
    if (image == nullptr || (image->system && frames.empty())) continue;
    visit_source(rank, address, [&](const SourceMap& map, std::uint64_t at) {
      const std::vector<Frame>& here = map.find_all(at);
      frames.insert(frames.end(), here.begin(), here.end());
    });
    if (frames.back().function == "main") return frames;
  }
  if (!frames.empty() && frames.back().function == "_start") frames.pop_back();
  return frames;
}

// A function of a header may be inlined into a function of the program. Then the place is in the latter.
ProgramPlace program_place() {
  const RankState* rank = running_rank();
  if (rank == nullptr) return {};
  std::optional<ProgramPlace> found;
  {
    const HostAllocation host;
    std::array<std::uintptr_t, 64> addresses{};
    const std::size_t count = capture_stack(addresses);
    for (std::size_t i = 0; i < count && !found; ++i) {
      const auto offset = static_cast<std::uint64_t>(addresses[i] - reinterpret_cast<std::uintptr_t>(rank->base));
      const Image* image = rank->world->images.find(offset);
      if (image == nullptr || image->system) continue;
      visit_source(*rank, addresses[i], [&](const SourceMap& map, std::uint64_t at) {
        for (const Frame& frame : map.find_all(at))
          if (!found && !frame.file.starts_with("/usr/include/"))
            found = ProgramPlace{reinterpret_cast<const void*>(addresses[i]), frame};
      });
    }
  }
  return found ? ProgramPlace{*found} : ProgramPlace{};  // a copy in the rank's own memory
}

std::vector<RankPosition> RankProgram::rank_positions() const {
  std::vector<RankPosition> all(ranks_.size());
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    if (ranks_[r].state == nullptr) continue;
    const ActorContext& context = ranks_[r].state->context;
    if (context.operation != nullptr && std::holds_alternative<End>(*context.operation)) continue;
    all[r] = {reinterpret_cast<std::uintptr_t>(rehearse::stack_pointer(context)), ranks_[r].state->crash.interrupted};
  }
  return all;
}

Frame find_source(const void* address) {
  const RankState* rank = running_rank();
  if (rank == nullptr || address == nullptr) return {};
  std::optional<Frame> found;
  {
    const HostAllocation host;
    found = frame_at(*rank, reinterpret_cast<std::uintptr_t>(address));
  }
  return Frame{*found};  // a copy in the rank's own memory, because the rank may end before it frees it
}

std::uint64_t RankProgram::call_number(ActorId actor) {
  const auto count = world_->spec.call_number;
  return count == nullptr || has_no_code(actor) ? 0 : count(started(actor).state->context.identity.slot);
}

}  // namespace rehearse::smpi
