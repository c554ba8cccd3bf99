// SPDX-License-Identifier: MIT
//
// See failures.hpp. The C library writes the text of a failed assertion to the error output before it aborts.
#include "simcore/remote/failures.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <tuple>

#include "simcore/support/format.hpp"

namespace rehearse::remote {
namespace {

// "'left' on 'host-1'"; main() has no actor.
std::string named(const std::string& actor, const std::string& host) {
  return actor.empty() ? "main()" : fmt::format("actor '{}' on '{}'", actor, host);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// The last line with these words; empty: there is none.
std::string last_line_with(const std::string& errors, std::string_view words) {
  const auto lines = lines_of(errors);
  const auto found = std::find_if(lines.rbegin(), lines.rend(),
                                  [&](const std::string& line) { return line.find(words) != std::string::npos; });
  return found == lines.rend() ? "" : *found;
}

// glibc: "PROGRAM: FILE:LINE: FUNCTION: Assertion `EXPRESSION' failed."; without the program and the function.
std::string assertion_in(const std::string& errors) {
  const std::string line = last_line_with(errors, ": Assertion `");
  if (line.empty()) return "";
  const std::size_t begin = line.find(": ");
  const std::size_t assertion = line.find("Assertion `");
  const std::size_t place_end = line.find(": ", begin + 2);
  if (begin == std::string::npos || place_end == std::string::npos || place_end > assertion) return line;
  return line.substr(assertion, line.rfind('\'') + 1 - assertion) + " failed at " +
         line.substr(begin + 2, place_end - begin - 2);
}

void name_abort(const std::string& errors, Failure& failure) {
  if (const std::string assertion = assertion_in(errors); !assertion.empty()) {
    failure.kind = FailureKind::assertion;
    failure.id = "assertion.failed";
    failure.what = assertion;
  } else if (const std::string thrown = last_line_with(errors, "terminate called"); !thrown.empty()) {
    const std::string what = last_line_with(errors, "  what():  ");
    failure.id = "crash.exception";
    failure.what = what.empty() ? thrown : "an exception ends the program:" + what.substr(std::strlen("  what(): "));
  } else {
    const auto lines = lines_of(errors);
    failure.kind = FailureKind::abort;
    failure.id = "crash.abort";
    failure.what = "abort()" + (lines.empty() ? "" : " after the message: " + lines.back());
  }
}

Failure crash_of(const Point& point, const std::string& errors, const Places& places) {
  Failure failure;
  const int signal = WTERMSIG(point.status);
  switch (signal) {
    case SIGABRT: name_abort(errors, failure); break;
    case SIGFPE: failure.id = "crash.fpe"; break;
    case SIGILL: failure.id = "crash.illegal_instruction"; break;
    case SIGSEGV:
    case SIGBUS: failure.id = "crash.segfault"; break;
    default: failure.id = "crash.signal";
  }
  if (failure.what.empty()) failure.what = fmt::format("signal {} ({})", signal, strsignal(signal));
  ActorStop at;
  if (point.crash) {
    at.actor = point.crash->actor;
    at.host = point.crash->host;
    at.frames = places.find({point.crash->frames, point.crash->frame_count});
    const bool is_of_memory = signal == SIGSEGV || signal == SIGBUS;
    if (is_of_memory && point.crash->code != SI_KERNEL)
      failure.what += fmt::format(": invalid access to address {:#x}{}", point.crash->address,
                                  point.crash->address < 4096 ? " (null pointer)" : "");
  }
  at.what = failure.what;
  failure.what = named(at.actor, at.host) + ": " + failure.what;
  failure.at = std::move(at);
  return failure;
}

// The same failure for any order of failures.
Failure stop_of(const Stop& stop) {
  const auto name = [](const StoppedActor& actor) { return std::pair(actor.name, actor.what); };
  if (!stop.racing.empty()) {
    std::vector<std::string> sides;
    for (const StoppedActor& actor : stop.racing) sides.push_back(named(actor.name, actor.host) + " " + actor.what);
    std::ranges::sort(sides);
    return {FailureKind::assertion,
            "race.variable",
            "actors access a shared variable, and nothing orders the accesses: " + sides.front() + "; " + sides.back(),
            {}};
  }
  if (!stop.failed.empty()) {
    const StoppedActor& first = *std::ranges::min_element(stop.failed, {}, name);
    return {FailureKind::crash,
            "crash.exception",
            named(first.name, first.host) + ": an exception left its function: " + first.what,
            {}};
  }
  std::string text;
  for (const StoppedActor& actor : stop.blocked)
    text += (text.empty() ? "" : "; ") + named(actor.name, actor.host) + " waits for " + actor.what;
  return {FailureKind::abort, "deadlock.actors", text, {}};
}

std::vector<ActorStop> stops_of(const std::vector<StoppedActor>& actors, const Places& places) {
  std::vector<ActorStop> stops;
  for (const StoppedActor& actor : actors)
    stops.push_back({actor.name, actor.host, actor.what, places.find(actor.frames)});
  return stops;
}

}  // namespace

// "dine" for "(anonymous namespace)::dine(unsigned long)"; "main::{lambda}" for a lambda of main()
std::string short_name(std::string name) {
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (auto at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed)) name.erase(at, unnamed.size());
  if (const auto lambda = name.find("::{lambda("); lambda != std::string::npos)
    return name.substr(0, std::min(lambda, name.find('(', 1))) + "::{lambda}";
  return name.substr(0, name.find('(', 1));
}

std::vector<Frame> Places::find(std::span<const std::uint64_t> addresses) const {
  const auto is_ours = [](const Frame& frame) {
    return frame.file.empty() || frame.function.starts_with("rehearse::") ||
           frame.file.find("/simcore/") != std::string::npos || frame.file.starts_with("simcore/") ||
           frame.file.starts_with("/usr/include/");
  };
  std::vector<Frame> frames;
  for (const std::uint64_t address : addresses) {
    if (address < base_) continue;
    for (const Frame& frame : map_.find_all(address - base_))
      if (!is_ours(frame)) frames.push_back({short_name(frame.function), frame.file, frame.line});
  }
  return frames;
}

Failure failure_of(const Point& point, const std::string& errors, const Places& places) {
  switch (point.kind) {
    case Point::Kind::choice:
    case Point::Kind::ended: break;
    case Point::Kind::stopped: return stop_of(point.stop);
    case Point::Kind::crashed: return crash_of(point, errors, places);
    case Point::Kind::refused: return {FailureKind::unsupported, "unsupported.feature", point.text, {}};
    case Point::Kind::late:
      return {FailureKind::crash,
              "progress.step",
              "a step takes longer than the limit (--max-step-seconds) and comes to no further action of an actor",
              {}};
    case Point::Kind::given_up: return {FailureKind::given_up, "", "", {}};
  }
  return {};
}

ActorsEnd end_of(const Stop& stop, const Places& places) {
  ActorsEnd end{stops_of(stop.failed, places), stops_of(stop.blocked, places), stops_of(stop.racing, places)};
  std::ranges::sort(end.racing, {}, [](const ActorStop& stop) { return std::tie(stop.actor, stop.host, stop.what); });
  return end;
}

}  // namespace rehearse::remote
