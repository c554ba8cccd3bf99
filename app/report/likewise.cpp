// SPDX-License-Identifier: MIT
//
// See likewise.hpp.
#include "app/likewise.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "app/wording.hpp"

namespace rehearse::app {
namespace {

constexpr std::size_t named = 8;  // ranks, or groups of them

bool may_be_folded(const Finding& finding) {
  const FindingId& id = finding.id;
  return id.family() == finding_ids::deadlock || id == finding_ids::progress_polling || id == finding_ids::message_lost;
}

// Replaces each enumeration of numbers by "#", for instance "1, 2 and 4" and "1-3, 5": different ranks may wait for
// different deadlocks.
std::string without_numbers(std::string_view text) {
  std::string result;
  const auto skip_number = [&text] {
    while (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  };
  const auto is_number_behind = [&text](std::string_view separator) {
    return text.starts_with(separator) && text.size() > separator.size() &&
           std::isdigit(static_cast<unsigned char>(text[separator.size()])) != 0;
  };
  while (!text.empty()) {
    if (std::isdigit(static_cast<unsigned char>(text.front())) == 0) {
      result += text.front();
      text.remove_prefix(1);
      continue;
    }
    result += '#';
    skip_number();
    while (true) {
      const std::string_view separators[] = {", ", " and ", "-"};
      const auto* found = std::ranges::find_if(separators, is_number_behind);
      if (found == std::end(separators)) break;
      text.remove_prefix(found->size());
      skip_number();
    }
  }
  return result;
}

// The message without the ranks that wait for those of a deadlock: they are not part of its cause.
std::string_view without_followers(const std::string& message) {
  const std::string_view text = message;
  return text.ends_with(" in turn") ? text.substr(0, text.rfind("; ")) : text;
}

bool are_of_one_cause(const Finding& a, const Finding& b) {
  const auto is_same_place = [](const Location& x, const Location& y) {
    return !x.file.empty() && x.file == y.file && x.line == y.line && x.function == y.function;
  };
  return a.id == b.id && a.severity == b.severity && a.policies == b.policies && a.actors.size() == b.actors.size() &&
         !a.locations.empty() && std::ranges::equal(a.locations, b.locations, is_same_place) &&
         without_numbers(without_followers(a.message)) == without_numbers(without_followers(b.message));
}

std::string number(ActorId actor) { return std::to_string(actor.value); }

// "4", "4 and 6", "4 to 7", "4, 6, 9 and 12 more"
std::string numbers(std::vector<ActorId> actors) {
  std::ranges::sort(actors);
  const bool is_range = actors.size() > 2 && actors.back().value - actors.front().value + 1 == actors.size();
  if (is_range) return number(actors.front()) + " to " + number(actors.back());
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(actors.size(), named); ++i) words.push_back(number(actors[i]));
  if (actors.size() > named) words.push_back(with_commas(actors.size() - named) + " more");
  return list_of(words);
}

// The only position in the list of ranks at which the other groups differ, if there is one.
std::optional<std::size_t> only_difference(const Finding& finding) {
  std::optional<std::size_t> place;
  for (const std::vector<ActorId>& others : finding.likewise)
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (others[i] == finding.actors[i]) continue;
      if (place && *place != i) return std::nullopt;
      place = i;
    }
  return place;
}

}  // namespace

void fold_likewise(std::vector<Finding>& findings) {
  std::vector<Finding> kept;
  for (Finding& finding : findings) {
    const auto first = std::ranges::find_if(kept, [&finding](const Finding& other) {
      return may_be_folded(finding) && are_of_one_cause(other, finding);
    });
    if (first == kept.end()) {
      kept.push_back(std::move(finding));
      continue;
    }
    const bool is_known = finding.actors == first->actors || std::ranges::count(first->likewise, finding.actors) > 0;
    if (!is_known) first->likewise.push_back(std::move(finding.actors));
  }
  findings = std::move(kept);
}

std::string likewise_text(const Finding& finding) {
  if (finding.likewise.empty()) return "";
  if (const std::optional<std::size_t> place = only_difference(finding)) {
    std::vector<ActorId> others;
    for (const std::vector<ActorId>& each : finding.likewise) others.push_back(each[*place]);
    return (others.size() == 1 ? "likewise with rank " : "likewise with ranks ") + numbers(std::move(others));
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(finding.likewise.size(), named); ++i)
    text += (i == 0 ? "" : "; ") + numbers(finding.likewise[i]);
  if (finding.likewise.size() > named) text += "; and " + with_commas(finding.likewise.size() - named) + " more";
  return "likewise with ranks " + text;
}

std::string whole_message(const Finding& finding) {
  const std::string likewise = likewise_text(finding);
  return likewise.empty() ? finding.message : finding.message + " (" + likewise + ")";
}

}  // namespace rehearse::app
