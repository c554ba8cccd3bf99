// SPDX-License-Identifier: MIT
//
// See message_recorder.hpp.
#include "simcore/statistics/message_recorder.hpp"

#include <algorithm>
#include <cmath>

namespace rehearse::statistics {

std::uint64_t MessageRecorder::bound_of(std::uint32_t index) {
  std::uint64_t bound = 100;
  while (index-- > 0) bound *= 10;
  return bound;
}

void MessageRecorder::start(std::uint32_t activity, const Start& message) {
  if (activity >= open_.size()) open_.resize(activity + 1);
  open_[activity] = message;
}

const MessageRecorder::Start* MessageRecorder::find(std::uint32_t activity) const {
  return activity < open_.size() && open_[activity].record != packet::nothing ? &open_[activity] : nullptr;
}

void MessageRecorder::forget(std::uint32_t activity) {
  if (activity < open_.size()) open_[activity] = {};
}

void MessageRecorder::end(std::uint32_t activity, bool has_failed, Picoseconds timer_wait, Picoseconds now) {
  const Start& begin = open_[activity];
  const auto seconds = [](Picoseconds time) { return static_cast<double>(time) * 1e-12; };
  const MessageStatistics message{begin.record,         begin.kind,
                                  has_failed,           static_cast<std::uint64_t>(std::llround(begin.bytes)),
                                  seconds(begin.start), seconds(now),
                                  seconds(begin.ideal), seconds(timer_wait - begin.timer_wait)};
  open_[activity] = {};
  if (list_.size() < listed_max) list_.push_back(message);
  else ++more_;
  if (has_failed || message.kind == TransferKind::announcement || message.kind == TransferKind::answer) return;
  std::uint32_t size = 0;
  while (size + 1 < classes && message.bytes > bound_of(size)) ++size;
  classes_[size].bytes += message.bytes;
  classes_[size].seconds.add(message.end - message.start);
  classes_[size].slow_down.add(message.slow_down());
  note_slow(message);
}

void MessageRecorder::note_slow(const MessageStatistics& message) {
  const auto is_slower = [](const MessageStatistics& a, const MessageStatistics& b) {
    return a.slow_down() > b.slow_down();
  };
  if (slowest_.size() == slowest_max && !is_slower(message, slowest_.back())) return;
  slowest_.insert(std::ranges::upper_bound(slowest_, message, is_slower), message);
  if (slowest_.size() > slowest_max) slowest_.pop_back();
}

void MessageRecorder::finish(NetworkStatistics& all) {
  const auto percentiles = [](const Quantiles& of) { return Percentiles{of.at(0.5), of.at(0.95), of.at(0.99)}; };
  for (std::uint32_t i = 0; i < classes; ++i) {
    const Class& size = classes_[i];
    if (size.seconds.count() == 0) continue;
    MessageClass& made = all.classes.emplace_back();
    if (i + 1 < classes) made.up_to_bytes = bound_of(i);
    made.messages = size.seconds.count();
    made.bytes = size.bytes;
    made.seconds = percentiles(size.seconds);
    made.slow_down = percentiles(size.slow_down);
  }
  all.messages = std::move(list_);
  all.messages_more = more_;
  all.slowest = std::move(slowest_);
}

}  // namespace rehearse::statistics
