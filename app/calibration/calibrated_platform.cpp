// SPDX-License-Identifier: MIT
//
// See calibrated_platform.hpp.
#include "app/calibration/calibrated_platform.hpp"

#include <cmath>

#include "app/calibration/calibrated_network.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

// Without pieces, the network model would have its default.
std::string text_of_cost(const std::vector<SizeCost::Piece>& pieces) {
  return pieces.empty() ? "0:0:0" : text_of(pieces);
}

// A message that is never announced has no threshold; the format wants a number.
std::string text_of_threshold(double bytes) {
  return std::isfinite(bytes) ? fmt::format("{:.0f}", bytes) : std::string("9223372036854775807");
}

}  // namespace

std::string xml_attribute(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '"') out += "&quot;";
    else out += c;
  }
  return out;
}

PlatformSettingTexts settings_of(const CalibratedNetwork& network) {
  const MessageModel& model = network.model;
  constexpr double acknowledgements = 0.025;  // half of the 5 % that the setting stands for
  PlatformSettingTexts settings = {{"network/model", calibrated_network},
                                   {"network/latency-factor", latency_factors_of(model)},
                                   {"network/bandwidth-factor", bandwidth_factors_of(model)},
                                   {"network/crosstraffic",
                                    network.cross_traffic.value_or(0) > acknowledgements ? "yes" : "no"},
                                   {"network/TCP-gamma", "0"},
                                   {"network/weight-S", "0"}};
  if (network.loopback) {
    settings.emplace_back("network/loopback-bw", fmt::format("{:.6g}Bps", network.loopback->bandwidth));
    settings.emplace_back("network/loopback-lat", fmt::format("{:.6g}s", network.loopback->latency));
  }
  settings.emplace_back("smpi/os", text_of_cost(model.send));
  settings.emplace_back("smpi/ois", text_of_cost(model.started_send));
  settings.emplace_back("smpi/or", text_of_cost(model.receive));
  settings.emplace_back("smpi/send-is-detached-thresh", text_of_threshold(model.eager_bytes));
  settings.emplace_back("rehearse/handshake", model.handshake == Handshake::answered ? "answered" : "announced");
  settings.emplace_back("rehearse/contention", text_of(network.contention));
  settings.emplace_back("rehearse/envelope", fmt::format("{:.6g}", model.envelope_bytes));
  settings.emplace_back("rehearse/store-and-forward", fmt::format("{:.0f}", model.frame_bytes));
  settings.emplace_back("rehearse/transmit-queue", fmt::format("{:.0f}", calibrated_transmit_queue_bytes));
  settings.emplace_back("rehearse/calibrated", network.about);
  return settings;
}

std::string star_with_settings(const StarShape& shape, const CalibratedNetwork& network) {
  std::string text = "<?xml version=\"1.0\"?>\n"
                     "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                     "<platform version=\"4.1\">\n"
                     "  <config id=\"General\">\n";
  for (const auto& [key, value] : settings_of(network))
    text += fmt::format("    <prop id=\"{}\" value=\"{}\"/>\n", key, xml_attribute(value));
  text += "  </config>\n";
  std::string loopback;
  if (network.loopback)
    loopback = fmt::format(" loopback_bw=\"{:.6g}Bps\" loopback_lat=\"{:.6g}s\"", network.loopback->bandwidth,
                           network.loopback->latency);
  text += fmt::format(
      "  <cluster id=\"calibrated\" prefix=\"node-\" suffix=\"\" radical=\"0-{}\" speed=\"{:.6g}f\" core=\"{}\"\n"
      "           bw=\"{:.6g}Bps\" lat=\"{:.6g}s\"{}/>\n</platform>\n",
      shape.nodes - 1, shape.flops_per_second, shape.cores, network.model.bandwidth, network.model.latency / 2,
      loopback);
  return text;
}

}  // namespace rehearse::app
