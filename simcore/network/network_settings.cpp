// SPDX-License-Identifier: MIT
//
// The numbers of a network model as words, with their origins.
#include <utility>

#include "simcore/cost_model.hpp"
#include "simcore/network/network_parameters.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {
namespace {

std::string words_of(const std::vector<FactorPiece>& pieces) {
  if (pieces.empty()) return "1";
  if (pieces.size() == 1 && pieces[0].above_bytes < 0) return fmt::format("{:.6g}", pieces[0].factor);
  std::string text;
  for (const FactorPiece& piece : pieces)
    text += fmt::format("{}{:.10g}:{:.6g}", text.empty() ? "" : ";", piece.above_bytes, piece.factor);
  return text;
}

std::string words_of(const std::vector<ContentionPiece>& pieces) {
  std::string text;
  for (const ContentionPiece& piece : pieces)
    text += fmt::format("{}{}:{:.6g}", text.empty() ? "" : ";", piece.flows, piece.factor);
  return text.empty() ? "1:1" : text;
}

SettingOrigin origin_of(bool is_option, bool is_setting) {
  if (is_option) return SettingOrigin::option;
  return is_setting ? SettingOrigin::platform : SettingOrigin::model;
}

}  // namespace

Result<std::vector<NetworkSetting>> network_settings(const ModelOptions& options, const Platform& platform) {
  auto made = network::make_network_parameters(options, platform);
  if (!made) return made.error();
  const network::NetworkParameters& network = made.value();
  const PlatformSettings& given = platform.settings();
  std::vector<NetworkSetting> settings;
  if (network.kind != network::NetworkKind::fluid || network.name == "packet" || network.name == "ns3") return settings;
  const auto add = [&](const char* name, std::string value, bool is_option, bool is_setting) {
    settings.push_back({name, std::move(value), origin_of(is_option, is_setting)});
  };
  const auto number = [](double value) { return fmt::format("{:.6g}", value); };
  add("latency-factor", words_of(network.latency_pieces), !options.latency_factors.empty(),
      given.latency_factor.has_value());
  add("bandwidth-factor", words_of(network.bandwidth_pieces), !options.bandwidth_factors.empty(),
      given.bandwidth_factor.has_value());
  add("cross-traffic", number(network.cross_traffic), options.cross_traffic.has_value(),
      given.cross_traffic.has_value());
  add("tcp-window", number(network.window_bytes), options.window_bytes.has_value(), given.window_bytes.has_value());
  add("flow-weight", number(network.weight_bytes), options.weight_bytes.has_value(), given.weight_bytes.has_value());
  if (!network.has_connections) return settings;
  add("envelope", number(network.envelope_bytes), options.envelope_bytes.has_value(), given.envelope_bytes.has_value());
  add("store-and-forward", number(network.frame_bytes), options.frame_bytes.has_value(), given.frame_bytes.has_value());
  add("transmit-queue", number(network.transmit_queue_bytes), options.transmit_queue_bytes.has_value(),
      given.transmit_queue_bytes.has_value());
  add("contention-factor", words_of(network.contention), !options.contention.empty(), !given.contention.empty());
  return settings;
}

}  // namespace rehearse
