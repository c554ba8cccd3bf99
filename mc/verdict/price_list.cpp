// SPDX-License-Identifier: MIT
//
// Extremes and the histogram.
#include "mc/verdict/price_list.hpp"

#include <algorithm>

#include "mc/records/bytes.hpp"

namespace rehearse::mc::verdict {

namespace {

Schedule read_schedule(records::Reader& from) {
  auto schedule = parse_schedule(std::string(from.text()));
  if (schedule) return std::move(schedule.value());
  from.fail();
  return {};
}

}  // namespace

void PriceList::add(const Tag& tag) {
  if (!tag.cost) {
    ++(tag.failed ? failed_ : without_);
    return;
  }
  if (costs_.empty() || *tag.cost < least_.cost) least_ = {*tag.cost, tag.schedule};
  if (costs_.empty() || *tag.cost > most_.cost) most_ = {*tag.cost, tag.schedule};
  costs_.push_back(*tag.cost);
}

std::optional<Costs> PriceList::costs() const {
  if (costs_.empty() && without_ == 0 && failed_ == 0) return std::nullopt;
  Costs all{least_, most_, costs_.size(), without_, failed_, {}};
  if (costs_.empty()) return all;
  const double width = (most_.cost - least_.cost) / parts;
  all.histogram.resize(width > 0 ? parts : 1);
  for (const double cost : costs_) {
    const double part = width > 0 ? (cost - least_.cost) / width : 0;
    ++all.histogram[std::min(static_cast<std::size_t>(part), all.histogram.size() - 1)];
  }
  return all;
}

void PriceList::save(records::Writer& to) const {
  to.number(without_);
  to.number(failed_);
  to.text(to_text(least_.schedule));
  to.text(to_text(most_.schedule));
  to.number(costs_.size());
  for (const double cost : costs_) to.plain(cost);
}

void PriceList::load(records::Reader& from) {
  without_ = from.number();
  failed_ = from.number();
  least_.schedule = read_schedule(from);
  most_.schedule = read_schedule(from);
  costs_.resize(from.count());
  for (double& cost : costs_) cost = from.plain<double>();
  if (costs_.empty()) return;
  const auto [least, most] = std::ranges::minmax(costs_);
  least_.cost = least;
  most_.cost = most;
}

void put(records::Writer& to, const Tag& tag) {
  to.number(tag.cost.has_value());
  if (!tag.cost) return to.number(tag.failed);
  to.plain(*tag.cost);
  to.text(to_text(tag.schedule));
}

void get(records::Reader& from, Tag& tag) {
  tag = {};
  if (from.number() == 0) {
    tag.failed = from.number() != 0;
    return;
  }
  tag.cost = from.plain<double>();
  tag.schedule = read_schedule(from);
}

}  // namespace rehearse::mc::verdict
