// SPDX-License-Identifier: MIT
//
// Tables of contention: how they are read from text and looked up.
#include "simcore/network/library_parameters.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace rehearse {

Result<std::vector<ContentionPiece>> parse_contention(const std::string& text) {
  const auto bad = [&](const std::string& what) {
    return Error{"contention '" + text + "': " + what +
                 "; accepted: FLOWS:FACTOR;FLOWS:FACTOR;... with rising whole numbers of flows from 1 on, and factors "
                 "greater than 0 and at most 1"};
  };
  const auto read = [](std::string_view part, auto& value) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc{} && end == part.data() + part.size();
  };
  std::vector<ContentionPiece> pieces;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    const std::string_view piece = std::string_view(text).substr(at, end - at);
    const std::string shown = "'" + std::string(piece) + "'";
    at = end + 1;
    const std::size_t colon = std::min(piece.find(':'), piece.size());
    ContentionPiece read_piece;
    if (!read(piece.substr(0, colon), read_piece.flows) || read_piece.flows == 0)
      return bad(shown + " has no number of flows");
    if (colon == piece.size() || !read(piece.substr(colon + 1), read_piece.factor) || !(read_piece.factor > 0) ||
        !(read_piece.factor <= 1))
      return bad(shown + " has no factor from 0 to 1");
    if (read_piece.flows == 1 && read_piece.factor != 1) return bad("the factor of 1 flow is not 1");
    if (!pieces.empty() && pieces.back().flows >= read_piece.flows)
      return bad("the number of " + shown + " is not above the one before");
    pieces.push_back(read_piece);
  }
  if (pieces.empty()) return bad("there is none");
  return pieces;
}

namespace network {

MessageCosts library_message_costs() {
  MessageCosts costs;
  costs.send.pieces = {{0, 8.75e-6, 7.1e-10}, {1420, 1.39e-5, 2.18e-10}};
  costs.started_send = costs.send;
  costs.receive.pieces = {{0, 9.31e-6, 7.92e-10}, {1420, 1.43e-5, 8.67e-10}};
  return costs;
}

double contention_factor(const std::vector<ContentionPiece>& pieces, std::uint32_t flows) {
  const auto next =
      std::upper_bound(pieces.begin(), pieces.end(), flows,
                       [](std::uint32_t count, const ContentionPiece& piece) { return count < piece.flows; });
  return next == pieces.begin() ? 1.0 : std::prev(next)->factor;
}

}  // namespace network
}  // namespace rehearse
