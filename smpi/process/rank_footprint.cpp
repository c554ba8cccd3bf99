// SPDX-License-Identifier: MIT
//
// Footprints of a rank's steps (simcore/footprint.hpp). A step contains the library's code on the rank, because the
// state of the library is memory of the rank.
//
// The driver reads and writes the rank's control block between two operations. Therefore all of it counts as read, and
// its changed words as written.
#include <algorithm>
#include <cstring>
#include <utility>

#include "smpi/process/rank_program.hpp"

namespace rehearse::smpi {

namespace {

std::uint64_t number_of(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

void enter_actor(void* context, const void* answer) {
  enter(*static_cast<ActorContext*>(context), static_cast<const Observation*>(answer));
}

struct Look {
  void (*function)(void*);
  void* argument;
};

void call_look(void* look, const void*) {
  const Look& it = *static_cast<const Look*>(look);
  it.function(it.argument);
}

constexpr std::uint8_t whole_word = 0xff;

}  // namespace

bool RankProgram::begin_footprint(ActorId actor) {
  if (is_server(actor)) return false;
  Rank& rank = started(actor);
  if (tracer_ == nullptr) tracer_ = std::make_unique<StepTracer>();
  if (!tracer_->is_there() || rank.ahead != nullptr || shares_memory_) return false;
  if (has_threads(rank.state->context.identity.slot)) return false;
  const std::uint64_t begin = number_of(base(actor));
  const RankState& state = *rank.state;
  tracer_->begin({begin, begin + space_->range_bytes(), number_of(state.context.stack.bottom),
                  number_of(state.context.stack.top), number_of(state.context.suspended)});
  control_before_.resize((sizeof state + 7) / 8);
  std::memcpy(control_before_.data(), &state, sizeof state);
  traced_ = &rank;
  return true;
}

void RankProgram::run_traced(Rank& rank, const Observation* answer) {
  if (tracer_->is_broken()) return;
  // A traced step takes much longer, and its instructions do not run where a signal handler could interrupt them.
  StepClock* const clock = std::exchange(rank.state->world->clock, nullptr);
  {
    const StreamSwitch streams(*rank.state, stream_list_);
    tracer_->call(enter_actor, &rank.state->context, answer,
                  number_of(rank.state->base) + world_->layout.thread_pointer);
  }
  rank.state->world->clock = clock;
  if (tracer_->is_broken()) rank.state->context.operation = &untraceable_;
}

void RankProgram::look(ActorId, void (*function)(void*), void* argument) {
  Look look{function, argument};
  tracer_->call(call_look, &look, nullptr, number_of(host_thread_));
}

void RankProgram::note_read(ActorId, const void* begin, std::size_t bytes) {
  tracer_->note_read(number_of(begin), bytes);
}

Footprint RankProgram::end_footprint(ActorId actor) {
  Rank& rank = at(actor);
  REHEARSE_ASSERT(traced_ == &rank, "a footprint that was begun");
  traced_ = nullptr;
  Footprint footprint = tracer_->end(number_of(rank.state->context.suspended));
  add_control_block(*rank.state, footprint);
  return footprint;
}

void RankProgram::add_control_block(const RankState& state, Footprint& footprint) const {
  const std::uint64_t begin = number_of(&state);
  const auto is_in_block = [&](const auto& entry) { return entry.address - begin < control_before_.size() * 8; };
  constexpr std::uint8_t half_word = 0x0f;
  for (const Footprint::Sum& move : footprint.moves)
    if (is_in_block(move))
      footprint.reads.push_back({move.from / 8 * 8,
                                 static_cast<std::uint8_t>(move.size == 8 ? whole_word : half_word << move.from % 8),
                                 move.there, 0});
  std::erase_if(footprint.reads, is_in_block);
  std::erase_if(footprint.writes, is_in_block);
  std::erase_if(footprint.sums, is_in_block);
  std::erase_if(footprint.moves, is_in_block);
  for (std::size_t i = 0; i < control_before_.size(); ++i) {
    std::uint64_t now = 0;
    std::memcpy(&now, reinterpret_cast<const std::byte*>(&state) + 8 * i,
                std::min<std::size_t>(8, sizeof state - 8 * i));
    footprint.reads.push_back({begin + 8 * i, whole_word, control_before_[i], 0});
    if (now != control_before_[i]) footprint.writes.push_back({begin + 8 * i, whole_word, now, control_before_[i]});
  }
  std::ranges::sort(footprint.reads, {}, &Footprint::Word::address);
  std::ranges::sort(footprint.writes, {}, &Footprint::Word::address);
}

std::uint64_t RankProgram::stack_pointer(ActorId actor) { return number_of(started(actor).state->context.suspended); }

// Also heap that was never used: it reads as zero when it is.
bool RankProgram::is_dead(ActorId actor, std::uint64_t address) {
  const RankState& state = *started(actor).state;
  const StackSpan& stack = state.context.stack;
  if (address >= number_of(stack.bottom) && address < number_of(stack.top))
    return address < number_of(state.context.suspended);
  return address >= number_of(state.heap->high_water()) && address < number_of(state.base) + world_->layout.heap_end;
}

std::uint64_t RankProgram::peek(ActorId actor, std::uint64_t address) {
  if (is_dead(actor, address)) return 0;
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

void RankProgram::poke(ActorId actor, std::span<const Footprint::Word> words) {
  const StackSpan stack = started(actor).state->context.stack;
  const std::uint64_t stack_pointer = number_of(at(actor).state->context.suspended);
  const std::uint64_t begin = number_of(base(actor)), end = begin + space_->range_bytes();
  for (const Footprint::Word& word : words) {
    REHEARSE_ASSERT(word.address >= begin && word.address < end, "memory of the rank");
    if (word.address >= number_of(stack.bottom) && word.address < std::min(stack_pointer, number_of(stack.top)))
      continue;
    for (std::uint64_t i = 0; i < 8; ++i)
      if ((word.bytes >> i & 1) != 0)
        *reinterpret_cast<std::uint8_t*>(word.address + i) = static_cast<std::uint8_t>(word.value >> (8 * i));
  }
}

// A suspended context begins with its control and status register. Another layout has other reserved bits.
bool RankProgram::raise_float_flags(ActorId actor) {
  constexpr std::uint32_t all_flags = 0x3f, as_usual = 0x1f80;
  void* at = started(actor).state->context.suspended;
  std::uint32_t status = 0;
  std::memcpy(&status, at, sizeof status);
  if ((status & ~all_flags) != as_usual) return false;
  status |= all_flags;
  std::memcpy(at, &status, sizeof status);
  return true;
}

}  // namespace rehearse::smpi
