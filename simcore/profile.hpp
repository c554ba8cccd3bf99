// SPDX-License-Identifier: MIT
//
// The changes of a quantity of a host or link over time: a trace, or random laws.
//
// Meaning: speed: a factor of the host's speed. state: 0 is off, anything greater is on. bandwidth:
//          bytes per second. latency: seconds. Before the first point the quantity keeps the value of
//          its owner (`before` below; 1 for factors); from each point's date on it has its value.
// Periods: points() is one cycle; with a period the cycle k has the dates k * period() + date.
// Units:   dates in seconds from the start of the run.
// Errors:  parse_profile: place, the text found, the accepted forms.
// Threads: a Profile does not change; a ProfileCursor belongs to one simulation.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/support/random.hpp"
#include "simcore/support/result.hpp"

namespace rehearse {

struct ProfilePoint {
  double date = 0;
  double value = 0;
};

// A random law for one number.
struct ProfileLaw {
  enum class Kind : std::uint8_t { constant, normal, uniform, exponential };
  Kind kind = Kind::constant;
  double first = 0;   // constant: the value; normal: mean; uniform: lower end; exponential: rate
  double second = 0;  // normal: standard deviation; uniform: upper end
};

// A value after a delay.
struct ProfileStep {
  ProfileLaw delay;
  ProfileLaw value;
};

class Profile {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();

  // Requires at least one point, non-decreasing dates, and values >= 0. period: 0 if the trace does not repeat;
  // otherwise > 0 and >= the last date.
  explicit Profile(std::vector<ProfilePoint> points, double period = 0);

  // Steps are taken in order, repeatedly if `repeats`. Requires at least one step, and a delay
  // that can be greater than 0 if it repeats.
  Profile(std::vector<ProfileStep> steps, bool repeats);

  bool is_stochastic() const { return !steps_.empty(); }
  const std::vector<ProfilePoint>& points() const { return points_; }
  const std::vector<ProfileStep>& steps() const { return steps_; }
  double period() const { return period_; }  // 0: does not repeat
  bool repeats() const { return repeats_; }

  // The following require a profile that is not stochastic; they cost O(log points).
  double value_at(double date, double before) const;
  double next_change(double date) const;  // the first date of a point after `date`, or never
  // The integral of the value from 0 to the date, and its inverse: the first date at which the integral is reached
  // (never if it is not). With them, work at a varying speed needs no event for each change.
  double integral(double date, double before) const;
  double inverse_integral(double integral, double before) const;

 private:
  double integral_in_cycle(double offset, double before) const;
  double inverse_in_cycle(double integral, double before) const;
  double integral_of_cycle(double before) const;
  std::vector<ProfilePoint> points_;
  std::vector<double> sums_;  // integral from the first point to point i
  std::vector<ProfileStep> steps_;
  double period_ = 0;
  bool repeats_ = false;
};

// Walks through the points of a profile in the order of their dates. Equal seeds give equal walks.
class ProfileCursor {
 public:
  ProfileCursor(const Profile& profile, std::uint64_t seed);

  double next_date() const { return date_; }    // Profile::never after the last point
  double next_value() const { return value_; }  // at next_date()
  void pop();

 private:
  void draw();
  double draw(const ProfileLaw& law);

  const Profile* profile_;
  SplitMix random_;
  std::uint64_t cycle_ = 0;
  std::size_t index_ = 0;
  double date_ = 0;
  double value_ = 0;
};

// Reads lines `date value`, comments behind # or %, and PERIODICITY p, LOOPAFTER d, STOCHASTIC [LOOP]
// (then lines `date-law value-law` of DET x, NORM m s, UNIF a b, EXP rate). A periodicity
// greater than 0 applies to the whole text. Negative values are skipped.
Result<Profile> parse_profile(std::string_view text, const std::string& file, int first_line, double periodicity);

// The same from a file, whose name the error gives.
Result<Profile> read_profile(const std::string& file, double periodicity);

}  // namespace rehearse
