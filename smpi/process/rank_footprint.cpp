// SPDX-License-Identifier: MIT
//
// Footprints of a rank's steps (simcore/footprint.hpp). A step contains the library's code on the rank, because the
// state of the library is memory of the rank.
//
// The driver reads and writes the rank's control block between two operations. Therefore all of it counts as read, and
// its changed words as written.
#include <algorithm>
#include <cstring>

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
  Rank& rank = started(actor);
  if (tracer_ == nullptr) tracer_ = std::make_unique<StepTracer>();
  if (!tracer_->is_there() || rank.ahead != nullptr || shares_memory_) return false;
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
  {
    const StreamSwitch streams(*rank.state, stream_list_);
    tracer_->call(enter_actor, &rank.state->context, answer,
                  number_of(rank.state->base) + world_->layout.thread_pointer);
  }
  if (tracer_->is_broken()) rank.state->context.operation = &untraceable_;
}

void RankProgram::look(ActorId, void (*function)(void*), void* argument) {
  Look look{function, argument};
  tracer_->call(call_look, &look, nullptr, number_of(host_thread_));
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
  std::erase_if(footprint.reads, is_in_block);
  std::erase_if(footprint.writes, is_in_block);
  std::erase_if(footprint.sums, is_in_block);
  for (std::size_t i = 0; i < control_before_.size(); ++i) {
    std::uint64_t now = 0;
    std::memcpy(&now, reinterpret_cast<const std::byte*>(&state) + 8 * i,
                std::min<std::size_t>(8, sizeof state - 8 * i));
    footprint.reads.push_back({begin + 8 * i, whole_word, control_before_[i]});
    if (now != control_before_[i]) footprint.writes.push_back({begin + 8 * i, whole_word, now});
  }
  std::ranges::sort(footprint.reads, {}, &Footprint::Word::address);
  std::ranges::sort(footprint.writes, {}, &Footprint::Word::address);
}

}  // namespace rehearse::smpi
