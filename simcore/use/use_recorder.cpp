// SPDX-License-Identifier: MIT
//
// Sums by slice, appended in the order of time.
#include "simcore/use_recorder.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace rehearse {
namespace {

void merge_pairs(std::vector<UseCell>& cells) {
  std::size_t kept = 0;
  for (const UseCell& cell : cells) {
    const std::uint32_t slice = cell.slice / 2;
    if (kept > 0 && cells[kept - 1].slice == slice) cells[kept - 1].amount += cell.amount;
    else cells[kept++] = {slice, cell.amount};
  }
  cells.resize(kept);
}

}  // namespace

double UseRow::total() const {
  return std::accumulate(cells.begin(), cells.end(), 0.0,
                         [](double sum, const UseCell& cell) { return sum + cell.amount; });
}

Category CategoryNames::number(std::string_view name) {
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  names_.emplace_back(name);
  return numbers_.emplace(name, static_cast<Category>(names_.size() - 1)).first->second;
}

UseRecorder::UseRecorder(const Platform& platform) : hosts_(platform.hosts().size()), links_(platform.links().size()) {
  plan({});
}

// The next sample is at the first end of a slice after the date.
void UseRecorder::plan(TimePoint after) { next_.picoseconds = (after.picoseconds / slice_ + 1) * slice_; }

void UseRecorder::reach(TimePoint date) { widen(date); }

void UseRecorder::sampled(TimePoint date) { plan(date); }

// Until the slices reach the date.
void UseRecorder::widen(TimePoint date) {
  if (date.picoseconds <= slice_ * slices_max) return;
  const TimePoint last{next_.picoseconds - slice_};  // sample, or the start
  while (date.picoseconds > slice_ * slices_max) {
    slice_ *= 2;
    for (std::vector<Subject>* subjects : {&hosts_, &links_})
      for (Subject& subject : *subjects)
        for (UseRow& row : subject.rows) merge_pairs(row.cells);
  }
  plan(last);
}

void UseRecorder::on_host_use(HostId host, Category category, double flops, TimePoint from) {
  add(hosts_, host.value, category, flops, from);
}

void UseRecorder::on_link_use(LinkId link, Category category, double bytes, TimePoint from) {
  add(links_, link.value, category, bytes, from);
}

void UseRecorder::add(std::vector<Subject>& subjects, std::uint32_t subject, Category category, double amount,
                      TimePoint from) {
  std::vector<UseRow>& rows = subjects[subject].rows;
  auto row = std::ranges::find(rows, category, &UseRow::category);
  if (row == rows.end()) row = rows.insert(row, {subject, category, {}});
  const auto slice = static_cast<std::uint32_t>(
      std::min<std::int64_t>(from.picoseconds / slice_, slices_max - 1));  // the rest of a sum, at the very end
  if (row->cells.empty() || row->cells.back().slice != slice) row->cells.push_back({slice, amount});
  else row->cells.back().amount += amount;
}

std::vector<UseRow> UseRecorder::rows_of(const std::vector<Subject>& subjects) {
  std::vector<UseRow> rows;
  for (const Subject& subject : subjects) {
    const std::size_t first = rows.size();
    rows.insert(rows.end(), subject.rows.begin(), subject.rows.end());
    std::ranges::sort(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(), {}, &UseRow::category);
  }
  return rows;
}

UseTable UseRecorder::finish(TimePoint end, const CategoryNames& categories) {
  widen(end);
  UseTable table;
  table.slices = static_cast<std::uint32_t>(std::max<std::int64_t>((end.picoseconds + slice_ - 1) / slice_, 1));
  table.slice = {slice_};
  table.end = end;
  table.categories = categories.names();
  table.hosts = rows_of(hosts_);
  table.links = rows_of(links_);
  // Nothing can begin at the end itself: such a cell has the rounding of a sum.
  for (std::vector<UseRow>* rows : {&table.hosts, &table.links})
    for (UseRow& row : *rows)
      if (row.cells.back().slice >= table.slices) {
        const UseCell last = row.cells.back();
        row.cells.pop_back();
        if (row.cells.empty() || row.cells.back().slice + 1 < table.slices)
          row.cells.push_back({table.slices - 1, last.amount});
        else row.cells.back().amount += last.amount;
      }
  return table;
}

}  // namespace rehearse
