// SPDX-License-Identifier: MIT
//
// See schedule_inspection.hpp.
#include "trace/goal/schedule_inspection.hpp"

#include <algorithm>

#include "trace/trace.hpp"

namespace rehearse::trace::goal {

namespace {

Result<GoalSchedule> schedule_of(const std::string& path, const GoalConversion& conversion) {
  const auto format = find_format(path);
  if (!format) return format.error();
  if (is_goal(format.value())) return read_goal(path);
  const auto calls = open_trace(path);
  if (!calls) return calls.error();
  auto made = make_schedule(*calls.value(), conversion);
  if (!made) return made.error();
  if (!made.value().unsupported.empty()) return Error{made.value().unsupported};
  return std::move(made.value().schedule);
}

// Durations depend on a speed, and a receive of any size fits.
std::string words_of_operation(const GoalOperation& operation, bool with_volumes) {
  const std::string needs = ", behind " + std::to_string(operation.needs) + " others";
  if (operation.kind == GoalKind::calculation && !with_volumes) return "calc" + needs;
  return text_of(operation) + needs;
}

// The operations of one rank.
class OperationWords {
 public:
  OperationWords(const GoalSchedule& schedule, std::uint32_t rank, bool with_volumes)
      : schedule_(schedule), rank_(rank), with_volumes_(with_volumes), block_(schedule.blocks[rank]) {}

  bool next() {
    if (number_ == block_.count) return false;
    words_ = words_of_operation(schedule_.operations[block_.first + number_++], with_volumes_);
    return true;
  }
  const std::string& words() const { return words_; }
  void describe(std::size_t side, TraceDifference& difference) const {
    const std::uint32_t line = schedule_.line(block_.first + number_ - 1);
    difference.number[side] = number_;
    difference.text[side] = words_;
    difference.place[side] = line == 0 ? "" : schedule_.file(rank_) + ":" + std::to_string(line);
  }

 private:
  const GoalSchedule& schedule_;
  std::uint32_t rank_;
  bool with_volumes_;
  GoalSchedule::Block block_;
  std::uint32_t number_ = 0;
  std::string words_;
};

}  // namespace

Result<Summary> summarise_schedule(const std::string& path) {
  const auto read = read_goal(path);
  if (!read) return read.error();
  const GoalSchedule& schedule = read.value();
  Summary summary;
  summary.format = schedule.format;
  summary.ranks = schedule.ranks();
  std::array<KindCount, 3> kinds;
  constexpr std::array names = {"send", "receive", "calculation"};
  for (const GoalSchedule::Block& block : schedule.blocks) {
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i, ++summary.actions) {
      const GoalOperation& operation = schedule.operations[i];
      KindCount& counted = kinds[static_cast<std::size_t>(operation.kind) - 1];
      ++counted.actions;
      if (operation.kind == GoalKind::calculation) counted.nanoseconds += operation.size;
      if (operation.kind == GoalKind::send) counted.bytes += operation.size;
    }
  }
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    kinds[kind].kind = names[kind];
    if (kinds[kind].actions > 0) summary.kinds.push_back(std::move(kinds[kind]));
  }
  return summary;
}

Result<std::vector<TraceDifference>> compare_schedules(const std::string& one, const std::string& other,
                                                       bool with_volumes, const GoalConversion& conversion) {
  const auto first = schedule_of(one, conversion), second = schedule_of(other, conversion);
  if (!first) return first.error();
  if (!second) return second.error();
  if (const auto error = other_ranks({one, first.value().ranks()}, {other, second.value().ranks()})) return *error;
  std::vector<TraceDifference> differences;
  for (std::uint32_t rank = 0; rank < first.value().ranks(); ++rank) {
    OperationWords left(first.value(), rank, with_volumes), right(second.value(), rank, with_volumes);
    while (true) {
      const bool has_left = left.next(), has_right = right.next();
      if (!has_left && !has_right) break;
      if (has_left && has_right && left.words() == right.words()) continue;
      TraceDifference& difference = differences.emplace_back();
      difference.rank = rank;
      if (has_left) left.describe(0, difference);
      if (has_right) right.describe(1, difference);
      break;
    }
  }
  return differences;
}

}  // namespace rehearse::trace::goal
