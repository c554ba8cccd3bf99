// SPDX-License-Identifier: MIT
//
// Texts for findings.
#include "properties/words.hpp"

#include <algorithm>

#include "simcore/support/format.hpp"
#include "smpi/window_model.hpp"

namespace rehearse::properties {

std::string rank(ActorId actor) { return fmt::format("rank {}", actor.value); }

std::string joined(std::span<const std::string> parts, std::string_view last_separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? last_separator : ", ";
    text += parts[i];
  }
  return text;
}

std::string ranks(std::span<const ActorId> actors) {
  if (actors.size() == 1) return rank(actors.front());
  std::vector<std::string> numbers;
  for (const ActorId actor : actors) numbers.push_back(std::to_string(actor.value));
  return "ranks " + joined(numbers, " and ");
}

std::string many_ranks(std::span<const ActorId> actors) {
  static constexpr std::size_t few = 8, max_ranges = 12;
  if (actors.size() <= few) return ranks(actors);
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < actors.size();) {
    std::size_t end = i + 1;
    while (end < actors.size() && actors[end].value == actors[end - 1].value + 1) ++end;
    const std::uint32_t first = actors[i].value, last = actors[end - 1].value;
    ranges.push_back(first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last));
    i = end;
  }
  if (ranges.size() > max_ranges) {
    ranges.resize(max_ranges);
    ranges.push_back("...");
  }
  return fmt::format("{} ranks ({})", actors.size(), joined(ranges, ", "));
}

std::string ordinal(std::uint64_t number) {
  static constexpr const char* endings[] = {"th", "st", "nd", "rd"};
  const bool is_teen = number / 10 % 10 == 1;
  return fmt::format("{}{}", number, is_teen || number % 10 > 3 ? "th" : endings[number % 10]);
}

std::string wanted_message(const Pattern& pattern) { return wanted_message_in({}, pattern); }

namespace {

const Numbering* find_numbering(const CallDescription& standing, ContextId context) {
  for (const Numbering& numbering : standing.numberings)
    if (std::ranges::find(numbering.contexts, context) != numbering.contexts.end()) return &numbering;
  return nullptr;
}

}  // namespace

std::string name_of(const CallDescription& standing, ContextId context) {
  const Numbering* numbering = find_numbering(standing, context);
  return numbering == nullptr ? "" : numbering->name;
}

std::string many_ranks_in(const CallDescription& standing, ContextId context, std::span<const ActorId> actors) {
  const Numbering* numbering = find_numbering(standing, context);
  if (numbering == nullptr) return many_ranks(actors);
  std::vector<ActorId> theirs;
  for (const ActorId actor : actors) {
    const auto member = std::ranges::find(numbering->members, actor);
    if (member == numbering->members.end()) return many_ranks(actors);
    theirs.push_back({static_cast<std::uint32_t>(member - numbering->members.begin())});
  }
  if (std::ranges::equal(theirs, actors)) return many_ranks(actors);
  std::ranges::sort(theirs);
  return many_ranks(theirs) + " of " + numbering->name + " (" + many_ranks(actors) + " of MPI_COMM_WORLD)";
}

std::string rank_in(const CallDescription& standing, ContextId context, ActorId actor) {
  return many_ranks_in(standing, context, std::span(&actor, 1));
}

std::string wanted_message_in(const CallDescription& standing, const Pattern& pattern) {
  return fmt::format("a message from {} with {}",
                     pattern.source ? rank_in(standing, pattern.context, *pattern.source) : "any rank",
                     pattern.tag ? fmt::format("tag {}", *pattern.tag) : "any tag");
}

std::string_view needed_for_epoch(const CallDescription& standing) {
  if (standing.call.starts_with("MPI_Win_start(") || standing.call.starts_with("MPI_Win_complete("))
    return "expose its window (MPI_Win_post)";
  return standing.call.starts_with("MPI_Win_wait(") ? "complete its epoch (MPI_Win_complete)" : "";
}

const StartedRequest* find_started(const CallDescription& standing, RequestId request) {
  const auto found = std::ranges::find(standing.requests, request, &StartedRequest::request);
  return found == standing.requests.end() ? nullptr : &*found;
}

std::string bytes(std::uint64_t count) {
  if (count >= smpi::unknown_bytes) return "of unknown size";
  return fmt::format("{} byte{}", count, count == 1 ? "" : "s");
}

Location place(ActorId actor, const Describe& describe, std::string what) {
  return place(actor, describe(actor), std::move(what));
}

Location place_at(ActorId actor, std::string_view call, const Frame& at, std::string what) {
  return {actor, std::string(call), at.file, at.line, at.function, std::move(what)};
}

Location place(ActorId actor, const CallDescription& standing, std::string what) {
  Location location;
  location.actor = actor;
  location.what = std::move(what);
  location.call = standing.call;
  if (standing.frames.empty()) return location;
  location.file = standing.frames.front().file;
  location.line = standing.frames.front().line;
  location.function = standing.frames.front().function;
  return location;
}

std::string call_and_line(const Location& location) {
  std::string text = location.call.empty() ? "a call" : location.call;
  if (!location.file.empty()) text += fmt::format(" at {}:{}", location.file, location.line);
  return text;
}

}  // namespace rehearse::properties
