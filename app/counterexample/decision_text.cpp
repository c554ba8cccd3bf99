// SPDX-License-Identifier: MIT
//
// Sentences about decisions.
#include "app/decision_text.hpp"

#include <algorithm>
#include <filesystem>

#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

std::string rank(ActorId actor) { return fmt::format("rank {}", actor.value); }

std::string place(const mc::CallSite& site) {
  if (site.file.empty()) return site.function.empty() ? "" : " in " + site.function;
  return fmt::format(" at {}:{}", std::filesystem::path(site.file).filename().string(), site.line);
}

std::string call(const mc::CallSite& site) { return site.call.empty() ? "a call" : site.call; }

// "2nd MPI_Recv from any source at worker.c:41"
std::string caller(const mc::CallSite& site, bool any_source) {
  const std::uint32_t number = site.occurrence, last = number % 100 / 10 == 1 ? 0 : number % 10;
  const std::string which = number < 2 ? ""
                                       : fmt::format("{}{} ", number,
                                                     last == 1   ? "st"
                                                     : last == 2 ? "nd"
                                                     : last == 3 ? "rd"
                                                                 : "th");
  return which + call(site) + (any_source ? " from any source" : "") + place(site);
}

// "the message that rank 2 sent by MPI_Send at worker.c:60"
std::string message(const mc::CallSite& site) {
  return "the message that " + rank(site.actor) + " sent by " + caller(site, false);
}

enum class Tense { present, past };

std::string verb(Tense tense, const char* present, const char* past) {
  return tense == Tense::present ? present : past;
}

// What the call does if its answer means more than an index.
std::string meant(mc::Meaning means, Tense tense) {
  using enum mc::Meaning;
  switch (means) {
    case plain: return "";
    case fails: return verb(tense, "does", "did") + " not return, because the rank " + verb(tense, "fails", "failed");
    case goes_on: return verb(tense, "returns", "returned");
    case chooses_who_fails: return verb(tense, "lets", "let") + " a rank fail later";
    case chooses_nobody: return verb(tense, "lets", "let") + " no further rank fail";
    case hears_of_failure: return verb(tense, "hears", "heard") + " of a failure";
    case hears_of_revocation: return verb(tense, "hears", "heard") + " of the revocation";
    case completes: return verb(tense, "completes", "completed");
  }
  return "";
}

// The result of the call: "takes the message that rank 2 sent by MPI_Send at worker.c:60"
std::string result(const mc::Decision& decision, Tense tense) {
  if (decision.waits_for_ever)
    return verb(tense, "waits", "waited") + " forever, because another receive takes the message";
  if (decision.answer && !decision.answer->flag) return verb(tense, "gets", "got") + " the answer \"not yet\"";
  if (decision.answer && decision.answer->seen)
    return verb(tense, "finds ", "found ") + message(*decision.answer->seen);
  std::string text;
  const mc::Meaning means = decision.answer ? decision.answer->means : mc::Meaning::plain;
  const bool takes_message = means == mc::Meaning::completes && !decision.matches.empty();
  if (means != mc::Meaning::plain && !takes_message) return meant(means, tense);
  if (decision.answer && !takes_message) {
    std::vector<std::string> indices;
    for (const std::uint32_t index : decision.answer->completed) indices.push_back(std::to_string(index));
    text = verb(tense, "returns ", "returned ") + list_of(indices);
    if (decision.matches.empty()) return text;
    text += " and ";
  }
  std::vector<std::string> messages;
  for (const mc::DecidedMatch& match : decision.matches) messages.push_back(message(match.message));
  if (messages.empty()) return verb(tense, "continues", "continued");
  return text + verb(tense, "takes ", "took ") + list_of(messages);
}

std::string subject(const mc::Decision& decision) {
  if (decision.matches.empty() || (decision.answer && decision.matches.size() > 1)) return caller(decision.at, false);
  const mc::DecidedMatch& match = decision.matches.front();
  if (decision.answer) return caller(decision.at, match.any_source);
  return caller(match.receive, match.any_source);
}

}  // namespace

std::string text_of(const mc::Decision& decision) {
  return rank(decision.at.actor) + ": " + subject(decision) + " " + result(decision, Tense::present);
}

std::string text_of(const mc::Explanation::Critical& critical) {
  return subject(critical.taken) + " on " + rank(critical.taken.at.actor) + " " + result(critical.taken, Tense::past) +
         "; the run ends well if it " + result(critical.instead, Tense::present);
}

std::vector<std::string> lines_of(const std::vector<mc::StoryStep>& story) {
  using Kind = mc::StoryStep::Kind;
  std::vector<std::string> lines;
  std::string last;
  std::uint32_t times = 0;
  const auto finish = [&] {
    if (times > 1) lines.back() += fmt::format(" ({} times)", times);
  };
  for (const mc::StoryStep& step : story) {
    std::vector<std::string> others;
    for (const ActorId other : step.others) others.push_back(rank(other));
    std::string line = rank(step.at.actor) + ": " + (step.call.empty() ? call(step.at) : step.call) + place(step.at);
    if (step.kind == Kind::sends) line += " to " + list_of(others);
    if (step.kind == Kind::takes || (step.kind == Kind::answered && !others.empty()))
      line += " gets the message of " + list_of(others);
    if (step.kind == Kind::answered && !step.flag) line += " gets the answer \"not yet\"";
    if (line == last) {
      ++times;
      continue;
    }
    finish();
    lines.push_back(line);
    last = line;
    times = 1;
  }
  finish();
  return lines;
}

}  // namespace rehearse::app
