// SPDX-License-Identifier: MIT
//
// A transfer of data between two hosts, as a cost model receives it.
//
// Units: bytes, bytes per second.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "simcore/platform.hpp"
#include "simcore/use_observer.hpp"

namespace rehearse {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

// What a transfer carries, for models in which the envelope of a message is bytes.
enum class TransferKind : std::uint8_t {
  plain,         // data without an envelope
  message,       // the data of a message, with its envelope
  announcement,  // the envelope of a large message, which waits for its receive
  answer         // to an announcement
};

// The message that a transfer belongs to, for captures of packets.
struct MessageLabel {
  std::uint32_t context = 0;
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;     // of the data; of an announcement or an answer: those that follow
  std::uintptr_t address = 0;  // of the call that sends it, for Program::locate; 0: unknown
  bool is_large = false;       // announced
  bool is_collective = false;
  std::optional<Category> category = {};  // nothing: that of the sender, now
};

struct Transfer {
  HostId source;
  HostId destination;
  double bytes = 0;
  double rate = unlimited;               // bytes per second of payload, at most
  std::optional<DiskId> read_from = {};  // a stream: disk, network, disk, all at the same rate
  std::optional<DiskId> write_to = {};
  TransferKind kind = TransferKind::plain;
  std::uint64_t connection = 0;  // transfers with the same number, from and to the same hosts, are one stream; 0: none
  MessageLabel label = {};
  Category category = 0;  // for observers of uses
};

}  // namespace rehearse
