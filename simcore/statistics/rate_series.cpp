// SPDX-License-Identifier: MIT
//
// See rate_series.hpp.
#include "simcore/statistics/rate_series.hpp"

#include <algorithm>

namespace rehearse::statistics {

void RateSeries::double_width() {
  width_ *= 2;
  for (std::size_t i = 0; i < bytes_.size(); i += 2)
    bytes_[i / 2] = bytes_[i] + (i + 1 < bytes_.size() ? bytes_[i + 1] : 0);
  bytes_.resize((bytes_.size() + 1) / 2);
}

void RateSeries::widen(Picoseconds width, Picoseconds date) {
  while (width_ < width || date > width_ * most_) double_width();
}

void RateSeries::add(Picoseconds from, Picoseconds until, double bytes) {
  until = std::max(until, from + 1);
  widen(width_, until);
  const auto last = static_cast<std::size_t>((until - 1) / width_);
  if (last >= bytes_.size()) bytes_.resize(last + 1);
  const double rate = bytes / static_cast<double>(until - from);
  while (from < until) {
    const Picoseconds slice = from / width_;
    const Picoseconds end = std::min(until, (slice + 1) * width_);
    bytes_[static_cast<std::size_t>(slice)] += rate * static_cast<double>(end - from);
    from = end;
  }
}

std::vector<float> RateSeries::rates(Picoseconds end) const {
  const auto slices = static_cast<std::size_t>(std::max<Picoseconds>((end + width_ - 1) / width_, 1));
  std::vector<float> made;
  for (std::size_t i = 0; i < slices; ++i)
    made.push_back(static_cast<float>(i < bytes_.size() ? bytes_[i] / (static_cast<double>(width_) * 1e-12) : 0));
  return made;
}

std::vector<SeriesPoint> RateSeries::finish(Picoseconds end) {
  widen(width_, end + width_);  // room for the last point
  std::vector<float> all = rates(end);
  const Picoseconds last_begin = static_cast<Picoseconds>(all.size() - 1) * width_;
  if (end > last_begin) all.back() *= static_cast<float>(width_) / static_cast<float>(end - last_begin);
  std::vector<SeriesPoint> made;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (made.empty() || made.back().value != all[i])
      made.push_back({static_cast<double>(i) * static_cast<double>(width_) * 1e-12, all[i], all[i], all[i]});
  const double last = all.back();
  if (made.back().seconds < static_cast<double>(end) * 1e-12)
    made.push_back({static_cast<double>(end) * 1e-12, last, last, last});
  return made;
}

}  // namespace rehearse::statistics
