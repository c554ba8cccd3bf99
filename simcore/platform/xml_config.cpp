// SPDX-License-Identifier: MIT
//
// Platform files: settings of SimGrid.
//
// Kinds:  settings that choose models or their numbers become PlatformSettings. Settings that only choose how SimGrid
//         computes or prints are ignored. All others are refused, because they would change results.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "simcore/message_protocol.hpp"
#include "simcore/platform/units.hpp"
#include "simcore/platform/xml_loader.hpp"

namespace rehearse::platform {

namespace {

constexpr std::array harmless{"contexts/",
                              "tracing",
                              "debug/",
                              "precision/",
                              "surf/",
                              "cpu/optim",
                              "cpu/maxmin-",
                              "viva/",
                              "network/optim",
                              "network/maxmin-",
                              "disk/optim",
                              "maxmin/precision",
                              "verbose-exit",
                              "exception/",
                              "clean-atexit",
                              "path",
                              "network/coordinates",
                              "bmf/",
                              "host/optim"};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

constexpr double most_stripe_bytes = 1099511627776;  // 2^40

struct Setting {
  const Element& element;
  const std::string& key;
  const std::string& value;

  void refuse(const std::string& accepted) const {
    element.refuse("configuration '" + key + "' is '" + value + "'; accepted: " + accepted);
  }
  std::optional<double> number() const {
    double parsed = 0;
    const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), parsed);
    if (code == std::errc() && end == value.data() + value.size() && parsed >= 0 && std::isfinite(parsed))
      return parsed;
    refuse("a number that is not negative");
    return std::nullopt;
  }
};

void read_network_model(const Setting& setting, PlatformSettings& settings) {
  static constexpr std::array known{library_network,          std::string_view("lv08"), std::string_view("cm02"),
                                    std::string_view("smpi"), std::string_view("raw"),  std::string_view("constant")};
  const std::string name = lower(setting.value);
  if (name == "default") return;
  if (std::find(known.begin(), known.end(), name) == known.end())
    return setting.refuse(std::string(library_network) + ", LV08, CM02, SMPI, Raw, Constant");
  settings.network_model = name;
}

void read_host_model(const Setting& setting, PlatformSettings& settings) {
  const std::string name = lower(setting.value);
  if (name == "ptask_l07" || name == "ptask_bmf") {
    settings.parallel_tasks = true;
    if (name == "ptask_bmf") settings.sharing_solver = "bmf";
  } else if (name != "default" && name != "compound") {
    setting.refuse("default, compound, ptask_L07");
  }
}

void read_solver(const Setting& setting, PlatformSettings& settings) {
  const std::string name = lower(setting.value);
  if (name == "maxmin" || name == "bmf") settings.sharing_solver = name;
  else if (name == "fairbottleneck") settings.sharing_solver = "fair-bottleneck";
  else setting.refuse("maxmin, bmf, fairbottleneck");
}

// Whether the text is a number, or pieces `bound:factor;bound:factor`.
bool is_factor(const std::string& text) {
  for (const std::string_view piece : split(text, ";")) {
    for (const std::string_view part : split(piece, ":")) {
      double value = 0;
      const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), value);
      if (code != std::errc() || end != part.data() + part.size() || !(value >= 0) || !std::isfinite(value))
        return false;
    }
  }
  return true;
}

void read_factor(const Setting& setting, std::optional<std::string>& factor) {
  if (is_factor(setting.value)) factor = setting.value;
  else setting.refuse("a number, or pieces such as 0:0.8;1024:0.9");
}

void read_loopback(const Setting& setting, PlatformBuilder& builder) {
  if (setting.key == "network/loopback-lat") {
    auto seconds = parse_seconds(setting.value);
    if (!seconds) return setting.element.refuse("configuration: " + seconds.error().text);
    return builder.set_loopback_latency(seconds.value());
  }
  auto rate = parse_bytes_per_second(setting.value);
  if (!rate) return setting.element.refuse("configuration: " + rate.error().text);
  builder.set_loopback_bandwidth(rate.value());
}

void read_cross_traffic(const Setting& setting, PlatformSettings& settings) {
  const std::string word = lower(setting.value);
  for (const char* yes : {"1", "yes", "on", "true"})
    if (word == yes) settings.cross_traffic = true;
  for (const char* no : {"0", "no", "off", "false"})
    if (word == no) settings.cross_traffic = false;
  if (!settings.cross_traffic) setting.refuse("yes, no");
}

void read_cost(const Setting& setting, SizeCost& cost) {
  auto parsed = parse_size_cost(setting.value);
  if (!parsed) return setting.element.refuse("configuration '" + setting.key + "': " + parsed.error().text);
  cost = std::move(parsed.value());
}

void read_eager_limit(const Setting& setting, PlatformSettings& settings) {
  std::uint64_t bytes = 0;
  const auto [end, code] = std::from_chars(setting.value.data(), setting.value.data() + setting.value.size(), bytes);
  if (code != std::errc() || end != setting.value.data() + setting.value.size())
    return setting.refuse("bytes, a whole number from 0 on");
  settings.eager_bytes = bytes;
}

std::optional<std::uint64_t> read_stripe(const Setting& setting) {
  const std::optional<double> bytes = setting.number();
  const bool is_whole = bytes && *bytes >= 1 && *bytes <= most_stripe_bytes && *bytes == std::floor(*bytes);
  if (is_whole) return static_cast<std::uint64_t>(*bytes);
  if (bytes) setting.refuse("bytes, a whole number from 1 to 2^40");
  return std::nullopt;
}

// Settings of this project, which `rehearse calibrate` writes. False: it is none of them.
bool read_own_setting(const Setting& setting, PlatformSettings& settings) {
  const std::string& key = setting.key;
  if (key == "rehearse/envelope") settings.envelope_bytes = setting.number();
  else if (key == "rehearse/store-and-forward") settings.frame_bytes = setting.number();
  else if (key == "rehearse/transmit-queue") settings.transmit_queue_bytes = setting.number();
  else if (key == "rehearse/collectives") settings.collectives = setting.value;
  else if (key == "rehearse/file-system") settings.file_system = setting.value;
  else if (key == "rehearse/stripe-bytes") settings.stripe_bytes = read_stripe(setting);
  else if (key == "rehearse/calibrated") settings.calibrated = setting.value;
  else if (key == "rehearse/handshake") {
    if (setting.value == "answered") settings.handshake = Handshake::answered;
    else if (setting.value == "announced") settings.handshake = Handshake::announced;
    else setting.refuse("answered, announced");
  } else if (key == "rehearse/contention") {
    auto pieces = parse_contention(setting.value);
    if (pieces) settings.contention = std::move(pieces.value());
    else setting.element.refuse("configuration '" + key + "': " + pieces.error().text);
  } else {
    return false;
  }
  return true;
}

void read_setting(const Setting& setting, PlatformBuilder& builder) {
  PlatformSettings& settings = builder.settings();
  const std::string& key = setting.key;
  if (key == "network/model") return read_network_model(setting, settings);
  if (key == "host/model") return read_host_model(setting, settings);
  if (key == "host/solver" || key == "network/solver") return read_solver(setting, settings);
  if (key == "network/crosstraffic") return read_cross_traffic(setting, settings);
  if (read_own_setting(setting, settings)) return;
  if (key == "smpi/os") return read_cost(setting, settings.message_costs.send);
  if (key == "smpi/ois") return read_cost(setting, settings.message_costs.started_send);
  if (key == "smpi/or") return read_cost(setting, settings.message_costs.receive);
  if (key == "smpi/send-is-detached-thresh") return read_eager_limit(setting, settings);
  if (key == "network/TCP-gamma") settings.window_bytes = setting.number();
  else if (key == "network/weight-S") settings.weight_bytes = setting.number();
  else if (key == "network/latency-factor" || key == "smpi/lat-factor") read_factor(setting, settings.latency_factor);
  else if (key == "network/bandwidth-factor" || key == "smpi/bw-factor")
    read_factor(setting, settings.bandwidth_factor);
  else if (key == "network/loopback-bw" || key == "network/loopback-lat") read_loopback(setting, builder);
  else if (std::none_of(harmless.begin(), harmless.end(), [&](const char* prefix) { return key.starts_with(prefix); }))
    setting.element.refuse("configuration '" + key +
                           "' is not supported in a platform file; choose models with rehearse's "
                           "options. Accepted: network/model, network/crosstraffic, "
                           "network/TCP-gamma, network/weight-S, network/latency-factor, "
                           "network/bandwidth-factor, network/loopback-bw, network/loopback-lat, "
                           "network/solver, host/model, host/solver, smpi/os, smpi/ois, smpi/or, "
                           "smpi/send-is-detached-thresh, rehearse/handshake, rehearse/contention, "
                           "rehearse/envelope, rehearse/store-and-forward, rehearse/collectives, "
                           "rehearse/file-system, rehearse/stripe-bytes, "
                           "rehearse/calibrated, and settings without influence on results");
}

}  // namespace

void read_config(const Element& element, PlatformBuilder& builder) {
  element.check_attributes({"id"});
  for (const Element& prop : element.children()) {
    if (prop.tag() != "prop") return prop.refuse("<config> accepts only <prop>");
    prop.check_attributes({"id", "value"});
    const std::string key = prop.required("id");
    const std::string value = prop.required("value");
    read_setting({prop, key, value}, builder);
  }
}

}  // namespace rehearse::platform
