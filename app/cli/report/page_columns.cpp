// SPDX-License-Identifier: MIT
//
// Sorts, and numbers equal rows.
#include "app/cli/report/page_columns.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace rehearse::cli {
namespace {

// Numbers rows in the order of their first occurrence.
template <class Row>
class Rows {
 public:
  explicit Rows(std::vector<Row>& rows) : rows_(rows) {}
  std::uint32_t number(const Row& row) {
    const auto [known, is_new] = numbers_.try_emplace(row, static_cast<std::uint32_t>(rows_.size()));
    if (is_new) rows_.push_back(row);
    return known->second;
  }

 private:
  std::vector<Row>& rows_;
  std::map<Row, std::uint32_t> numbers_;
};

float as_float(Duration duration) { return static_cast<float>(duration.picoseconds); }

void add_intervals(PageColumns& columns, const app::Recording& recording) {
  const auto& intervals = recording.intervals;
  const auto ranks = static_cast<std::uint32_t>(recording.stops.size());
  columns.first.resize(ranks + 1);
  for (const app::Interval& interval : intervals) ++columns.first[interval.rank + 1];
  std::partial_sum(columns.first.begin(), columns.first.end(), columns.first.begin());
  std::vector<std::uint32_t> next(columns.first.begin(), columns.first.end() - 1);
  columns.new_number.resize(intervals.size());
  std::vector<std::uint32_t> order(intervals.size());
  for (std::uint32_t i = 0; i < intervals.size(); ++i) {  // those of a rank are already in the order of their dates
    columns.new_number[i] = next[intervals[i].rank]++;
    order[columns.new_number[i]] = i;
  }
  Rows kinds(columns.kinds);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const app::Interval& interval = intervals[order[i]];
    columns.begin.push_back(static_cast<double>(interval.begin.picoseconds));
    columns.duration.push_back(as_float(interval.end - interval.begin));
    columns.kind.push_back(
        kinds.number({interval.text, interval.place, interval.region, static_cast<std::uint32_t>(interval.doing)}));
    if (!recording.collectives.empty()) columns.collective.push_back(interval.collective);
    if (interval.is_open) columns.open.push_back(i);
    if (interval.times == 1) continue;
    columns.repeated.push_back(i);
    columns.times.push_back(interval.times);
  }
}

void add_messages(PageColumns& columns, const app::Recording& recording) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < recording.messages.size(); ++i)
    if (recording.messages[i].sender != app::none) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return recording.messages[i].sent; });
  Rows envelopes(columns.envelopes);
  for (const std::uint32_t i : order) {
    const app::RecordedMessage& message = recording.messages[i];
    columns.sender.push_back(columns.new_number[message.sender]);
    columns.receiver.push_back(message.receiver == app::none ? app::none : columns.new_number[message.receiver]);
    columns.envelope.push_back(
        envelopes.number({static_cast<double>(message.destination), static_cast<double>(message.tag),
                          static_cast<double>(message.context), static_cast<double>(message.bytes)}));
    columns.sent.push_back(static_cast<double>(message.sent.picoseconds));
    columns.flight.push_back(as_float(message.arrived - message.sent));
  }
}

}  // namespace

PageColumns columns_of(const app::Recording& recording) {
  PageColumns columns;
  add_intervals(columns, recording);
  add_messages(columns, recording);
  return columns;
}

}  // namespace rehearse::cli
