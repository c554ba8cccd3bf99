// SPDX-License-Identifier: MIT
//
// Findings about the end of an execution of actors.
#include <filesystem>

#include "app/actor_steps.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr std::size_t text_columns = 100;

std::string name_of(const ActorStop& stop) {
  return stop.actor.empty() ? "main()" : fmt::format("actor '{}' on '{}'", stop.actor, stop.host);
}

// " at ring.cpp:12"; empty: unknown.
std::string line_of(const ActorStop& stop) {
  if (stop.frames.empty()) return "";
  const Frame& frame = stop.frames.front();
  return fmt::format(" at {}:{}", std::filesystem::path(frame.file).filename().string(), frame.line);
}

Location location_of(const ActorStop& stop, const std::string& what) {
  Location location;
  if (!stop.frames.empty()) {
    location.file = stop.frames.front().file;
    location.line = stop.frames.front().line;
    location.function = stop.frames.front().function;
  }
  location.what = name_of(stop) + " " + what;
  return location;
}

Finding finding_of(std::string_view id, std::string_view what, const ActorsEnd& end) {
  Finding finding;
  finding.id = id;
  finding.actors = {ActorId{0}};
  finding.message = what;
  if (finding.id.family() == finding_ids::deadlock) {
    finding.message.clear();
    for (const ActorStop& stop : end.blocked) {
      finding.message += (finding.message.empty() ? "" : "; ") + name_of(stop) + " waits for " + stop.what +
                         line_of(stop);
      finding.locations.push_back(location_of(stop, "waits for " + stop.what));
    }
  } else if (!end.racing.empty()) {
    finding.message = "actors access a shared variable, and nothing orders the accesses: ";
    for (const ActorStop& stop : end.racing) {
      if (&stop != &end.racing.front()) finding.message += "; ";
      finding.message += name_of(stop) + " " + stop.what + line_of(stop);
      finding.locations.push_back(location_of(stop, stop.what));
    }
  } else {
    for (const ActorStop& stop : end.failed) finding.locations.push_back(location_of(stop, "failed: " + stop.what));
    if (end.failed.size() == 1 && id != finding_ids::assertion_failed) finding.message += line_of(end.failed.front());
  }
  return finding;
}

}  // namespace

std::vector<Finding> judge_actors(std::string_view id, std::string_view what, int exit_status, const ActorsEnd& end) {
  if (!id.empty()) return {finding_of(id, what, end)};
  if (exit_status == 0) return {};
  Finding finding;
  finding.id = finding_ids::crash_exit_status;
  finding.actors = {ActorId{0}};
  finding.message =
      fmt::format("the program ended with exit status {}, its own: main() returned it, or exit() was called",
                  exit_status);
  return {finding};
}

std::vector<Finding> judge_actors(RemoteActorProgram& program) {
  const Operation& operation = program.next(ActorId{0});
  if (const auto* end = std::get_if<End>(&operation)) return judge_actors("", "", end->status, {});
  const auto* failure = std::get_if<Fail>(&operation);
  if (failure == nullptr || !is_fault(failure->kind)) return {};
  return judge_actors(failure->id, failure->what, 0, program.end());
}

std::string describe_actors(const Finding& finding) {
  std::string text = wrapped(finding.id.text() + ": " + finding.message, text_columns, "  ") + "\n";
  for (const Location& location : finding.locations) {
    const std::string place = place_of(location);
    text += "  " + wrapped(location.what + (place.empty() ? "" : ", at " + place), text_columns - 2, "      ") + "\n";
  }
  return text;
}

}  // namespace rehearse::app
