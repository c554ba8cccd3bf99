// SPDX-License-Identifier: MIT
//
// The form of a GOAL schedule, by its first bytes.
#include <cstring>

#include "trace/goal.hpp"
#include "trace/mapped_file.hpp"

namespace rehearse::trace {

namespace {

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Without white space and comments at the beginning.
std::string_view without_comments(std::string_view text) {
  for (;;) {
    while (!text.empty() && is_white(text.front())) text.remove_prefix(1);
    const bool is_line = text.starts_with("//"), is_block = text.starts_with("/*");
    if (!is_line && !is_block) return text;
    const std::size_t end = is_line ? text.find('\n') : text.find("*/", 2);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + (is_line ? 1 : 2));
  }
}

}  // namespace

std::optional<Format> goal_form(std::string_view beginning) {
  constexpr std::uint64_t binary_mark = 4223;
  std::uint64_t mark = 0;
  if (beginning.size() >= sizeof mark) std::memcpy(&mark, beginning.data(), sizeof mark);
  if (mark == binary_mark) return Format::goal_binary;
  const bool has_comment = beginning.starts_with("//") || beginning.starts_with("/*");
  const std::string_view text = without_comments(beginning);
  if (text.empty() && has_comment) return Format::goal;
  for (const std::string_view word : {std::string_view("num_ranks"), std::string_view("rank")})
    if (text.starts_with(word) && text.size() > word.size() && is_white(text[word.size()])) return Format::goal;
  return std::nullopt;
}

Result<GoalSchedule> read_goal(const std::string& path) {
  const MappedFile file(path);
  if (!file.problem().empty()) return Error{path + ": cannot read: " + file.problem()};
  if (goal_form(file.text()) == Format::goal_binary) return read_goal_binary(file.text(), path);
  return read_goal_text(file.text(), path);
}

}  // namespace rehearse::trace
