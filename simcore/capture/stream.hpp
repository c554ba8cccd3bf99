// SPDX-License-Identifier: MIT
//
// A connection as a capture sees it: addresses, ports, and the messages whose packets can still be on the way.
//
// Units: bytes of the stream, as Connection counts them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "simcore/capture/frame.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/packet_capture.hpp"

namespace rehearse::capture {

inline constexpr std::uint32_t envelope_bytes = 32;

// The kinds of envelopes; the value for messages of collectives has the bit `collective` besides.
enum class EnvelopeKind : std::uint8_t { eager = 1, announcement = 2, answer = 3, data = 4, collective = 16 };

struct CapturedMessage {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t bytes = 0;   // without envelope
  std::uint64_t number = 0;  // of the connection's messages
  std::uint64_t packet = 0;  // rdma: number of its first packet
  std::uint64_t connection = 0;
  MessageLabel label;
  TransferKind kind{};
  bool has_envelope = false;

  // Source, tag, communicator, bytes, kind with a mark, number; little-endian.
  std::array<std::uint8_t, envelope_bytes> envelope() const;
  // `at`: the place of the call that sends it; empty: unknown.
  std::string comment(const Platform& platform, HostId source, HostId destination, const std::string& at) const;
  // The rank that calls; announcements and data only.
  std::uint32_t sender() const { return static_cast<std::uint32_t>(connection >> 32) - 1; }
};

// A byte of a stream, and its message. Most packets need no more of the message than these bounds.
struct MessagePlace {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  const CapturedMessage* message = nullptr;  // null: unknown
};

// What each packet needs is in the first 64 bytes.
class alignas(64) Stream {
 public:
  FrameHead head;
  std::uint32_t first_sequence = 0;
  std::uint32_t first_answer = 0;

  void add(const CapturedMessage& message, bool is_empty);
  // Forgets the messages that end before this place.
  void forget(std::uint64_t before);
  // The message with this byte. Fast if it is the one that was found last.
  const MessagePlace& find(std::uint64_t place) {
    if (place - found_.begin >= found_.end - found_.begin) search(place);
    return found_;
  }
  std::uint64_t messages() const { return count_; }
  // An empty message takes a number of the stream, but no byte on the wire.
  std::uint64_t wire_place(std::uint64_t place) const {
    if (!has_empty_) return place;
    return place - static_cast<std::uint64_t>(std::ranges::lower_bound(empty_, place) - empty_.begin());
  }

 private:
  void search(std::uint64_t place);

  MessagePlace found_;
  bool has_empty_ = false;
  std::uint64_t count_ = 0;
  std::deque<CapturedMessage> messages_;
  std::vector<std::uint64_t> empty_;
};

}  // namespace rehearse::capture
