// SPDX-License-Identifier: MIT
//
// The numbers of the packet model: `--packet KEY=VALUE,...`, and those of single links in their property `packet`.
//
// Units:  bytes, seconds in the text, picoseconds here. Sizes may have a suffix (k, M, G, Ki, Mi, Gi, each with or
//         without B), dates and delays one of s, ms, us, ns.
// Errors: the key, the given value, the accepted values; the caller adds the place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/packet/losses.hpp"
#include "simcore/packet/packet.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::packet {

enum class Transport : std::uint8_t { tcp, window, raw, rdma };
enum class Lossless : std::uint8_t { off, credit, pfc };
enum class Congestion : std::uint8_t { reno, newreno, cubic, dctcp, none, dcqcn };
enum class ConnectionScope : std::uint8_t { rank, host, message };
enum class Arbitration : std::uint8_t { turns, fifo };

inline constexpr std::uint32_t rdma_packets_per_answer = 64;

struct Parameters {
  Transport transport = Transport::tcp;
  std::uint32_t mtu = 1500;
  std::uint32_t header = 52;
  std::uint32_t framing = 38;
  bool is_cut_through = false;
  std::uint32_t cut_bytes = 64;
  Picoseconds switch_delay = 0;
  std::uint64_t queue = 256 << 10;  // 0: no bound
  std::uint64_t queue_packets = 0;
  Lossless lossless = Lossless::off;
  std::uint64_t buffer = 64 << 10;
  std::uint64_t xoff = 64 << 10;
  std::uint64_t xon = 32 << 10;
  std::uint64_t ecn = 0;
  double loss = 0;         // of a packet
  double error = 0;        // of a bit
  Picoseconds jitter = 0;  // most by which a link holds a packet back
  std::uint64_t window = 4 << 20;
  std::uint32_t initial_window = 10;
  std::uint32_t delayed_ack = 2;
  Picoseconds delayed_ack_timeout = 40'000'000'000;
  Congestion congestion = Congestion::cubic;
  bool has_sack = true;
  Picoseconds min_rto = 200'000'000'000;
  bool connects = true;
  bool slow_start_after_idle = false;
  bool has_nagle = false;
  std::uint32_t streams = 1;  // of a connection
  ConnectionScope connections = ConnectionScope::rank;
  Arbitration arbitration = Arbitration::turns;
  bool has_ecmp = true;
  std::uint64_t seed = 1;

  // Bytes that a packet takes on the wire besides its payload.
  std::uint32_t overhead() const { return header + framing; }
  std::uint32_t payload() const { return transport == Transport::rdma ? mtu : mtu - header; }
  std::uint32_t full_packet() const { return payload() + overhead(); }
  bool is_lossless() const { return lossless != Lossless::off; }
};

// What a link has of its own.
struct LinkParameters {
  std::optional<std::uint64_t> queue;
  std::optional<std::uint64_t> queue_packets;
  std::optional<std::uint64_t> ecn;
  std::optional<double> loss;
  std::optional<double> error;
  std::optional<TimeWindow> loss_window;  // of `loss` and `error`
  std::optional<Picoseconds> jitter;
  std::vector<LossRule> rules;  // besides
};

// `seed`: if the text has none.
Result<Parameters> parse_parameters(std::string_view text, std::uint64_t seed = Parameters{}.seed);
// The first key of the text that is not in the list `KEY, KEY...`; empty: there is none. Requires: the text is valid.
std::string_view key_outside(std::string_view text, std::string_view list);
// Checks its queue against the size of packets.
Result<LinkParameters> parse_link_parameters(std::string_view text, const Parameters& all);

}  // namespace rehearse::packet
