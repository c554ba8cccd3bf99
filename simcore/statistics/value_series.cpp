// SPDX-License-Identifier: MIT
//
// See value_series.hpp.
#include "simcore/statistics/value_series.hpp"

#include <algorithm>

namespace rehearse::statistics {

void ValueSeries::pass(Picoseconds date) {
  if (date <= since_) return;
  if (!points_.empty()) points_.back().sum += static_cast<double>(date - since_) * value_;
  since_ = date;
}

// A merged point does not extend over a long time in which nothing changes.
void ValueSeries::end_merged(Picoseconds date) {
  if (points_.empty() || points_.back().least == points_.back().greatest) return;
  const Picoseconds end = std::max(points_.back().date + width_, since_);
  if (date - end <= width_) return;
  pass(end);
  points_.push_back({end, 0, value_, value_});
}

void ValueSeries::note(Picoseconds date, double value) {
  if (!points_.empty() && value == value_) return;
  end_merged(date);
  pass(std::max(date, since_));
  value_ = value;
  if (points_.empty()) {
    points_.push_back({since_, 0, value, value});
    return;
  }
  Point& last = points_.back();
  if (since_ == last.date) {  // the value before it held for no time
    last.least = last.greatest = value;
  } else if (since_ - last.date < width_) {
    last.least = std::min(last.least, value);
    last.greatest = std::max(last.greatest, value);
  } else {
    points_.push_back({since_, 0, value, value});
    if (points_.size() + 1 >= most_) merge();
  }
}

void ValueSeries::merge() {
  const Picoseconds span = points_.back().date - points_.front().date;
  width_ = std::max(2 * width_, span / (most_ / 2) + 1);
  std::size_t kept = 0;
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const Point& point = points_[i];
    Point& last = points_[kept];
    if (point.date - last.date >= width_) {
      points_[++kept] = point;
      continue;
    }
    last.sum += point.sum;
    last.least = std::min(last.least, point.least);
    last.greatest = std::max(last.greatest, point.greatest);
  }
  points_.resize(kept + 1);
}

std::vector<SeriesPoint> ValueSeries::finish(Picoseconds end) {
  std::vector<SeriesPoint> made;
  if (points_.empty()) return made;
  end_merged(end);
  pass(end);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point& point = points_[i];
    const Picoseconds until = i + 1 < points_.size() ? points_[i + 1].date : since_;
    const double time = static_cast<double>(until - point.date);
    const bool is_constant = point.least == point.greatest;
    const double value = is_constant || time <= 0 ? point.greatest : point.sum / time;
    made.push_back({static_cast<double>(point.date) * 1e-12, value, point.least, point.greatest});
  }
  const SeriesPoint final{static_cast<double>(since_) * 1e-12, value_, value_, value_};
  if (made.back().seconds < final.seconds) made.push_back(final);
  else made.back() = final;
  return made;
}

}  // namespace rehearse::statistics
