// SPDX-License-Identifier: MIT
//
// Reads the selection and applies it.
#include "properties/selection.hpp"

#include <algorithm>
#include <charconv>

#include "properties/catalogue.hpp"
#include "properties/judge.hpp"
#include "properties/words.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::properties {

namespace {

bool is_under(const FindingId& id, std::string_view words) { return id.is_under(words); }

Result<bool> check_id(std::string_view words) {
  for (const Check& check : catalogue())
    if (check.grade != Grade::limit && is_under(check.id, words)) return true;
  return Error{"'" + std::string(words) +
               "' is neither a check nor the first word of checks (see rehearse list checks)"};
}

// Whether the path ends with these parts.
bool is_file(std::string_view path, std::string_view parts) {
  return path.ends_with(parts) && (path.size() == parts.size() || path[path.size() - parts.size() - 1] == '/');
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

bool ended_a_rank(const Finding& finding, const Outcome& outcome) {
  return std::ranges::any_of(finding.actors, [&](ActorId actor) {
    return outcome.actors[actor.value].state == ActorOutcome::State::failed;
  });
}

}  // namespace

bool Selection::Exception::covers(const Finding& finding) const {
  if (!is_under(finding.id, id)) return false;
  if (function.empty() && file.empty()) return true;
  return std::ranges::any_of(finding.locations, [this](const Location& location) {
    return (function.empty() || location.function == function) && (file.empty() || is_file(location.file, file)) &&
           (line == 0 || location.line == line);
  });
}

Result<bool> Selection::select_only(const std::vector<std::string>& ids) {
  for (const std::string& id : ids)
    if (auto known = check_id(id); !known) return known;
  only_ = ids;
  return true;
}

Result<bool> Selection::leave_out(const std::vector<std::string>& ids) {
  for (const std::string& id : ids)
    if (auto known = check_id(id); !known) return known;
  without_ = ids;
  return true;
}

Result<bool> Selection::add_exceptions(std::string_view name, std::string_view text) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::string place = fmt::format("{}:{}: ", name, number);
    const std::size_t space = std::min(line.find(' '), line.size());
    Exception exception{.id = std::string(line.substr(0, space)), .function = {}, .file = {}};
    if (auto known = check_id(exception.id); !known) return Error{place + known.error().text};
    const std::string_view where = trimmed(line.substr(space));
    if (where.starts_with("in ")) {
      exception.function = trimmed(where.substr(3));
    } else if (where.starts_with("at ")) {
      std::string_view file = trimmed(where.substr(3));
      const std::size_t colon = file.rfind(':');
      if (colon != std::string_view::npos) {
        const std::string_view digits = file.substr(colon + 1);
        const auto [stopped, fault] = std::from_chars(digits.begin(), digits.end(), exception.line);
        if (fault != std::errc() || stopped != digits.end() || exception.line <= 0)
          return Error{place + "'" + std::string(digits) + "' is not a line number"};
        file = file.substr(0, colon);
      }
      exception.file = file;
    } else if (!where.empty()) {
      return Error{place + "'" + std::string(where) + "', expected in FUNCTION, at FILE or at FILE:LINE"};
    }
    exceptions_.push_back(std::move(exception));
  }
  return true;
}

std::string Selection::describe() const {
  std::string text;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (!only_.empty()) add("only findings of " + joined(only_) + " count");
  if (!without_.empty()) add("findings of " + joined(without_) + " do not count");
  if (ignored_errors_ == IgnoredErrors::nothing) add("errors that calls return do not count");
  if (exceptions_.size() == 1) add("one exception does not count");
  if (exceptions_.size() > 1) add(fmt::format("{} exceptions do not count", exceptions_.size()));
  return text;
}

std::string Selection::identity() const {
  if (is_all()) return "all";
  std::string text = "only '" + joined(only_) + "', without '" + joined(without_) + "', exceptions";
  if (ignored_errors_ == IgnoredErrors::errors) text += ", ignored errors are errors";
  if (ignored_errors_ == IgnoredErrors::nothing) text += ", no ignored errors";
  for (const Exception& each : exceptions_)
    text += fmt::format(" '{} in {} at {}:{}'", each.id, each.function, each.file, each.line);
  return text;
}

bool Selection::reports_any(std::string_view id) const {
  if (ignored_errors_ == IgnoredErrors::nothing && is_under(id, "error")) return false;
  const auto is_one = [&](const std::string& words) { return is_under(id, words); };
  return (only_.empty() || std::ranges::any_of(only_, is_one)) && std::ranges::none_of(without_, is_one);
}

std::vector<Finding> Selection::reported(std::vector<Finding> findings) const {
  std::erase_if(findings, [this](const Finding& finding) { return !reports(finding); });
  return findings;
}

bool Selection::reports(const Finding& finding) const {
  return reports_any(finding.id.text()) &&
         std::ranges::none_of(exceptions_, [&](const Exception& each) { return each.covers(finding); });
}

bool Selection::wants(std::string_view id) const {
  const auto covers = [id](const std::string& words) { return is_under(id, words); };
  if (!only_.empty() && std::ranges::none_of(only_, covers)) return false;
  return std::ranges::none_of(without_, covers) && std::ranges::none_of(exceptions_, [&](const Exception& each) {
           return each.function.empty() && each.file.empty() && covers(each.id);
         });
}

std::vector<Finding> Selection::judge(const Outcome& outcome, const Describe& describe) const {
  return selected(properties::judge(outcome, describe), outcome);
}

std::vector<Finding> Selection::judge_part(const Outcome& outcome, const Describe& describe) const {
  return selected(properties::judge_part(outcome, describe), outcome);
}

std::vector<Finding> Selection::selected(std::vector<Finding> findings, const Outcome& outcome) const {
  if (is_all()) return findings;
  std::vector<Finding> reported;
  for (Finding& finding : findings) {
    if (reports(finding)) {
      if (finding.id == finding_ids::error_ignored && ignored_errors_ == IgnoredErrors::errors)
        finding.severity = Severity::error;
      reported.push_back(std::move(finding));
    } else if (ended_a_rank(finding, outcome)) {
      Finding& limit = reported.emplace_back();
      limit.id = outcomes_left_out;
      limit.message = "the behaviour of " + ranks(finding.actors) + " after " + finding.id.text() +
                      ", which is not reported";
    }
  }
  return reported;
}

}  // namespace rehearse::properties
