// SPDX-License-Identifier: MIT
//
// Writes and reads each type.
#include "mc/records/records.hpp"

#include <algorithm>

namespace rehearse::mc::records {

using history::Hash128;
using reduction::Path;
using reduction::Race;
using verdict::Cause;
using verdict::Execution;

namespace {

// Flags in the first byte of an Execution.
constexpr std::uint8_t has_decided = 1;  // it was reached in one way only
constexpr std::uint8_t is_plain = 2;     // it has one ending, with the class of the whole graph
constexpr std::uint8_t is_complete = 4;  // that ending is complete
constexpr std::uint8_t has_recorded_ends = 8;
constexpr std::uint8_t has_tags = 16;  // the costs of its endings
constexpr std::uint8_t has_races = 32;
constexpr std::uint8_t has_branching = 64;

void put(Writer& to, const Location& location) {
  to.number(location.actor.value);
  to.text(location.call);
  to.text(location.file);
  to.number(static_cast<std::uint32_t>(location.line));
  to.text(location.function);
  to.text(location.what);
}

void get(Reader& from, Location& location) {
  location.actor = {static_cast<std::uint32_t>(from.number())};
  location.call = from.text();
  location.file = from.text();
  location.line = static_cast<int>(from.number());
  location.function = from.text();
  location.what = from.text();
}

void put(Writer& to, const Policy& policy) {
  to.number(policy.eager_bytes);
  to.number(policy.synchronising);
}

void get(Reader& from, Policy& policy) {
  policy.eager_bytes = from.number();
  policy.synchronising = from.number() != 0;
}

void put(Writer& to, const Finding& finding) {
  to.text(finding.id.text());
  to.number(static_cast<std::uint64_t>(finding.severity));
  to.text(finding.message);
  to.number(finding.policies.size());
  for (const Policy& policy : finding.policies) put(to, policy);
  to.number(finding.actors.size());
  for (const ActorId actor : finding.actors) to.number(actor.value);
  to.number(finding.locations.size());
  for (const Location& location : finding.locations) put(to, location);
  to.text(to_text(finding.witness));
  to.text(finding.advice);
}

void get(Reader& from, Finding& finding) {
  finding.id = from.text();
  const std::uint64_t severity = from.number();
  if (severity > static_cast<std::uint64_t>(Severity::note)) from.fail();
  finding.severity = static_cast<Severity>(severity);
  finding.message = from.text();
  finding.policies.resize(from.count());
  for (Policy& policy : finding.policies) get(from, policy);
  finding.actors.resize(from.count());
  for (ActorId& actor : finding.actors) actor = {static_cast<std::uint32_t>(from.number())};
  finding.locations.resize(from.count());
  for (Location& location : finding.locations) get(from, location);
  auto witness = parse_witness(std::string(from.text()));
  if (witness) finding.witness = std::move(witness.value());
  else from.fail();
  finding.advice = from.text();
}

void put_tags(Writer& to, const Execution& execution) {
  for (const Execution::Ending& ending : execution.endings) {
    to.number(ending.tag != nullptr);
    if (ending.tag) put(to, *ending.tag);
  }
}

void get_tags(Reader& from, Execution& execution) {
  for (Execution::Ending& ending : execution.endings)
    if (from.number() != 0) get(from, *(ending.tag = std::make_unique<verdict::Tag>()));
}

void put(Writer& to, const Race& race) {
  to.plain(race.place);
  to.number(race.actor);
  to.number(race.taken);
  to.number(race.observed);
  put(to, race.path);
  to.number(race.others.size());
  for (const Path& other : race.others) put(to, other);
}

void get(Reader& from, Race& race) {
  race.place = from.plain<Hash128>();
  race.actor = static_cast<std::uint32_t>(from.number());
  race.taken = static_cast<graph::EventIndex>(from.number());
  race.observed = static_cast<graph::EventIndex>(from.number());
  get(from, race.path);
  race.others.resize(from.count());
  for (Path& other : race.others) get(from, other);
}

}  // namespace

void put(Writer& to, const std::vector<std::string>& texts) {
  to.number(texts.size());
  for (const std::string& text : texts) to.text(text);
}

void get(Reader& from, std::vector<std::string>& texts) {
  texts.resize(from.count());
  for (std::string& text : texts) text = from.text();
}

void put(Writer& to, const Cause& cause) {
  to.plain(cause.shape);
  to.number(cause.judged);
  to.number(cause.findings.size());
  for (const Finding& finding : cause.findings) put(to, finding);
  put(to, cause.reasons);
  to.number(cause.is_not_meant);
}

void get(Reader& from, Cause& cause) {
  cause.shape = from.plain<Hash128>();
  cause.judged = static_cast<std::uint32_t>(from.number());
  cause.findings.resize(from.count());
  for (Finding& finding : cause.findings) get(from, finding);
  get(from, cause.reasons);
  cause.is_not_meant = from.number() != 0;
}

void put(Writer& to, const Branching& branching) {
  to.plain(branching.site);
  to.number(branching.operation);
  to.number(branching.of_any_source);
  to.number(branching.executions);
}

void get(Reader& from, Branching& branching) {
  branching.site = from.plain<std::uint64_t>();
  branching.operation = static_cast<std::uint32_t>(from.number());
  branching.of_any_source = from.number() != 0;
  branching.executions = from.number();
}

void put(Writer& to, const std::vector<Race>& races) {
  to.number(races.size());
  for (const Race& race : races) put(to, race);
}

void get(Reader& from, std::vector<Race>& races) {
  races.resize(from.count());
  for (Race& race : races) get(from, race);
}

void put(Writer& to, const Execution& execution) {
  const bool plain = execution.decided && execution.endings.size() == 1 &&
                     execution.endings[0].observed == *execution.decided;
  const bool tagged = std::ranges::any_of(execution.endings, [](const auto& ending) { return ending.tag != nullptr; });
  to.plain(static_cast<std::uint8_t>((execution.decided ? has_decided : 0) | (plain ? is_plain : 0) |
                                     (plain && execution.endings[0].complete ? is_complete : 0) |
                                     (execution.recorded_ends.empty() ? 0 : has_recorded_ends) |
                                     (tagged ? has_tags : 0) | (execution.races.empty() ? 0 : has_races) |
                                     (execution.branching ? has_branching : 0)));
  if (execution.decided) to.plain(*execution.decided);
  if (!plain) {
    to.number(execution.endings.size());
    for (const Execution::Ending& ending : execution.endings) {
      to.plain(ending.observed);
      to.number(ending.complete);
    }
  }
  if (tagged) put_tags(to, execution);
  if (!execution.races.empty()) put(to, execution.races);
  if (execution.branching) put(to, *execution.branching);
  if (execution.recorded_ends.empty()) return;
  to.number(execution.recorded_ends.size());
  for (const Execution::RecordedEnd& recorded : execution.recorded_ends) {
    to.plain(recorded.shape);
    to.number(recorded.policy);
  }
  to.number(execution.causes.size());
  for (const Cause& cause : execution.causes) put(to, cause);
}

void get(Reader& from, Execution& execution) {
  execution.clear();
  const auto kind = from.plain<std::uint8_t>();
  if (kind & has_decided) execution.decided = from.plain<Hash128>();
  if (kind & is_plain) {
    if (!execution.decided) return from.fail();
    execution.endings.emplace_back(*execution.decided, (kind & is_complete) != 0);
  } else {
    execution.endings.resize(from.count());
    for (Execution::Ending& ending : execution.endings) {
      ending.observed = from.plain<Hash128>();
      ending.complete = from.number() != 0;
    }
  }
  if ((kind & has_tags) != 0) get_tags(from, execution);
  if (kind & has_races) get(from, execution.races);
  if (kind & has_branching) get(from, execution.branching.emplace());
  if ((kind & has_recorded_ends) == 0) return;
  execution.recorded_ends.resize(from.count());
  for (Execution::RecordedEnd& recorded : execution.recorded_ends) {
    recorded.shape = from.plain<Hash128>();
    recorded.policy = static_cast<std::uint32_t>(from.number());
  }
  execution.causes.resize(from.count());
  for (Cause& cause : execution.causes) get(from, cause);
}

void put(Writer& to, const std::optional<reduction::CandidateIndex>& candidate) {
  to.number(candidate ? std::uint64_t{candidate->reader} + 1 : 0);
  if (candidate) to.number(candidate->index);
}

void get(Reader& from, std::optional<reduction::CandidateIndex>& candidate) {
  candidate.reset();
  const std::uint64_t reader = from.number();
  if (reader > 0) candidate = {static_cast<std::uint32_t>(reader - 1), static_cast<std::uint32_t>(from.number())};
}

void put(Writer& to, const reduction::Cut& cut) {
  to.number(cut.floor);
  to.number(cut.limit);
}

void get(Reader& from, reduction::Cut& cut) {
  cut.floor = static_cast<std::uint32_t>(from.number());
  cut.limit = static_cast<std::uint32_t>(from.number());
}

void put(Writer& to, const reduction::Donation& donation) {
  put(to, donation.path);
  to.plain(donation.position);
  put(to, donation.cut);
}

void get(Reader& from, reduction::Donation& donation) {
  get(from, donation.path);
  donation.position = from.plain<double>();
  get(from, donation.cut);
}

void put(Writer& to, const Path& path) {
  to.number(path.deviations.size());
  for (const reduction::Deviation& deviation : path.deviations) {
    to.number(deviation.position);
    to.number(deviation.option);
    put(to, deviation.candidate);
  }
  to.number(path.length);
  to.plain(path.check);
  to.number(path.is_done);
  to.number(path.next);
  put(to, path.candidate);
  to.number(path.floor);
  to.number(path.floor_limit);
}

void get(Reader& from, Path& path) {
  path.deviations.resize(from.count());
  for (reduction::Deviation& deviation : path.deviations) {
    deviation.position = static_cast<std::uint32_t>(from.number());
    deviation.option = static_cast<std::uint32_t>(from.number());
    get(from, deviation.candidate);
  }
  path.length = static_cast<std::uint32_t>(from.number());
  path.check = from.plain<std::uint64_t>();
  path.is_done = from.number() != 0;
  path.next = static_cast<std::uint32_t>(from.number());
  get(from, path.candidate);
  path.floor = static_cast<std::uint32_t>(from.number());
  path.floor_limit = static_cast<std::uint32_t>(from.number());
}

void put(Writer& to, const verdict::Limits& limits) {
  to.number(limits.refusals_left_out);
  put(to, limits.unsupported);
  to.number(limits.orders_left_out);
  to.number(limits.executions_not_meant);
  put(to, limits.assumptions);
  put(to, limits.strayed);
}

void get(Reader& from, verdict::Limits& limits) {
  limits.refusals_left_out = from.number() != 0;
  get(from, limits.unsupported);
  limits.orders_left_out = from.number() != 0;
  limits.executions_not_meant = from.number() != 0;
  get(from, limits.assumptions);
  get(from, limits.strayed);
}

}  // namespace rehearse::mc::records
