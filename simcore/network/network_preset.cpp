// SPDX-License-Identifier: MIT
//
// The table of networks. The header has the sources.
#include "simcore/network_preset.hpp"

#include <algorithm>
#include <array>

#include "simcore/message_protocol.hpp"
#include "simcore/network/library_parameters.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {
namespace {

using network::ethernet_frame_bytes;
using network::ethernet_payload_part;
using network::library_eager_bytes;
using network::library_envelope_bytes;

constexpr double microsecond = 1e-6;
constexpr std::string_view taurus = "published SMPI calibration of Grid'5000 taurus";
constexpr std::string_view mvapich = "IBTA rates; bandwidth and latency of the MVAPICH project";

constexpr NetworkPreset ethernet(std::string_view name, std::string_view text, std::string_view source,
                                 double bytes_per_second) {
  return {name,
          text,
          source,
          bytes_per_second,
          13.8 * microsecond,
          5.76 * microsecond,
          2.17e-10,
          4.53 * microsecond,
          2.35e-10,
          ethernet_payload_part,
          ethernet_frame_bytes,
          network::ethernet_acknowledgements,
          library_eager_bytes,
          library_envelope_bytes,
          network::library_transmit_queue_bytes};
}

constexpr NetworkPreset gigabit() {
  NetworkPreset preset = ethernet("ethernet-1g", "gigabit Ethernet, TCP",
                                  "SimGrid's platform file of Grid'5000 griffon; SMPI calibration", 125e6);
  preset.half_trip_seconds = (2 * 24 + 8.75 + 9.31) * microsecond;
  preset.send_seconds = 8.75 * microsecond;
  preset.send_seconds_per_byte = 7.1e-10;
  preset.receive_seconds = 9.31 * microsecond;
  preset.receive_seconds_per_byte = 7.92e-10;
  return preset;
}

// An envelope of InfiniBand: 24 bytes of the library as on TCP, 26 bytes of headers of a packet. An adapter serves its
// queue pairs in turn, so messages do not queue.
constexpr NetworkPreset infiniband(std::string_view name, std::string_view text, double bytes_per_second,
                                   double reached_bytes_per_second) {
  return {name,
          text,
          mvapich,
          bytes_per_second,
          1.1 * microsecond,
          0.1 * microsecond,
          0,
          0.1 * microsecond,
          0,
          reached_bytes_per_second / bytes_per_second,
          0,
          0,
          12288,
          50,
          0};
}

constexpr std::array presets = {
    gigabit(),
    ethernet("ethernet-10g", "10 Gbit/s Ethernet, TCP", taurus, 1.25e9),
    ethernet("ethernet-25g", "25 Gbit/s Ethernet, TCP", "times of ethernet-10g (assumption)", 3.125e9),
    ethernet("ethernet-100g", "100 Gbit/s Ethernet, TCP", "times of ethernet-10g (assumption)", 12.5e9),
    infiniband("infiniband-qdr", "InfiniBand QDR, 4 lanes", 4e9, 3.37e9),
    infiniband("infiniband-fdr", "InfiniBand FDR, 4 lanes", 4 * 14.0625e9 * 64 / 66 / 8, 6.36e9),
    infiniband("infiniband-edr", "InfiniBand EDR, 4 lanes", 12.5e9, 12.36e9),
    infiniband("infiniband-hdr", "InfiniBand HDR, 4 lanes", 25e9, 24.5e9),
    infiniband("infiniband-ndr", "InfiniBand NDR, 4 lanes", 50e9, 49e9)};

}  // namespace

std::span<const NetworkPreset> network_presets() { return presets; }

const NetworkPreset* find_network_preset(std::string_view name) {
  const auto found = std::ranges::find(presets, name, &NetworkPreset::name);
  return found == presets.end() ? nullptr : &*found;
}

void apply(const NetworkPreset& preset, PlatformSettings& settings) {
  settings.preset = preset.name;
  settings.network_model = std::string(library_network);
  settings.cross_traffic = preset.acknowledgements > 0;
  settings.latency_factor = "1";
  settings.bandwidth_factor = fmt::format("{}", preset.payload_part);
  settings.envelope_bytes = preset.envelope_bytes;
  settings.frame_bytes = preset.frame_bytes;
  settings.transmit_queue_bytes = preset.transmit_queue_bytes;
  settings.eager_bytes = preset.eager_bytes;
  settings.handshake = Handshake::answered;
  settings.message_costs.send.pieces = {{0, preset.send_seconds, preset.send_seconds_per_byte}};
  settings.message_costs.started_send = settings.message_costs.send;
  settings.message_costs.receive.pieces = {{0, preset.receive_seconds, preset.receive_seconds_per_byte}};
}

}  // namespace rehearse
