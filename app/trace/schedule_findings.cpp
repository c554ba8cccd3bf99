// SPDX-License-Identifier: MIT
//
// See schedule_findings.hpp.
#include "app/trace/schedule_findings.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <utility>

#include "app/wording.hpp"

namespace rehearse::app {
namespace {

using trace::goal_any;
using trace::GoalKind;
using trace::GoalOperation;
using trace::GoalSchedule;
using trace::LogGopsResult;

constexpr std::size_t most_places = 1000, most_named = 3;

std::string with_tag(std::uint32_t tag) { return tag == goal_any ? "with any tag" : "with tag " + std::to_string(tag); }

class ScheduleJudge {
 public:
  ScheduleJudge(const GoalSchedule& schedule, const LogGopsResult& result) : schedule_(schedule), result_(result) {
    for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank)
      if (schedule.blocks[rank].count > 0) ranks_[schedule.blocks[rank].first] = rank;
    for (const std::uint32_t each : result.begun) stuck_[rank_of(each)].begun.push_back(each);
    for (const std::uint32_t each : result.not_begun) stuck_[rank_of(each)].not_begun.push_back(each);
  }

  std::vector<Finding> findings() {
    std::vector<Finding> findings;
    if (!stuck_.empty()) findings.push_back(deadlock());
    for (const std::uint32_t send : result_.not_received) {
      if (findings.size() >= most_places) break;
      const bool is_stuck = std::ranges::binary_search(begun_, send);
      if (!is_stuck) findings.push_back(lost_message(send));
    }
    add_texts(findings);
    return findings;
  }

 private:
  std::uint32_t rank_of(std::uint32_t operation) const { return std::prev(ranks_.upper_bound(operation))->second; }

  Finding deadlock() {
    begun_ = result_.begun;
    std::ranges::sort(begun_);
    Finding finding;
    finding.id = has_ended_peer() ? FindingId("deadlock.orphan") : FindingId(finding_ids::deadlock_cycle);
    for (const auto& [rank, stuck] : stuck_) {
      finding.actors.push_back({rank});
      if (finding.locations.size() >= most_places) continue;
      for (std::size_t i = 0; i < std::min(most_named, stuck.begun.size()); ++i)
        add_place(finding, rank, stuck.begun[i], wish_of(stuck.begun[i]));
      if (stuck.begun.empty()) add_cycle(finding, rank, stuck.not_begun);
    }
    finding.message = counted(result_.begun.size() + result_.not_begun.size(), "operation") + " of " +
                      counted(stuck_.size(), "rank") + " never end" +
                      (result_.begun.size() + result_.not_begun.size() == 1 ? "s" : "");
    const std::size_t named = std::min(most_named, finding.locations.size());
    for (std::size_t i = 0; i < named; ++i) {
      const Location& at = finding.locations[i];
      const std::string place = place_of(at);
      finding.message += (i == 0 ? ": rank " : "; rank ") + std::to_string(at.actor.value) + " " + at.what +
                         (place.empty() ? "" : " at " + place);
    }
    finding.advice =
        "Give each receive a send with the same tag, and each send above S bytes a receive; an operation must not wait "
        "for itself.";
    return finding;
  }

  bool has_ended_peer() const {
    return std::ranges::any_of(result_.begun, [this](std::uint32_t each) {
      const std::uint32_t peer = schedule_.operations[each].peer;
      return peer != goal_any && !stuck_.contains(peer);
    });
  }

  void add_place(Finding& finding, std::uint32_t rank, std::uint32_t operation, std::string what) {
    Location location;
    location.actor = {rank};
    location.file = schedule_.file(rank);
    location.line = static_cast<int>(schedule_.line(operation));
    location.what = std::move(what);
    location.call = text_of(schedule_.operations[operation]);
    if (location.line == 0)
      location.call += " (operation " + std::to_string(operation - schedule_.blocks[rank].first) + ")";
    finding.locations.push_back(std::move(location));
  }

  std::string wish_of(std::uint32_t number) const {
    const GoalOperation& operation = schedule_.operations[number];
    const std::string peer = operation.peer == goal_any ? std::string("any rank")
                                                        : "rank " + std::to_string(operation.peer);
    if (operation.kind == GoalKind::receive) return "waits for a message from " + peer + " " + with_tag(operation.tag);
    return "waits until " + peer + " receives its message " + with_tag(operation.tag) + " (" +
           counted(operation.size, "byte") + ")";
  }

  // Operations of the rank that wait for each other: from one that never begins back along what it waits for.
  void add_cycle(Finding& finding, std::uint32_t rank, const std::vector<std::uint32_t>& never) {
    const GoalSchedule::Block& block = schedule_.blocks[rank];
    std::map<std::uint32_t, std::uint32_t> waits_for;
    for (const std::uint32_t each : never) {
      for (const std::uint32_t after : schedule_.after_done(each)) waits_for[after] = each;
      for (const std::uint32_t after : schedule_.after_begun(each)) waits_for[after] = each;
    }
    if (waits_for.empty()) return;
    std::uint32_t at = waits_for.begin()->first;
    for (std::size_t i = 0; i < waits_for.size(); ++i) at = waits_for[at];
    const std::uint32_t first = at;
    std::vector<std::uint32_t> cycle;
    do {
      cycle.push_back(at);
      at = waits_for[at];
    } while (at != first);
    std::ranges::rotate(cycle, std::ranges::min_element(cycle));
    for (std::size_t i = 0; i < cycle.size() && i < most_places; ++i) {
      const std::uint32_t wanted = cycle[(i + 1) % cycle.size()], line = schedule_.line(wanted);
      add_place(finding, rank, cycle[i],
                "waits for " +
                    (line == 0 ? "operation " + std::to_string(wanted - block.first)
                               : "the operation at line " + std::to_string(line)) +
                    ", which waits for it");
    }
  }

  Finding lost_message(std::uint32_t send) {
    const GoalOperation& operation = schedule_.operations[send];
    const std::uint32_t rank = rank_of(send);
    Finding finding;
    finding.id = finding_ids::message_lost;
    finding.severity = Severity::warning;
    const std::string what = "sent a message with tag " + std::to_string(operation.tag) + " (" +
                             counted(operation.size, "byte") + ") to rank " + std::to_string(operation.peer);
    finding.message = "rank " + std::to_string(rank) + " " + what + " that was never received";
    finding.actors = {{rank}, {operation.peer}};
    add_place(finding, rank, send, what);
    return finding;
  }

  // Operations as they are written in the file. In a trace of calls a line begins with the rank.
  void add_texts(std::vector<Finding>& findings) const {
    std::map<std::string, std::map<int, std::vector<Location*>>> wanted;
    for (Finding& finding : findings)
      for (Location& location : finding.locations)
        if (location.line > 0) wanted[location.file][location.line].push_back(&location);
    const bool has_rank = schedule_.format == "ti";
    for (const auto& [path, lines] : wanted) {
      std::ifstream file(path);
      std::string text;
      int number = 0;
      for (const auto& [line, locations] : lines) {
        while (number < line && std::getline(file, text)) ++number;
        if (number != line) break;
        std::string trimmed = text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
        if (has_rank) trimmed = trimmed.substr(std::min(trimmed.find_first_of(" \t") + 1, trimmed.size()));
        trimmed.erase(trimmed.find_last_not_of(" \t\r") + 1);
        for (Location* location : locations) location->call = trimmed;
      }
    }
  }

  const GoalSchedule& schedule_;
  const LogGopsResult& result_;
  std::map<std::uint32_t, std::uint32_t> ranks_;  // by the first operation
  struct Stuck {
    std::vector<std::uint32_t> begun, not_begun;
  };
  std::map<std::uint32_t, Stuck> stuck_;  // by rank
  std::vector<std::uint32_t> begun_;      // operations that never end, sorted
};

}  // namespace

std::vector<Finding> schedule_findings(const GoalSchedule& schedule, const LogGopsResult& result) {
  return ScheduleJudge(schedule, result).findings();
}

}  // namespace rehearse::app
