// SPDX-License-Identifier: MIT
//
// See stream.hpp.
#include "simcore/capture/stream.hpp"

#include <cstring>

#include "simcore/support/format.hpp"

namespace rehearse::capture {

std::array<std::uint8_t, envelope_bytes> CapturedMessage::envelope() const {
  std::array<std::uint8_t, envelope_bytes> bytes{};
  const auto put = [&](std::size_t place, const auto& value) {
    std::memcpy(bytes.data() + place, &value, sizeof value);
  };
  const auto kind_of = [&] {
    if (kind == TransferKind::announcement) return EnvelopeKind::announcement;
    if (kind == TransferKind::answer) return EnvelopeKind::answer;
    return label.is_large ? EnvelopeKind::data : EnvelopeKind::eager;
  };
  auto code = static_cast<std::uint8_t>(kind_of());
  if (label.is_collective) code |= static_cast<std::uint8_t>(EnvelopeKind::collective);
  put(0, sender());
  put(4, label.tag);
  put(8, label.context);
  put(12, code);  // the mark here keeps tshark from taking the bytes for another protocol over InfiniBand
  std::memcpy(bytes.data() + 13, "MSG", 3);
  put(16, label.bytes);
  put(24, number);
  return bytes;
}

std::string CapturedMessage::comment(const Platform& platform, HostId source, HostId destination,
                                     const std::string& at) const {
  if (!has_envelope)
    return fmt::format("{}->{} {} B", platform.host(source).name, platform.host(destination).name, bytes);
  const char* word = label.is_large ? "data" : "eager";
  if (kind == TransferKind::announcement) word = "announcement";
  if (kind == TransferKind::answer) word = "answer";
  const std::uint32_t from = sender(), to = static_cast<std::uint32_t>(connection) - 1;
  const std::string place = at.empty() ? at : " at " + at;
  if (label.is_collective)
    return fmt::format("message {}->{} collective comm {} {} B {}{}", from, to, label.context, label.bytes, word,
                       place);
  return fmt::format("message {}->{} tag {} comm {} {} B {}{}", from, to, label.tag, label.context, label.bytes, word,
                     place);
}

void Stream::add(const CapturedMessage& message, bool is_empty) {
  found_ = {};
  // A cancelled message gives its numbers back.
  while (!messages_.empty() && messages_.back().begin >= message.begin) messages_.pop_back();
  while (!empty_.empty() && empty_.back() >= message.begin) empty_.pop_back();
  messages_.push_back(message);
  if (is_empty) empty_.push_back(message.begin);
  has_empty_ = !empty_.empty();
  ++count_;
}

void Stream::forget(std::uint64_t before) {
  found_ = {};
  while (!messages_.empty() && messages_.front().end <= before) messages_.pop_front();
}

void Stream::search(std::uint64_t place) {
  found_ = {};
  const auto after = std::ranges::upper_bound(messages_, place, {}, &CapturedMessage::begin);
  if (after == messages_.begin()) return;
  const CapturedMessage& message = *std::prev(after);
  if (place < message.end) found_ = {message.begin, message.end, &message};
}

}  // namespace rehearse::capture
