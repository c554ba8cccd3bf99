// SPDX-License-Identifier: MIT
//
// See kernel_keys.hpp.
#include "app/attach/kernel_keys.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr std::array model_keys = {"framing",       "switching", "cut_bytes", "switch_delay", "queue",
                                   "queue_packets", "lossless",  "buffer",    "xoff",         "xon",
                                   "loss",          "error",     "jitter",    "ecmp",         "seed"};
constexpr double default_min_rto_seconds = 0.2;
constexpr std::uint32_t mtu_least = 68, mtu_most = 65'521;  // of IPv4 (RFC 791), and of TAP devices

template <class Number>
std::optional<Number> whole(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> seconds_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !(value > 0)) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit.empty() || unit == "s") return value;
  if (unit == "ms") return value * 1e-3;
  if (unit == "us") return value * 1e-6;
  if (unit == "ns") return value * 1e-9;
  return std::nullopt;
}

Error wrong(std::string_view key, std::string_view value, std::string_view accepted) {
  return Error{fmt::format("--packet: {}: '{}' given; accepted: {}", key, value, accepted)};
}

class KeyReader {
 public:
  explicit KeyReader(double factor) : factor_(factor) {}

  std::optional<Error> take(std::string_view key, std::string_view value) {
    if (std::ranges::find(model_keys, key) != model_keys.end()) return pass_on(key, value);
    if (key == "mtu") return take_mtu(value);
    if (key == "ecn") {
      if (value != "0") set("ipv4/tcp_ecn", "1");
      return pass_on(key, value);
    }
    if (key == "congestion") {
      if (value == "none" || value == "dcqcn" || value.empty())
        return wrong(key, value, "reno, cubic, dctcp, bbr, ...");
      set("ipv4/tcp_congestion_control", value == "newreno" ? "reno" : std::string(value));
      return std::nullopt;
    }
    if (key == "sack") return take_switch(key, value, "ipv4/tcp_sack");
    if (key == "slow_start_after_idle") return take_switch(key, value, "ipv4/tcp_slow_start_after_idle");
    if (key == "min_rto") {
      const auto seconds = seconds_of(value);
      if (!seconds) return wrong(key, value, "a time above 0, in seconds or with s, ms, us, ns");
      set_min_rto(*seconds, true);
      return std::nullopt;
    }
    std::string accepted = "congestion, ecn, min_rto, mtu, sack, slow_start_after_idle";
    for (const char* name : model_keys) accepted += fmt::format(", {}", name);
    return Error{
        fmt::format("--packet: key '{}' has no meaning with the kernel's transport; accepted: {}", key, accepted)};
  }

  AttachedKeys finish() {
    if (!has_min_rto_ && factor_ > 1) set_min_rto(default_min_rto_seconds, false);
    keys_.model = "transport=raw" + keys_.model;
    return std::move(keys_);
  }

 private:
  std::optional<Error> pass_on(std::string_view key, std::string_view value) {
    keys_.model += fmt::format(",{}={}", key, value);
    return std::nullopt;
  }
  void set(const char* path, std::string value) { keys_.settings.push_back({path, std::move(value), true}); }
  void set_min_rto(double seconds, bool is_required) {
    has_min_rto_ = true;
    const auto microseconds = static_cast<std::int64_t>(std::llround(std::min(seconds * factor_, 120.0) * 1e6));
    keys_.settings.push_back({"ipv4/tcp_rto_min_us", std::to_string(microseconds), is_required});
  }
  std::optional<Error> take_mtu(std::string_view value) {
    const auto bytes = whole<std::uint32_t>(value);
    if (!bytes || *bytes < mtu_least || *bytes > mtu_most)
      return wrong("mtu", value, fmt::format("{} to {} bytes", mtu_least, mtu_most));
    keys_.mtu = *bytes;
    return pass_on("mtu", value);
  }
  std::optional<Error> take_switch(std::string_view key, std::string_view value, const char* path) {
    if (value != "0" && value != "1") return wrong(key, value, "0, 1");
    set(path, std::string(value));
    return std::nullopt;
  }

  double factor_;
  bool has_min_rto_ = false;
  AttachedKeys keys_;
};

}  // namespace

Result<AttachedKeys> split_keys(std::string_view text, double factor) {
  KeyReader reader(factor);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) return wrong("an item", item, "KEY=VALUE,...");
    if (const auto error = reader.take(item.substr(0, equals), item.substr(equals + 1))) return *error;
  }
  return reader.finish();
}

}  // namespace rehearse::app
