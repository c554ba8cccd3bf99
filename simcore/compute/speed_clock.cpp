// SPDX-License-Identifier: MIT
//
// Clocks of traces, and of random profiles, whose trace is drawn as far as needed.
#include "simcore/compute/speed_clock.hpp"

#include <algorithm>

#include "simcore/cost/profile_walk.hpp"

namespace rehearse::compute {

namespace {

using cost::date_of;
using cost::seconds_at;

class TraceClock final : public SpeedClock {
 public:
  explicit TraceClock(const Profile& profile) : profile_(profile) {}
  double integral(TimePoint date) const override { return profile_.integral(date.seconds(), 1); }
  TimePoint inverse(double integral) const override { return date_of(profile_.inverse_integral(integral, 1)); }
  double factor(TimePoint now) const override { return profile_.value_at(seconds_at(now), 1); }
  TimePoint next_change(TimePoint now) const override { return date_of(profile_.next_change(seconds_at(now))); }

 private:
  const Profile& profile_;
};

class ChanceClock final : public SpeedClock {
 public:
  ChanceClock(const Profile& profile, std::uint64_t seed) : cursor_(profile, seed) { pieces_.push_back({0, 0, 1}); }

  double integral(TimePoint date) const override {
    const double seconds = date.seconds();
    draw_until(seconds);
    const Piece& piece = piece_at(seconds);
    return piece.integral + (seconds - piece.begin) * piece.factor;
  }

  TimePoint inverse(double integral) const override {
    while (end_of_last() < integral && pieces_.size() < most_pieces) {
      if (cursor_.next_date() > horizon_seconds) break;
      draw();
    }
    if (end_of_last() < integral && cursor_.next_date() <= horizon_seconds) return sharing::never;
    auto piece =
        std::partition_point(pieces_.begin(), pieces_.end(), [&](const Piece& p) { return p.integral < integral; });
    if (piece == pieces_.begin()) return date_of(piece->begin);
    --piece;
    if (piece->factor <= 0) return sharing::never;  // the last one
    return date_of(piece->begin + (integral - piece->integral) / piece->factor);
  }

  double factor(TimePoint now) const override {
    draw_until(seconds_at(now));
    return piece_at(seconds_at(now)).factor;
  }

  TimePoint next_change(TimePoint now) const override {
    const double seconds = seconds_at(now);
    draw_until(seconds);
    const auto next = after(seconds);
    return date_of(next == pieces_.end() ? cursor_.next_date() : next->begin);
  }

  void forget(TimePoint before) override {
    const auto next = after(before.seconds());
    if (next - pieces_.begin() > 64) pieces_.erase(pieces_.begin(), std::prev(next));
  }

 private:
  static constexpr double horizon_seconds = 4.6e6;
  static constexpr std::size_t most_pieces = 10'000'000;  // afterwards it counts as infinite
  struct Piece {
    double begin = 0;
    double integral = 0;  // up to its begin
    double factor = 1;    // from its begin
  };

  std::vector<Piece>::iterator after(double seconds) const {
    return std::partition_point(pieces_.begin(), pieces_.end(),
                                [&](const Piece& piece) { return piece.begin <= seconds; });
  }
  const Piece& piece_at(double seconds) const {
    const auto next = after(seconds);
    return next == pieces_.begin() ? *next : *std::prev(next);
  }
  double integral_at(double seconds) const {
    const Piece& last = pieces_.back();
    return last.integral + (seconds - last.begin) * last.factor;
  }
  // The integral up to the end of the known pieces. Beyond the range of simulated time nothing changes.
  double end_of_last() const { return integral_at(std::min(cursor_.next_date(), horizon_seconds)); }
  void draw_until(double seconds) const {
    while (cursor_.next_date() <= seconds) draw();
  }
  void draw() const {
    const double begin = cursor_.next_date();
    pieces_.push_back({begin, integral_at(begin), cursor_.next_value()});
    cursor_.pop();
  }

  mutable ProfileCursor cursor_;
  mutable std::vector<Piece> pieces_;
};

}  // namespace

std::unique_ptr<SpeedClock> make_speed_clock(const Profile& profile, std::uint64_t seed) {
  if (profile.is_stochastic()) return std::make_unique<ChanceClock>(profile, seed);
  return std::make_unique<TraceClock>(profile);
}

}  // namespace rehearse::compute
