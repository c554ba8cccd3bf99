// SPDX-License-Identifier: MIT
//
// The stable name of a kind of finding: words with dots, the first of which is its family ("deadlock.cycle").
//
// Ids that code compares with have a name here; properties/catalogue.hpp lists all ids with their meanings.
#pragma once

#include <array>
#include <compare>
#include <ostream>
#include <string>
#include <string_view>

namespace rehearse {

class FindingId {
 public:
  FindingId() = default;
  FindingId(std::string text) : text_(std::move(text)) {}
  FindingId(std::string_view text) : text_(text) {}
  FindingId(const char* text) : text_(text) {}

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }

  std::string_view family() const { return std::string_view(text_).substr(0, text_.find('.')); }
  // Whether it equals these words, or belongs to the family or group of this name: "buffer.overlap" covers
  // buffer.overlap.receives.
  bool is_under(std::string_view words) const {
    return text_.starts_with(words) && (text_.size() == words.size() || text_[words.size()] == '.');
  }

  auto operator<=>(const FindingId&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const FindingId& id) { return out << id.text_; }

 private:
  std::string text_;
};

namespace finding_ids {

inline constexpr std::string_view collective = "collective", deadlock = "deadlock", outcome = "outcome",
                                  property = "property", resource = "resource", assertion = "assertion";  // families
inline constexpr std::string_view assertion_failed = "assertion.failed";
inline constexpr std::string_view crash_exit_status = "crash.exit_status";
inline constexpr std::string_view deadlock_cycle = "deadlock.cycle";
inline constexpr std::string_view error_ignored = "error.ignored";
inline constexpr std::string_view hint_barrier = "hint.barrier";
inline constexpr std::string_view hint_buffering = "hint.buffering";
inline constexpr std::string_view message_lost = "message.lost";
inline constexpr std::string_view message_not_ready = "message.not_ready";
inline constexpr std::string_view outcome_output = "outcome.output";
inline constexpr std::string_view outcome_results = "outcome.results";
inline constexpr std::string_view outcome_sends = "outcome.sends";
inline constexpr std::string_view overlapping_receives = "buffer.overlap.receives";
inline constexpr std::string_view progress_polling = "progress.polling";
inline constexpr std::string_view race_wildcard = "race.wildcard";
inline constexpr std::string_view time_bound = "time.bound";

// Of reports about a call that has more legal outcomes than Rehearse produces: the program has no fault and a timed run
// is correct, but an exploration is incomplete.
inline constexpr std::string_view outcomes_left_out = "unsupported.outcomes";

// For tests: the ids of the catalogue, without families.
inline constexpr std::array all = {assertion_failed, crash_exit_status, deadlock_cycle, error_ignored,
                                   hint_barrier,     hint_buffering,    message_lost,   message_not_ready,
                                   outcome_output,   outcome_results,   outcome_sends,  overlapping_receives,
                                   progress_polling, race_wildcard,     time_bound};

}  // namespace finding_ids

using finding_ids::outcomes_left_out;

}  // namespace rehearse
