// SPDX-License-Identifier: MIT
//
// Networks by name: the numbers of a messaging library on common kinds of networks, for built-in platforms such as
// cluster:16@ethernet-10g.
//
// Values:  of the model library_network, uncalibrated. half_trip_seconds is half the round trip of an empty message
// over
//          one switch. It consists of the time in the send, the latency of two links (with half a switch each), and the
//          time in the receive.
// Source:  Ethernet: IEEE 802.3-2022; payload part, frames and eager limit: simcore/network/library_parameters.hpp.
//          ethernet-1g: 24 us for each link, as in SimGrid's platform file of Grid'5000's cluster griffon; times in
//          send and receive: library_parameters.hpp. ethernet-10g: published calibration report for SMPI of Grid'5000's
//          cluster taurus: times in send and receive 5.76 and 4.53 us; its ping-pong time of 13.8 us is taken as half a
//          round trip. ethernet-25g, ethernet-100g: times of ethernet-10g, because the TCP of the host dominates them.
//          This is an assumption. InfiniBand: rate behind the code of the line (8b/10b of QDR, 64b/66b later; IBTA
//          volume 2). Part of it that messages reach: 3.37, 6.36, 12.36 and 24.5 GB/s of QDR, FDR, EDR and HDR, as the
//          MVAPICH project reported (D. K. Panda et al., project overviews 2016 to 2021); NDR as HDR, which is an
//          assumption. Half round trips there are 1.01 to 1.19 us; 1.1 us stands for all of them. Send and receive take
//          0.1 us each, which is an assumption. The figures of the overviews have not been checked against the
//          originals. Switches forward packets before they have all of them (cut-through). Eager limit: 12 KiB, as
//          OpenMPI's openib transport.
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
