// SPDX-License-Identifier: MIT
//
// A run without a forced schedule, and the dates of its messages.
#include "app/likely_orders.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

#include "app/decision_text.hpp"
#include "app/launch.hpp"
#include "app/replay.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

// The dates at which messages could be received, and their receivers.
class Dates final : public Timeline {
 public:
  void on_operation(ActorId, const Operation&, TimePoint, TimePoint) override {}
  void on_computation(ActorId, TimePoint, TimePoint) override {}
  void on_visible(const SendName& message, ActorId, TimePoint now) override { visible.emplace(message, now); }
  void on_match(ActorId receiver, RequestId receive, const SendName& message, TimePoint) override {
    taken[{receiver, receive}] = message;
  }

  std::map<SendName, TimePoint> visible;
  std::map<std::pair<ActorId, RequestId>, SendName> taken;
};

std::string rank(ActorId actor) { return fmt::format("rank {}", actor.value); }

std::string seconds(Duration duration) {
  char text[64];
  std::snprintf(text, sizeof text, "%.9f s", duration.seconds());
  return text;
}

std::string sentence(const LikelyMatch& match) {
  if (match.is_same()) return match.text + "; the same happens without the schedule";
  if (!match.taken)
    return match.text + "; without the schedule, the program does not make this call, or it gets no message";
  const std::string text = match.text + "; without the schedule it takes a message of " + rank(match.taken->source);
  const auto slack = match.slack();
  if (!slack) return text + ", and the other message is sent later or never";
  if (slack->picoseconds == 0) return text + ", which arrives at the same date: both orders are likely";
  return text + "; the order changes if this message arrives " + seconds(*slack) +
         " later, or the other one as much earlier";
}

// The receives that matter, each once.
std::vector<LikelyMatch> decisive(const Explanation& explanation) {
  std::vector<LikelyMatch> matches;
  const auto add = [&matches](const mc::Decision& decision) {
    for (const mc::DecidedMatch& match : decision.matches) {
      const std::pair key{match.receive.actor, match.receive_number};
      if (std::ranges::find(matches, key, &LikelyMatch::receive) != matches.end()) continue;
      matches.push_back({text_of(decision), key, {match.message.actor, match.message_number}, {}, {}, {}});
    }
  };
  for (const mc::Decision& decision : explanation.cause.decisions) add(decision);
  if (explanation.cause.critical) add(explanation.cause.critical->taken);
  return matches;
}

}  // namespace

std::optional<Duration> LikelyMatch::slack() const {
  if (is_same()) return Duration{};
  if (!wanted_at || !taken_at) return std::nullopt;
  return Duration{std::max<std::int64_t>(wanted_at->picoseconds - taken_at->picoseconds, 0)};
}

Result<LikelyOrders> likely_orders(const Counterexample& of, const MachineOptions& machine, double step_seconds) {
  auto made = make_machine(machine, of.ranks);
  if (!made) return made.error();
  auto program = launch_to_replay(job_of(of));
  if (!program) return program.error();
  place_started(*made.value(), program.value()->actor_count());
  program.value()->limit_steps({step_seconds, UINT64_MAX, machine.stop});
  Dates dates;
  EngineOptions options = engine_options(of.policy, {}, nullptr);
  options.message_costs = made.value()->protocol.costs;
  options.handshake = made.value()->protocol.handshake;
  apply(machine.compute, options);
  options.timeline = &dates;
  auto run = run_timed(*program.value(), *made.value(), std::move(options));
  if (!run) return run.error();

  LikelyOrders orders;
  orders.end = run.value().result.end;
  const FindingIdentity wanted = identity_of(of.finding);
  for (const Finding& finding : run.value().findings) {
    orders.is_same_finding = orders.is_same_finding || identity_of(finding) == wanted;
  }
  orders.ends_well =
      std::ranges::none_of(run.value().findings, [](const Finding& f) { return f.severity == Severity::error; });
  const auto date_of = [&](const SendName& message) {
    const auto known = dates.visible.find(message);
    return known == dates.visible.end() ? std::nullopt : std::optional(known->second);
  };
  if (of.explanation) orders.matches = decisive(*of.explanation);
  for (LikelyMatch& match : orders.matches) {
    match.wanted_at = date_of(match.wanted);
    const auto taken = dates.taken.find(match.receive);
    if (taken == dates.taken.end()) continue;
    match.taken = taken->second;
    match.taken_at = date_of(taken->second);
  }
  return orders;
}

std::string text_of(const LikelyOrders& orders, const Finding& finding, const std::string& platform) {
  std::string text = "without the schedule, on " + platform + ", the program ";
  if (orders.is_same_finding) text += "does the same (" + finding.id.text() + ")";
  else text += orders.ends_well ? "ends well" : "ends with another error";
  text += " at " + in_seconds(orders.end) + "\n";
  for (const LikelyMatch& match : orders.matches) text += "  " + wrapped(sentence(match), 96, "      ") + "\n";
  return text;
}

Json to_json(const LikelyOrders& orders) {
  const auto name = [](const SendName& send) {
    return Json{{"rank", send.source.value}, {"request", send.request.value}};
  };
  Json json = {{"same_finding", orders.is_same_finding},
               {"ends_well", orders.ends_well},
               {"simulated_seconds", orders.end.seconds()},
               {"matches", Json::array()}};
  for (const LikelyMatch& match : orders.matches) {
    Json entry = {{"rank", match.receive.first.value},
                  {"receive", match.receive.second.value},
                  {"text", match.text},
                  {"wanted", name(match.wanted)}};
    if (match.taken) entry["taken"] = name(*match.taken);
    if (const auto slack = match.slack()) entry["slack_seconds"] = slack->seconds();
    json["matches"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace rehearse::app
