// SPDX-License-Identifier: MIT
//
// See network_description.hpp.
#include "app/network_description.hpp"

#include <utility>

#include "app/machine.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

std::string text_of(const SizeCost& cost) {
  std::string text;
  for (const SizeCost::Piece& piece : cost.pieces)
    text += fmt::format("{}{:.10g}:{:.6g}:{:.6g}", text.empty() ? "" : ";", piece.from_bytes, piece.seconds,
                        piece.seconds_per_byte);
  return text.empty() ? "0:0:0" : text;
}

SettingOrigin origin_of(bool is_option, bool is_setting) {
  if (is_option) return SettingOrigin::option;
  return is_setting ? SettingOrigin::platform : SettingOrigin::model;
}

std::string words_of(SettingOrigin origin, const NetworkDescription& network) {
  switch (origin) {
    case SettingOrigin::option: return "option";
    case SettingOrigin::platform: return network.preset.empty() ? "platform" : "preset " + network.preset;
    case SettingOrigin::model: break;
  }
  return "default";
}

void add_protocol(const MachineOptions& options, const PlatformSettings& given, const MessageProtocol& protocol,
                  const std::string& algorithms, std::vector<NetworkSetting>& settings) {
  const auto add = [&](const char* name, std::string value, bool is_option, bool is_setting) {
    settings.push_back({name, std::move(value), origin_of(is_option, is_setting)});
  };
  const auto add_cost = [&](const char* name, SizeCost MessageCosts::*cost) {
    add(name, text_of(protocol.costs.*cost), !(options.protocol.costs.*cost).pieces.empty(),
        !(given.message_costs.*cost).pieces.empty());
  };
  add("eager", fmt::format("{}", protocol.eager_bytes), options.protocol.eager_bytes.has_value(),
      given.eager_bytes.has_value());
  add("handshake", protocol.handshake == Handshake::answered ? "answered" : "announced",
      options.protocol.handshake.has_value(), given.handshake.has_value());
  add_cost("os", &MessageCosts::send);
  add_cost("ois", &MessageCosts::started_send);
  add_cost("or", &MessageCosts::receive);
  add("collective-algorithms", algorithms, !options.collectives.empty(), given.collectives.has_value());
}

}  // namespace

NetworkDescription describe_network(const MachineOptions& options, const ModelOptions& models, const Platform& platform,
                                    const MessageProtocol& protocol, const std::string& algorithms,
                                    bool has_chosen_network) {
  const PlatformSettings& given = platform.settings();
  NetworkDescription network;
  network.model = network_model_name(models, platform);
  network.origin = origin_of(has_chosen_network, given.network_model || given.parallel_tasks.value_or(false));
  network.platform = platform.name();
  network.preset = given.preset;
  network.calibrated = given.calibrated;
  if (auto settings = network_settings(models, platform)) network.settings = std::move(settings.value());
  add_protocol(options, given, protocol, algorithms, network.settings);
  return network;
}

std::vector<std::string> lines_of(const NetworkDescription& network) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("network {} ({}), {}", network.model, words_of(network.origin, network),
                              network.calibrated ? "calibrated: " + *network.calibrated : "uncalibrated"));
  for (const NetworkSetting& setting : network.settings)
    lines.push_back(fmt::format("  {} {} ({})", setting.name, setting.value, words_of(setting.origin, network)));
  return lines;
}

Json to_json(const NetworkDescription& network) {
  const auto word = [](SettingOrigin origin) {
    return origin == SettingOrigin::option ? "option" : origin == SettingOrigin::platform ? "platform" : "default";
  };
  Json json = {{"name", network.model}, {"origin", word(network.origin)}, {"calibrated", nullptr}};
  if (network.calibrated) json["calibrated"] = *network.calibrated;
  if (!network.preset.empty()) json["preset"] = network.preset;
  json["settings"] = Json::array();
  for (const NetworkSetting& setting : network.settings)
    json["settings"].push_back({{"name", setting.name}, {"value", setting.value}, {"origin", word(setting.origin)}});
  return json;
}

}  // namespace rehearse::app
