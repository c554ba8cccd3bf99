// SPDX-License-Identifier: MIT
//
// Decides after which operations an actor continues without an answer.
#include "simcore/ahead_queue.hpp"

#include <algorithm>
#include <variant>

#include "simcore/application_meter.hpp"

namespace rehearse {

bool AheadQueue::keep(const Operation& operation, ApplicationMeter* meter, const void* slot) {
  if (end_ == most_operations) return false;
  Entry& entry = entries_[end_];
  if (const auto* send = std::get_if<Send>(&operation)) {
    if (!keep_send(*send)) return false;
  } else if (const auto* post = std::get_if<Post>(&operation)) {
    if (post->blocking) return false;
    entry.operation = *post;
  } else if (const auto* release = std::get_if<Release>(&operation)) {
    entry.operation = *release;
  } else {
    return false;
  }
  entry.application_cost = meter == nullptr ? 0 : meter->exchange(0);
  entry.place = find_place_ == nullptr ? nullptr : find_place_(slot);
  entry.function = find_function_ == nullptr ? 0 : find_function_(slot);
  ++end_;
  return true;
}

void AheadQueue::begin(ApplicationMeter* meter) {
  if (meter != nullptr) last_application_ = meter->exchange(entries_[first_].application_cost);
}

void AheadQueue::pop(ApplicationMeter* meter) {
  const bool was_last = ++first_ == end_;
  if (meter != nullptr) meter->exchange(was_last ? last_application_ : entries_[first_].application_cost);
  if (!was_last) return;
  first_ = end_ = 0;
  used_bytes_ = 0;
}

bool AheadQueue::keep_send(const Send& send) {
  const std::size_t bytes = send.data.size();
  if (bytes > most_bytes - used_bytes_) return false;
  const bool leaves_at_once = send.mode == SendMode::buffered ||
                              (send.mode != SendMode::synchronous && bytes < limits_.complete_sends_below);
  if (send.blocking && !leaves_at_once) return false;
  std::byte* copy = bytes_.data() + used_bytes_;
  std::copy_n(send.data.data(), bytes, copy);
  used_bytes_ += static_cast<std::uint32_t>(bytes);
  entries_[end_].operation.emplace<Send>(send).data = {copy, bytes};
  return true;
}

}  // namespace rehearse
