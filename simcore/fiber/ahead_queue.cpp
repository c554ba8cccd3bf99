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
  } else if (const auto* access = std::get_if<RemoteAccess>(&operation)) {
    if (!keep_access(*access)) return false;
  } else if (const auto* traffic = std::get_if<Traffic>(&operation)) {
    entry.operation = *traffic;
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
  const bool leaves_at_once = send.mode == SendMode::buffered ||
                              (send.mode != SendMode::synchronous && send.data.size() < limits_.complete_sends_below);
  if (!has_room_for(send.data) || (send.blocking && !leaves_at_once)) return false;
  entries_[end_].operation.emplace<Send>(send).data = copy(send.data);
  return true;
}

bool AheadQueue::keep_access(const RemoteAccess& access) {
  if (!has_room_for(access.data) || access.blocking) return false;
  entries_[end_].operation.emplace<RemoteAccess>(access).data = copy(access.data);
  return true;
}

bool AheadQueue::has_room_for(std::span<const std::byte> data) const { return data.size() <= most_bytes - used_bytes_; }

std::span<const std::byte> AheadQueue::copy(std::span<const std::byte> data) {
  std::byte* to = bytes_.data() + used_bytes_;
  std::ranges::copy(data, to);
  used_bytes_ += static_cast<std::uint32_t>(data.size());
  return {to, data.size()};
}

}  // namespace rehearse
