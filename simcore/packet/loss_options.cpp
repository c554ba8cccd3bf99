// SPDX-License-Identifier: MIT
//
// See simcore/packet_loss.hpp.
#include <charconv>
#include <regex>

#include "simcore/packet_loss.hpp"
#include "simcore/platform/units.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {
namespace {

constexpr std::string_view links_word = "links:";
constexpr double latest_window_seconds = 4e6;  // of a run

Result<TimePoint> date_in(std::string_view text) {
  const auto seconds = platform::parse_seconds(text);
  if (!seconds) return seconds.error();
  if (seconds.value() > latest_window_seconds)
    return Error{fmt::format("date '{}' is later than {:g} s", text, latest_window_seconds)};
  return TimePoint{} + Duration::from_seconds(seconds.value());
}

}  // namespace

Result<TimeWindow> parse_time_window(std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return Error{
        fmt::format("window '{}' given{}; accepted: FROM:TO in seconds, or with units, FROM before TO", text, why)};
  };
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return refuse("");
  const auto from = date_in(text.substr(0, colon)), to = date_in(text.substr(colon + 1));
  if (!from || !to) return refuse(": " + (from ? to : from).error().text);
  if (from.value() >= to.value()) return refuse("");
  return TimeWindow{from.value(), to.value()};
}

Result<PacketLoss> parse_packet_loss(const std::string& text) {
  const auto refuse = [&](std::string_view why) {
    return Error{fmt::format("'{}' given{}; accepted: HOST-HOST=PROBABILITY or links:REGEX=PROBABILITY, then @FROM:TO "
                             "for a time window",
                             text, why)};
  };
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) return refuse("");
  PacketLoss loss;
  loss.text = text;
  std::string_view value = std::string_view(text).substr(equals + 1);
  if (const std::size_t at = value.find('@'); at != std::string_view::npos) {
    const auto window = parse_time_window(value.substr(at + 1));
    if (!window) return Error{fmt::format("'{}': {}", text, window.error().text)};
    loss.window = window.value();
    value = value.substr(0, at);
  }
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), loss.probability);
  const bool is_number = error == std::errc{} && end == value.data() + value.size();
  if (!is_number || !(loss.probability >= 0) || loss.probability > 1)
    return refuse(fmt::format(": '{}' is no probability from 0 to 1", value));
  const std::string target = text.substr(0, equals);
  if (!target.starts_with(links_word)) {
    if (target.find('-') == std::string::npos) return refuse("");
    loss.hosts = target;
    return loss;
  }
  loss.links = target.substr(links_word.size());
  if (loss.links.empty()) return refuse(": it has no regular expression");
  try {
    const std::regex checked(loss.links);
  } catch (const std::regex_error& wrong) {
    return refuse(fmt::format(": regular expression: {}", wrong.what()));
  }
  return loss;
}

}  // namespace rehearse
