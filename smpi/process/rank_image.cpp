// SPDX-License-Identifier: MIT
//
// The image of a rank's state: its memory without the bytes that only this process uses, and without those that the
// answer to its waiting receive overwrites.
#include <algorithm>
#include <cstdint>

#include "smpi/process/rank_program.hpp"
#include "smpi/process/rank_threads.hpp"

namespace rehearse::smpi {
namespace {

// A larger state has no image, because hashing it would take longer than running the rank again.
constexpr std::uint64_t largest_image_bytes = std::uint64_t{4} << 20;

}  // namespace

std::optional<WideHash> RankProgram::image(ActorId actor, StateImages::AwaitedBytes awaited) {
  if (is_server(actor)) return std::nullopt;
  const Rank& rank = started(actor);
  RankState& state = *rank.state;
  if (world_->spec.before_answer != nullptr && has_threads(state.context.identity.slot))
    return std::nullopt;  // threads that sleep wait for a time, which does not pass in a loop of states
  const auto bytes_of = [](auto& object) {
    return ByteRange{reinterpret_cast<std::byte*>(&object), reinterpret_cast<std::byte*>(&object + 1)};
  };
  std::vector<ByteRange> left_out{bytes_of(state.context.driver)};
  const auto leave_out = [&](const ByteRange& range) {
    if (range.begin < range.end) left_out.push_back(range);
  };
  const ByteRange& buffer = state.awaited.buffer;
  leave_out(
      {buffer.begin, buffer.begin + std::min<std::uint64_t>(buffer.bytes(), static_cast<std::uint64_t>(awaited))});
  for (const ByteRange& range : state.awaited.status) leave_out(range);
  return rank.memory->image(main_stack_pointer(state), std::move(left_out), largest_image_bytes);
}

}  // namespace rehearse::smpi
