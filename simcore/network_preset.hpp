// SPDX-License-Identifier: MIT
//
// Networks by name: the numbers of a messaging library on common kinds of networks, for built-in platforms such as
// cluster:16@ethernet-10g.
//
// Values:  of the model library_network, uncalibrated. half_trip_seconds is half the round trip of an empty message
//          over one switch. It consists of the time in the send, the latency of two links (with half a switch each),
//          and the time in the receive.
// Source:  the table of network_preset.cpp has the source of each number beside it. A number without a source is an
//          estimate.
// Units:   bytes per second, seconds, bytes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "simcore/platform.hpp"

namespace rehearse {

struct NetworkPreset {
  std::string_view name;
  std::string_view text;
  std::string_view source;
  double bytes_per_second = 0;
  double half_trip_seconds = 0;
  double send_seconds = 0, send_seconds_per_byte = 0;
  double receive_seconds = 0, receive_seconds_per_byte = 0;
  double payload_part = 1;
  double frame_bytes = 0;       // stored and forwarded; 0: cut-through
  double acknowledgements = 0;  // bytes on the way back for each byte
  std::uint64_t eager_bytes = 0;
  double envelope_bytes = 0;
  double transmit_queue_bytes = 0;  // largest message in the transmit queue of its host; 0: no queue

  double link_seconds() const { return (half_trip_seconds - send_seconds - receive_seconds) / 2; }
};

std::span<const NetworkPreset> network_presets();

// Null: there is none of this name.
const NetworkPreset* find_network_preset(std::string_view name);

// The settings of a platform with this network.
void apply(const NetworkPreset& preset, PlatformSettings& settings);

}  // namespace rehearse
