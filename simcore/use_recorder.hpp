// SPDX-License-Identifier: MIT
//
// Records the work of hosts and links by slice of time and category.
//
// Slices:   at most `slices_max`. When the run exceeds them, each two become one of twice the width. Slice k begins at
//           k times the width. A slice contains exactly the work of its time, so the slices of a row add up to its work
//           in the whole run.
// Memory:   16 bytes for each slice in which a host or link did work of a category.
// Protocol: make it, CostModel::observe_uses(), the run, CostModel::report_uses(), finish(); the run may go on.
// Units:    flops, bytes, seconds.
// Threads:  none.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/use_observer.hpp"

namespace rehearse {

struct UseCell {
  std::uint32_t slice = 0;
  double amount = 0;  // flops or bytes
};

// The work of one host or link for one category.
struct UseRow {
  std::uint32_t subject = 0;  // number of the host or link
  Category category = 0;
  std::vector<UseCell> cells;  // by slice, each greater than 0; at least one

  double total() const;
};

struct UseTable {
  std::uint32_t slices = 1;
  Duration slice{1};
  TimePoint end;
  std::vector<std::string> categories;  // by number; the first is "", that of work without a category
  std::vector<UseRow> hosts, links;     // by subject and category
};

// Numbers the names of categories, in the order of their first use. "" is 0.
class CategoryNames {
 public:
  Category number(std::string_view name);
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_{""};
  std::map<std::string, Category, std::less<>> numbers_{{"", 0}};
};

class UseRecorder final : public UseObserver {
 public:
  static constexpr std::uint32_t slices_max = 1000;

  explicit UseRecorder(const Platform& platform);

  // The work so far. `end`: not before any date of the run so far.
  UseTable finish(TimePoint end, const CategoryNames& categories);

  void reach(TimePoint date) override;
  TimePoint next_sample() const override { return next_; }
  void sampled(TimePoint date) override;
  void on_host_use(HostId host, Category category, double flops, TimePoint from) override;
  void on_link_use(LinkId link, Category category, double bytes, TimePoint from) override;

 private:
  struct Subject {
    std::vector<UseRow> rows;  // by first use; few
  };

  void add(std::vector<Subject>& subjects, std::uint32_t subject, Category category, double amount, TimePoint from);
  void widen(TimePoint date);
  void plan(TimePoint after);
  static std::vector<UseRow> rows_of(const std::vector<Subject>& subjects);

  std::vector<Subject> hosts_, links_;
  std::int64_t slice_ = 1000;  // picoseconds
  TimePoint next_;
};

}  // namespace rehearse
