// SPDX-License-Identifier: MIT
//
// The table of networks.
//
// Source: [802.3]  IEEE 802.3-2022; parts of payload, frames, envelope and eager limit of Ethernet:
//                  simcore/network/library_parameters.hpp.
//         [griffon] examples/platforms/griffon.xml of SimGrid, a cluster of Grid'5000: 24 us for each link.
//         [taurus] a calibration report for SMPI of Grid'5000's cluster taurus. It has not been found again, so its
//                  numbers count as estimates.
//         [verbs]  OpenMPI, opal/mca/common/verbs/common_verbs_port.c: rates behind the codes of the lines, 8b/10b up
//                  to QDR and 64b/66b from FDR on, up to HDR. NDR: 100 Gbit/s a lane (IBTA, roadmap).
//         [RHEL]   Red Hat, Configuring InfiniBand and RDMA networks (RHEL 8), chapter 7: 6.19 GB/s of qperf rc_bw over
//                  a port of FDR. That is without a messaging library.
//         [HC]     Microsoft, HC-series performance (azure-docs, 2023): OSU benchmarks over EDR, 1.05 us, 96.8 Gbit/s.
//         [HBv2]   Microsoft, HBv2-series performance (azure-docs, 2023): the same over HDR, 1.2 us, 190 Gbit/s.
//         [IBTA]   InfiniBand Architecture Specification, volume 1: headers of 8 and 12 bytes (LRH, BTH), checksums of
//                  4 and 2 (ICRC, VCRC). Switches forward packets before they have all of them.
//         [openib] OpenMPI 4, opal/mca/btl/openib: an eager limit of 12 KiB (btl_openib_mca.c), which includes the
//                  largest header as that of TCP does, and a header of 4 bytes (btl_openib_frag.h).
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

constexpr NetworkPreset ethernet(std::string_view name, std::string_view text, std::string_view source,
                                 double bytes_per_second) {
  return {name,
          text,
          source,
          bytes_per_second,    // [802.3]
          13.8 * microsecond,  // [taurus]: its time of a ping-pong, taken as half a round trip
          5.76 * microsecond,  // [taurus], and the next three
          2.17e-10,
          4.53 * microsecond,
          2.35e-10,
          ethernet_payload_part,  // [802.3], and the rest
          ethernet_frame_bytes,
          network::ethernet_acknowledgements,
          library_eager_bytes,
          library_envelope_bytes,
          network::library_transmit_queue_bytes};
}

constexpr NetworkPreset gigabit() {
  NetworkPreset preset = ethernet("ethernet-1g", "gigabit Ethernet, TCP",
                                  "links: SimGrid's file of Grid'5000 griffon; send, receive: estimates", 125e6);
  preset.half_trip_seconds = (2 * 24 + 8.75 + 9.31) * microsecond;  // [griffon]
  preset.send_seconds = 8.75 * microsecond;
  preset.send_seconds_per_byte = 7.1e-10;
  preset.receive_seconds = 9.31 * microsecond;
  preset.receive_seconds_per_byte = 7.92e-10;
  return preset;
}

// An adapter of InfiniBand serves its queue pairs in turn, so messages do not queue.
constexpr NetworkPreset infiniband(std::string_view name, std::string_view text, std::string_view source,
                                   double bytes_per_second, double reached_bytes_per_second, double half_trip_seconds) {
  return {name,
          text,
          source,
          bytes_per_second,
          half_trip_seconds,
          0.1 * microsecond,  // estimate
          0,
          0.1 * microsecond,  // estimate
          0,
          reached_bytes_per_second / bytes_per_second,
          0,  // [IBTA]: cut-through
          0,
          12288 - network::library_header_bytes,  // [openib]
          14 + 4 + 26,                            // matching as on TCP, [openib], [IBTA]
          0};
}

constexpr std::string_view as_10g = "estimates: times of ethernet-10g";

constexpr std::array presets = {
    gigabit(),
    ethernet("ethernet-10g", "10 Gbit/s Ethernet, TCP", "estimates: SMPI calibration of Grid'5000 taurus", 1.25e9),
    ethernet("ethernet-25g", "25 Gbit/s Ethernet, TCP", as_10g, 3.125e9),
    ethernet("ethernet-100g", "100 Gbit/s Ethernet, TCP", as_10g, 12.5e9),
    // Rate: [verbs]. Part of it that messages reach, half round trip: estimates.
    infiniband("infiniband-qdr", "InfiniBand QDR, 4 lanes", "payload, times: estimates", 4e9, 3.37e9,
               1.1 * microsecond),
    // [verbs], [RHEL], estimate.
    infiniband("infiniband-fdr", "InfiniBand FDR, 4 lanes", "payload: qperf in Red Hat's manual; times: estimates",
               4 * 14.0625e9 * 64 / 66 / 8, 6.19e9, 1.1 * microsecond),
    // [verbs], [HC], [HC].
    infiniband("infiniband-edr", "InfiniBand EDR, 4 lanes",
               "payload, half round trip: OSU benchmarks on Azure HC; send, receive: estimates", 12.5e9, 96.8e9 / 8,
               1.05 * microsecond),
    // [verbs], [HBv2], [HBv2].
    infiniband("infiniband-hdr", "InfiniBand HDR, 4 lanes",
               "payload, half round trip: OSU benchmarks on Azure HBv2; send, receive: estimates", 25e9, 190e9 / 8,
               1.2 * microsecond),
    // [verbs], then estimates: as HDR. Microsoft reports less than 2 us and 400 Gbit/s (HBv4-series performance, 2023).
    infiniband("infiniband-ndr", "InfiniBand NDR, 4 lanes", "payload, times: estimates, as HDR", 50e9, 2 * 190e9 / 8,
               1.2 * microsecond)};

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
