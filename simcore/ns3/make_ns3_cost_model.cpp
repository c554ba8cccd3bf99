// SPDX-License-Identifier: MIT
//
// From the keys of `--packet` to the options of `rehearse-ns3`.
#include <algorithm>

#include "simcore/ns3/ns3_cost_model.hpp"
#include "simcore/packet/platform_links.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::ns3 {
namespace {

constexpr std::string_view accepted_keys =
    "transport, mtu, header, framing, switch_delay, queue, queue_packets, ecn, loss, error, window, initial_window, "
    "delayed_ack, delayed_ack_timeout, congestion, sack, min_rto, connections, ecmp, seed";
constexpr std::uint32_t header_with_timestamps = 52, header_without = 40, least_framing = 2;  // PPP

const char* name_of(packet::Congestion congestion) {
  switch (congestion) {
    case packet::Congestion::reno: return "reno";
    case packet::Congestion::newreno: return "newreno";
    case packet::Congestion::cubic: return "cubic";
    case packet::Congestion::dctcp: return "dctcp";
    default: return "";
  }
}

std::optional<Error> check(const packet::Parameters& all, std::string_view given) {
  if (const std::string_view key = packet::key_outside(given, accepted_keys); !key.empty())
    return Error{fmt::format("--packet: key '{}' given; network model ns3 accepts {}", key, accepted_keys)};
  const auto refuse = [](std::string_view what, std::string_view accepted) {
    return Error{fmt::format("--packet: {} given; network model ns3 accepts {}", what, accepted)};
  };
  if (all.transport != packet::Transport::tcp) return refuse("a transport other than tcp", "transport=tcp");
  if (all.congestion == packet::Congestion::none) return refuse("congestion=none", "reno, newreno, cubic, dctcp");
  if (all.header != header_with_timestamps && all.header != header_without)
    return refuse(fmt::format("header={}", all.header), "52 (TCP with timestamps), 40 (without)");
  if (all.framing < least_framing) return refuse(fmt::format("framing={}", all.framing), "2 (PPP) or more");
  if (all.window > packet::Parameters{}.window * 256)  // the scale of a window has 14 bits
    return refuse(fmt::format("window={}", all.window), "up to 1 GiB");
  return std::nullopt;
}

// Link parameters that ns-3's channels do not have.
std::optional<Error> check_own(const Platform& platform, const packet::PlatformLinks& links) {
  for (std::uint32_t i = 0; i < links.own.size(); ++i) {
    const char* key = links.own[i].jitter ? "jitter" : links.own[i].loss_window ? "loss_window" : nullptr;
    if (key != nullptr)
      return Error{fmt::format("platform {}: link '{}': property packet: key '{}' given; network model ns3 accepts "
                               "queue, queue_packets, ecn, loss, error",
                               platform.name(), platform.links()[i].name, key)};
  }
  return std::nullopt;
}

Hello hello_of(const packet::Parameters& all) {
  Hello hello;
  hello.segment_bytes = all.payload();
  hello.packet_bytes = all.mtu;
  hello.framing_bytes = all.framing;
  hello.window_bytes = static_cast<std::uint32_t>(all.window);
  hello.initial_window = all.initial_window;
  hello.delayed_ack = all.delayed_ack;
  hello.delayed_ack_timeout = all.delayed_ack_timeout;
  hello.min_rto = all.min_rto;
  hello.switch_delay = all.switch_delay;
  hello.seed = all.seed;
  hello.congestion = name_of(all.congestion);
  hello.has_sack = all.has_sack;
  hello.has_timestamps = all.header == header_with_timestamps;
  return hello;
}

}  // namespace

Result<std::unique_ptr<CostModel>> make_ns3_cost_model(const ModelOptions& options, const Platform& platform,
                                                       std::unique_ptr<CostModel> others) {
  auto parameters = packet::parse_parameters(options.packet, options.packet_seed);
  if (!parameters) return Error{"--packet: " + parameters.error().text};
  if (const auto error = check(parameters.value(), options.packet)) return *error;
  auto links = packet::read_links(platform, parameters.value(), "ns3");
  if (!links) return links.error();
  if (const auto error = check_own(platform, links.value())) return *error;
  auto process = SimulatorProcess::start(hello_of(parameters.value()));
  if (!process) return process.error();
  process.value()->stop_when(options.stop);
  if (options.on_progress)
    process.value()->on_progress([call = options.on_progress](std::int64_t date) { call(TimePoint{date}); });
  auto model = std::make_unique<Ns3CostModel>(platform, std::move(others), parameters.value(),
                                              std::move(links.value().own), options.changes, links.value().has_profiles,
                                              std::move(process.value()));
  return std::unique_ptr<CostModel>(std::move(model));
}

}  // namespace rehearse::ns3
