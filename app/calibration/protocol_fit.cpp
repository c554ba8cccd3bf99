// SPDX-License-Identifier: MIT
//
// See protocol_fit.hpp.
#include "app/calibration/protocol_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr double never_waits = std::numeric_limits<double>::infinity();
constexpr double negligible_part = 1e-3;  // of a half round trip
constexpr double most_part = 0.5;         // likewise
constexpr std::size_t overhead_segments = 4;
constexpr double overhead_noise_floor = 0.02;

double clock_read(const Measurements& all, Statistic statistic) {
  const std::vector<SizePoint> points = size_points(all, "wtime", statistic);
  return points.empty() ? 0 : points.front().seconds;
}

double time_at(const std::vector<SizePoint>& points, double bytes) {
  double time = points.empty() ? 0 : points.front().seconds;
  for (const SizePoint& point : points)
    if (point.bytes <= bytes) time = point.seconds;
  return time;
}

std::vector<SizeCost::Piece> overhead_pieces(const std::vector<SizePoint>& points, double up_to, double clock,
                                             const std::vector<SizePoint>& half_round_trips, bool& is_no_overhead) {
  std::vector<FitPoint> fit_points;
  bool is_negligible = true;
  std::vector<double> parts;
  for (const SizePoint& point : points) {
    if (point.bytes > up_to) continue;
    const double seconds = std::max(point.seconds - clock, 0.0);
    const double trip = time_at(half_round_trips, point.bytes);
    if (seconds > negligible_part * trip) is_negligible = false;
    parts.push_back(trip > 0 ? seconds / trip : 0);
    // Errors count relative to the overhead, but not those below a hundredth of the message's time.
    fit_points.push_back({point.bytes, seconds, std::max({seconds, 0.01 * trip, 1e-12})});
  }
  std::vector<SizeCost::Piece> pieces;
  if (is_negligible || fit_points.empty()) return pieces;
  if (quantile(parts, 0.5) > most_part) {
    is_no_overhead = true;
    return pieces;
  }
  FitOptions options;
  options.segments_max = overhead_segments;
  options.noise_floor = overhead_noise_floor;
  for (const LinePiece& line : fit_segments(fit_points, options).pieces)
    pieces.push_back({pieces.empty() ? 0 : line.above_bytes + 1, line.intercept, line.slope});
  return pieces;
}

}  // namespace

Result<EagerThreshold> find_eager_threshold(const Measurements& all) {
  EagerThreshold found{-1, never_waits, 0, {}};
  struct Votes {
    std::size_t waiting = 0, all = 0;
  };
  std::map<double, Votes> votes;
  for (const auto& [measured, seconds] : all.seconds) {
    if (measured.test != "late_send") continue;
    const auto delays = all.seconds.find({"late_delay", measured.ranks, measured.bytes});
    if (delays == all.seconds.end()) continue;
    Votes& vote = votes[static_cast<double>(measured.bytes)];
    for (std::size_t i = 0; i < seconds.size() && i < delays->second.size(); ++i) {
      vote.waiting += seconds[i] > delays->second[i] / 2;
      ++vote.all;
    }
  }
  if (votes.empty()) return Error{"no measurements of late_send; accepted: the output of calibrate.c"};
  // The division of the sizes with the fewest votes on the wrong side.
  std::size_t wrong = 0;
  for (const auto& [bytes, vote] : votes) wrong += vote.all - vote.waiting;  // all sizes wait
  std::size_t least_wrong = wrong;
  found.least_waiting = votes.begin()->first;
  for (auto each = votes.begin(); each != votes.end(); ++each) {
    const auto& [bytes, vote] = *each;
    found.largest_measured = bytes;
    wrong = wrong + vote.waiting - (vote.all - vote.waiting);
    if (wrong > least_wrong) continue;
    least_wrong = wrong;
    found.largest_eager = bytes;
    found.least_waiting = std::next(each) == votes.end() ? never_waits : std::next(each)->first;
  }
  for (const auto& [bytes, vote] : votes) {
    const bool waits = bytes > found.largest_eager;
    if (waits ? vote.waiting < vote.all : vote.waiting > 0) found.contradictory.push_back(bytes);
  }
  if (found.least_waiting == never_waits) found.largest_eager = never_waits;
  if (found.largest_eager < 0) found.largest_eager = 0;  // an empty message is eager in the model
  return found;
}

MessageOverheads fit_overheads(const Measurements& all, Statistic statistic, double eager_bytes,
                               const std::vector<SizePoint>& half_round_trips) {
  const double clock = clock_read(all, statistic);
  MessageOverheads found;
  const auto pieces = [&](const char* test, double up_to) {
    bool is_no_overhead = false;
    auto fitted = overhead_pieces(size_points(all, test, statistic), up_to, clock, half_round_trips, is_no_overhead);
    if (is_no_overhead) found.refused.emplace_back(test);
    return fitted;
  };
  found.send = pieces("send", eager_bytes);
  found.started_send = pieces("isend", never_waits);
  found.receive = pieces("recv", eager_bytes);
  // Above the threshold a blocking send waits for its receive, and only the constant part is an overhead.
  if (!found.send.empty() && std::isfinite(eager_bytes))
    found.send.push_back({eager_bytes + 1, cost_at(found.send, 0), 0});
  return found;
}

Handshake find_handshake(const std::vector<SizePoint>& half_round_trips, double eager_bytes) {
  if (!std::isfinite(eager_bytes) || half_round_trips.empty()) return Handshake::answered;
  std::vector<FitPoint> points;
  for (const SizePoint& point : half_round_trips) points.push_back({point.bytes, point.seconds, point.seconds});
  FitOptions options;
  options.boundaries = {eager_bytes};
  const SegmentedFit fit = fit_segments(points, options);
  // Two empty messages and the latency of the data must find room in the constant part.
  const double constant = fit.piece(eager_bytes + 1).intercept, empty = half_round_trips.front().seconds;
  return constant < 2.25 * empty ? Handshake::announced : Handshake::answered;
}

}  // namespace rehearse::app
