// SPDX-License-Identifier: MIT
//
// Hand-made and random records.
#include "tests/support/records.hpp"

#include "simcore/difference.hpp"

namespace rehearse::tests {

using namespace mc;
using mc::reduction::CandidateIndex;
using mc::reduction::Path;
using mc::verdict::Execution;

namespace {

std::string random_text(SplitMix& chance) {
  std::string text;
  for (std::uint64_t remaining = chance.below(12); remaining > 0; --remaining)
    text.push_back(static_cast<char>(chance.below(256)));
  return text;
}

Schedule random_schedule(SplitMix& chance) {
  Schedule schedule;
  for (std::uint64_t left = chance.below(3); left > 0; --left)
    schedule.matches[{ActorId{std::uint32_t(left)}, RequestId{std::uint32_t(chance.below(9))}}] = {
        ActorId{0}, RequestId{std::uint32_t(chance.below(9))}};
  for (std::uint64_t left = chance.below(3); left > 0; --left)
    schedule.answers[{ActorId{0}, std::uint32_t(left)}] = Answer{true, {std::uint32_t(chance.below(4))}, {}};
  return schedule;
}

Finding random_finding(SplitMix& chance) {
  Finding finding = plain_finding("id." + random_text(chance), static_cast<Severity>(chance.below(3)));
  finding.message = random_text(chance);
  finding.witness.schedule = random_schedule(chance);
  if (chance.below(2) == 0) finding.witness.compared_with = random_schedule(chance);
  finding.advice = random_text(chance);
  for (std::uint64_t remaining = chance.below(3); remaining > 0; --remaining)
    finding.policies.push_back({chance.next() >> chance.below(64), chance.below(2) == 0});
  for (std::uint64_t remaining = chance.below(3); remaining > 0; --remaining)
    finding.actors.push_back({std::uint32_t(remaining * 300)});
  for (std::uint64_t remaining = chance.below(3); remaining > 0; --remaining)
    finding.locations.push_back({{std::uint32_t(remaining)},
                                 random_text(chance),
                                 random_text(chance),
                                 static_cast<int>(chance.below(100'000)),
                                 random_text(chance),
                                 random_text(chance)});
  return finding;
}

// Includes large numbers, whose encoding needs many bytes.
std::optional<CandidateIndex> random_candidate(SplitMix& chance) {
  if (chance.below(4) == 0) return std::nullopt;
  const auto part = [&] { return static_cast<std::uint32_t>(chance.next() >> (32 + chance.below(32))); };
  const std::uint32_t reader = part();
  return CandidateIndex{reader, part()};
}

std::string name(const history::Hash128& hash) {
  return std::to_string(hash.low) + "/" + std::to_string(hash.high) + " ";
}
std::string number(std::uint64_t value) { return std::to_string(value) + " "; }

std::string candidate_text(const std::optional<CandidateIndex>& candidate) {
  return candidate ? number(candidate->reader) + "." + number(candidate->index) : "none ";
}

std::string finding_text(const Finding& finding) {
  std::string text = finding.id.text() + "|" + number(static_cast<std::uint64_t>(finding.severity)) + finding.message +
                     "|" + to_text(finding.witness) + "|" + finding.advice + "|";
  for (const Policy& policy : finding.policies) text += to_text(policy) + "|";
  for (const ActorId actor : finding.actors) text += number(actor.value);
  for (const Location& at : finding.locations)
    text += number(at.actor.value) + at.call + "|" + at.file + "|" + std::to_string(at.line) + "|" + at.function + "|" +
            at.what + "|";
  return text;
}

}  // namespace

history::Hash128 hash_number(std::uint64_t number) { return history::hash_bytes(&number, sizeof number); }

Finding plain_finding(const std::string& id, Severity severity, const std::string& message) {
  Finding finding;
  finding.id = id;
  finding.severity = severity;
  finding.message = message;
  return finding;
}

Execution plain_execution(std::uint64_t of_class, bool is_complete) {
  Execution execution;
  execution.decided = hash_number(of_class);
  execution.endings.emplace_back(hash_number(of_class), is_complete);
  return execution;
}

void add_recorded_end(Execution& execution, std::uint64_t shape, std::uint32_t policy, const Finding& finding) {
  add_known_end(execution, shape, policy);
  verdict::Cause& cause = execution.causes.emplace_back();
  cause.shape = hash_number(shape);
  cause.judged = policy;
  cause.findings.push_back(finding);
}

void add_known_end(Execution& execution, std::uint64_t shape, std::uint32_t policy) {
  execution.recorded_ends.push_back({hash_number(shape), policy});
}

Path random_path(SplitMix& chance) {
  Path path;
  for (std::uint64_t remaining = chance.below(4); remaining > 0; --remaining)
    path.deviations.push_back({static_cast<std::uint32_t>(chance.below(1000)),
                               static_cast<std::uint32_t>(chance.below(5)), random_candidate(chance)});
  path.length = static_cast<std::uint32_t>(chance.below(100'000));
  path.check = chance.next();
  path.is_done = chance.below(2) == 0;
  path.next = chance.below(3) == 0 ? reduction::no_limit : static_cast<std::uint32_t>(chance.below(9));
  path.candidate = random_candidate(chance);
  path.floor = static_cast<std::uint32_t>(chance.below(50));
  path.floor_limit = chance.below(2) == 0 ? reduction::no_limit : static_cast<std::uint32_t>(chance.below(9));
  return path;
}

Execution random_execution(SplitMix& chance) {
  Execution execution;
  if (chance.below(3) > 0) execution = plain_execution(chance.next(), chance.below(2) == 0);
  for (std::uint64_t remaining = chance.below(3); remaining > 0; --remaining)
    execution.endings.emplace_back(hash_number(chance.next()), chance.below(2) == 0);
  for (Execution::Ending& ending : execution.endings)
    if (chance.below(3) == 0)
      ending.tag = std::make_unique<mc::verdict::Tag>(
          chance.below(2) == 0 ? mc::verdict::Tag{chance.uniform(), random_schedule(chance), false}
                               : mc::verdict::Tag{std::nullopt, {}, chance.below(2) == 0});
  for (std::uint64_t remaining = chance.below(3); remaining > 0; --remaining) {
    add_recorded_end(execution, chance.next(), static_cast<std::uint32_t>(chance.below(4)), random_finding(chance));
    execution.causes.back().is_not_meant = chance.below(2) == 0;
    execution.causes.back().reasons.assign(chance.below(3), random_text(chance));
  }
  for (std::uint64_t remaining = chance.below(2); remaining > 0; --remaining) {
    reduction::Race& race = execution.races.emplace_back();
    race.place = hash_number(chance.next());
    race.actor = static_cast<std::uint32_t>(chance.below(300));
    race.taken = static_cast<graph::EventIndex>(chance.below(300));
    race.observed = static_cast<graph::EventIndex>(chance.below(300));
    race.path = random_path(chance);
    for (std::uint64_t others = chance.below(3); others > 0; --others) race.others.push_back(random_path(chance));
  }
  if (chance.below(2) == 0) execution.branching = {chance.next(), 3, chance.below(2) == 0, 1 + chance.below(5)};
  return execution;
}

std::string text_of(const Path& path) {
  std::string text = "path ";
  for (const reduction::Deviation& deviation : path.deviations)
    text += number(deviation.position) + number(deviation.option) + candidate_text(deviation.candidate) + ";";
  return text + number(path.length) + number(path.check) + number(path.is_done) + number(path.next) +
         candidate_text(path.candidate) + " " + number(path.floor) + number(path.floor_limit);
}

std::string text_of(const Execution& execution) {
  std::string text = execution.decided ? "decided " + name(*execution.decided) : "";
  for (const Execution::Ending& ending : execution.endings) {
    text += "ends " + name(ending.observed) + number(ending.complete);
    if (ending.tag)
      text += "tag " + (ending.tag->cost ? std::to_string(*ending.tag->cost) : "none") + to_text(ending.tag->schedule) +
              number(ending.tag->failed);
  }
  for (const Execution::RecordedEnd& recorded : execution.recorded_ends)
    text += "recorded " + name(recorded.shape) + number(recorded.policy);
  for (const verdict::Cause& cause : execution.causes) {
    text += "cause " + name(cause.shape) + number(cause.judged) + number(cause.is_not_meant);
    for (const Finding& finding : cause.findings) text += finding_text(finding);
    for (const std::string& reason : cause.reasons) text += reason + "|";
  }
  for (const reduction::Race& race : execution.races) {
    text += "race " + name(race.place) + number(race.actor) + number(race.taken) + number(race.observed) +
            text_of(race.path);
    for (const Path& other : race.others) text += text_of(other);
  }
  if (execution.branching)
    text += "branching " + number(execution.branching->site) + number(execution.branching->operation) +
            number(execution.branching->of_any_source) + number(execution.branching->executions);
  return text;
}

std::string text_of(const verdict::Limits& limits) {
  std::string text = number(limits.refusals_left_out) + number(limits.orders_left_out) +
                     number(limits.executions_not_meant);
  for (const auto* list : {&limits.unsupported, &limits.assumptions, &limits.strayed}) {
    text += "list ";
    for (const std::string& one : *list) text += one + "|";
  }
  return text;
}

}  // namespace rehearse::tests
