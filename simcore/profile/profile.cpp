// SPDX-License-Identifier: MIT
//
// Profiles as step functions of time: their integral over whole periods, and the walk through them.
//
// Source: normal random numbers by the method of Box and Muller (1958).
#include "simcore/profile.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "simcore/support/assert.hpp"

namespace rehearse {

namespace {

// Negative values drawn are skipped. After this many in sequence, the profile ends.
constexpr int skips_max = 10'000;

// Beyond this, dates are too far apart as numbers to distinguish cycles.
constexpr double drawn_date_max = 1e12;

bool is_before(double date, const ProfilePoint& point) { return date < point.date; }

}  // namespace

Profile::Profile(std::vector<ProfilePoint> points, double period) : points_(std::move(points)), period_(period) {
  REHEARSE_ASSERT(!points_.empty(), "a profile has points");
  REHEARSE_ASSERT(points_.front().date >= 0, "dates are not negative");
  REHEARSE_ASSERT(period_ == 0 || (period_ > 0 && period_ >= points_.back().date), "the points lie within the period");
  sums_.reserve(points_.size());
  sums_.push_back(0);
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const double length = points_[i].date - points_[i - 1].date;
    REHEARSE_ASSERT(length >= 0, "dates do not fall");
    sums_.push_back(sums_.back() + length * points_[i - 1].value);
  }
}

Profile::Profile(std::vector<ProfileStep> steps, bool repeats) : steps_(std::move(steps)), repeats_(repeats) {
  REHEARSE_ASSERT(!steps_.empty(), "a profile has steps");
}

double Profile::value_at(double date, double before) const {
  REHEARSE_ASSERT(!is_stochastic(), "a random profile has no value at a date");
  double offset = date;
  if (period_ > 0 && date >= period_) {
    before = points_.back().value;
    offset = date - std::floor(date / period_) * period_;
  }
  const auto behind = std::upper_bound(points_.begin(), points_.end(), offset, is_before);
  return behind == points_.begin() ? before : std::prev(behind)->value;
}

double Profile::next_change(double date) const {
  REHEARSE_ASSERT(!is_stochastic(), "a random profile has no next change");
  if (date > drawn_date_max) return never;
  double cycle = period_ > 0 && date > 0 ? std::floor(date / period_) : 0;
  while (true) {
    const auto behind =
        std::upper_bound(points_.begin(), points_.end(), date,
                         [&](double at, const ProfilePoint& point) { return at < cycle * period_ + point.date; });
    if (behind != points_.end()) return cycle * period_ + behind->date;
    if (period_ == 0) return never;
    ++cycle;
  }
}

// The integral from 0 to the offset, within one cycle.
double Profile::integral_in_cycle(double offset, double before) const {
  const auto behind = std::upper_bound(points_.begin(), points_.end(), offset, is_before);
  if (behind == points_.begin()) return offset * before;
  const auto last = static_cast<std::size_t>(behind - points_.begin()) - 1;
  return points_.front().date * before + sums_[last] + (offset - points_[last].date) * points_[last].value;
}

double Profile::integral_of_cycle(double before) const {
  return points_.front().date * before + sums_.back() + (period_ - points_.back().date) * points_.back().value;
}

double Profile::integral(double date, double before) const {
  REHEARSE_ASSERT(!is_stochastic(), "chance has no integral");
  if (period_ == 0 || date < period_) return integral_in_cycle(date, before);
  const double again = points_.back().value;
  const double cycles = std::floor(date / period_);
  return integral_of_cycle(before) + (cycles - 1) * integral_of_cycle(again) +
         integral_in_cycle(date - cycles * period_, again);
}

// Requires: the integral is reached within the cycle, or the last value continues forever.
double Profile::inverse_in_cycle(double integral, double before) const {
  if (integral <= 0) return 0;
  const double head = points_.front().date * before;
  if (integral <= head) return integral / before;
  const double rest = integral - head;
  // The first sum that is not smaller: the integral is reached between the previous point and this one.
  const auto reached = std::lower_bound(sums_.begin(), sums_.end(), rest);
  const auto last = static_cast<std::size_t>(reached - sums_.begin()) - 1;
  // The integral exceeds that of a cycle only by rounding.
  if (points_[last].value <= 0) return period_ > 0 ? points_[last].date : never;
  return points_[last].date + (rest - sums_[last]) / points_[last].value;
}

double Profile::inverse_integral(double integral, double before) const {
  REHEARSE_ASSERT(!is_stochastic(), "chance has no integral");
  const double first = integral_of_cycle(before);
  if (period_ == 0 || integral <= first) return inverse_in_cycle(integral, before);
  const double again = points_.back().value;
  const double each = integral_of_cycle(again);
  if (each <= 0) return never;
  double cycles = std::floor((integral - first) / each);
  double rest = integral - first - cycles * each;
  if (rest <= 0 && cycles > 0) {  // reached at or before the end of a cycle
    --cycles;
    rest = integral - first - cycles * each;
  }
  return (cycles + 1) * period_ + inverse_in_cycle(std::min(rest, each), again);
}

ProfileCursor::ProfileCursor(const Profile& profile, std::uint64_t seed) : profile_(&profile), random_(seed) {
  if (profile.is_stochastic()) draw();
  else {
    date_ = profile.points().front().date;
    value_ = profile.points().front().value;
  }
}

void ProfileCursor::pop() {
  if (date_ == Profile::never) return;
  if (profile_->is_stochastic()) return draw();
  const std::vector<ProfilePoint>& points = profile_->points();
  if (++index_ == points.size()) {
    index_ = 0;
    ++cycle_;
  }
  if (cycle_ > 0 && profile_->period() == 0) {
    date_ = Profile::never;
    return;
  }
  date_ = static_cast<double>(cycle_) * profile_->period() + points[index_].date;
  value_ = points[index_].value;
}

void ProfileCursor::draw() {
  const std::vector<ProfileStep>& steps = profile_->steps();
  for (int skips = 0; skips < skips_max; ++skips) {
    if (index_ == steps.size()) {
      if (!profile_->repeats()) break;
      index_ = 0;
    }
    date_ += std::max(0.0, draw(steps[index_].delay));
    value_ = draw(steps[index_].value);
    ++index_;
    if (value_ >= 0) return;
  }
  date_ = Profile::never;
}

double ProfileCursor::draw(const ProfileLaw& law) {
  switch (law.kind) {
    case ProfileLaw::Kind::constant: return law.first;
    case ProfileLaw::Kind::uniform: return law.first + random_.uniform() * (law.second - law.first);
    case ProfileLaw::Kind::exponential: return -std::log1p(-random_.uniform()) / law.first;
    case ProfileLaw::Kind::normal: break;
  }
  const double radius = std::sqrt(-2 * std::log1p(-random_.uniform()));
  return law.first + law.second * radius * std::cos(2 * std::numbers::pi * random_.uniform());
}

}  // namespace rehearse
