// SPDX-License-Identifier: MIT
//
// Tables of costs by size: how they are read from text and looked up.
#include "simcore/message_costs.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace rehearse {
namespace {

constexpr double longest_seconds = 4e6;  // inside the range of simulated time

// A number that is not negative, up to `end` or the end of the text; moves `at` behind it.
std::optional<double> take_number(const std::string& text, std::size_t& at, char end) {
  const std::size_t stop = std::min(text.find(end, at), text.size());
  double value = 0;
  const char* last = text.data() + stop;
  const auto [rest, error] = std::from_chars(text.data() + at, last, value);
  at = std::min(stop + 1, text.size());
  if (error != std::errc{} || rest != last || !(value >= 0) || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

Duration SizeCost::of_piece(std::uint64_t bytes) const {
  const auto size = static_cast<double>(bytes);
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece)
    if (size >= piece->from_bytes)
      return Duration::from_seconds(std::min(piece->seconds + piece->seconds_per_byte * size, longest_seconds));
  return {};
}

Result<SizeCost> parse_size_cost(const std::string& text) {
  const Error bad{"'" + text +
                  "' given; accepted: BYTES:SECONDS:SECONDS_PER_BYTE, more of them behind ';' by rising BYTES"};
  SizeCost cost;
  for (std::size_t at = 0; at < text.size();) {
    const auto from = take_number(text, at, ':');
    const auto seconds = take_number(text, at, ':');
    const auto per_byte = take_number(text, at, ';');
    if (!from || !seconds || !per_byte || *seconds > 1e6 || *per_byte > 1) return bad;
    if (!cost.pieces.empty() && cost.pieces.back().from_bytes >= *from) return bad;
    cost.pieces.push_back({*from, *seconds, *per_byte});
  }
  if (cost.pieces.empty()) return bad;
  return cost;
}

}  // namespace rehearse
