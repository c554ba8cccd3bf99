// SPDX-License-Identifier: MIT
//
// See resumed_stretch.hpp.
#include "simcore/compute/resumed_stretch.hpp"

#include <x86intrin.h>

#include <algorithm>
#include <array>
#include <memory>

#include "simcore/actor.hpp"
#include "simcore/actor_context.hpp"

namespace rehearse::compute {
namespace {

constexpr std::size_t pieces = 255, pieces_in_a_row = 200, rows = 9, stack_bytes = 64 * 1024;
constexpr int turns_of_piece = 16;  // about 70 cycles

// Each turn waits for the one before.
[[gnu::noinline]] void run_piece(volatile std::uint64_t& state) {
  std::uint64_t x = state;
  for (int turn = 0; turn < turns_of_piece; ++turn) x = x * x + 3;
  state = x;
}

[[gnu::noinline]] double look_at_clock() { return ask(Clock{}).now.seconds(); }

void run_pieces(ActorContext& actor) {
  volatile std::uint64_t state = 1;
  begin_application(actor);
  while (true) {
    run_piece(state);
    look_at_clock();
  }
}

std::uint64_t piece_ticks() {
  volatile std::uint64_t state = 1;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::size_t row = 0; row < rows; ++row) {
    _mm_lfence();
    const std::uint64_t begin = __rdtsc();
    for (std::size_t i = 0; i < pieces_in_a_row; ++i) run_piece(state);
    _mm_lfence();
    least = std::min<std::uint64_t>(least, __rdtsc() - begin);
  }
  return least / pieces_in_a_row;
}

}  // namespace

std::uint64_t resumed_stretch_ticks(ApplicationMeter& meter, void (*at_switch)()) {
  const auto stack = std::make_unique<std::byte[]>(stack_bytes);
  ActorContext actor;
  actor.meter = &meter;
  actor.body = run_pieces;
  actor.stack = {stack.get(), stack.get() + stack_bytes};
  ActorContext* const before = current_context();
  set_current_context(&actor);
  prepare(actor);
  enter(actor, nullptr);
  const Observation answer;
  std::array<std::uint64_t, pieces> counts;
  for (std::uint64_t& count : counts) {
    meter.exchange(0);
    at_switch();
    enter(actor, &answer);
    at_switch();
    count = meter.exchange(0);
  }
  set_current_context(before);
  std::ranges::nth_element(counts, counts.begin() + pieces / 2);
  const std::uint64_t piece = piece_ticks(), median = counts[pieces / 2];
  return median - std::min(median, piece);
}

}  // namespace rehearse::compute
