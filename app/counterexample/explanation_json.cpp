// SPDX-License-Identifier: MIT
//
// Keys and values, in the order of docs/manual.md.
#include "app/explanation_json.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "app/decision_text.hpp"
#include "simcore/schedule.hpp"

namespace rehearse::app {
namespace {

constexpr std::array<const char*, 8> meanings = {
    "",         "fails", "goes_on", "chooses_who_fails", "chooses_nobody", "hears_of_failure", "hears_of_revocation",
    "completes"};  // by mc::Meaning

mc::Meaning meaning_from(const std::string& text) {
  const auto found = std::ranges::find(meanings, text);
  return found == meanings.end() ? mc::Meaning::plain : static_cast<mc::Meaning>(found - meanings.begin());
}

Json to_json(const mc::CallSite& site) {
  Json json = place_to_json(site);
  json["occurrence"] = site.occurrence;
  return json;
}

mc::CallSite site_from(const Json& json) {
  mc::CallSite site;
  read_place(json, site);
  site.occurrence = json.at("occurrence");
  return site;
}

mc::Decision decision_from(const Json& json) {
  mc::Decision decision;
  decision.at = site_from(json.at("at"));
  for (const Json& match : json.at("matches")) {
    const auto number = [&match](const char* end) {
      return RequestId{match.at(end).at("request").get<std::uint32_t>()};
    };
    decision.matches.push_back({site_from(match.at("receive")), site_from(match.at("message")),
                                match.at("any_source").get<bool>(), number("receive"), number("message")});
  }
  decision.waits_for_ever = json.contains("waits_for_ever") && json.at("waits_for_ever").get<bool>();
  if (!json.contains("answer")) return decision;
  const Json& answer = json.at("answer");
  mc::DecidedAnswer& decided = decision.answer.emplace();
  decided.flag = answer.at("flag");
  decided.completed = answer.at("completed").get<std::vector<std::uint32_t>>();
  if (answer.contains("means")) decided.means = meaning_from(answer.at("means"));
  if (answer.contains("seen")) decided.seen = site_from(answer.at("seen"));
  return decision;
}

Json to_json(const std::vector<mc::Decision>& decisions) {
  Json list = Json::array();
  for (const mc::Decision& decision : decisions) list.push_back(app::to_json(decision));
  return list;
}

std::vector<mc::Decision> decisions_from(const Json& json) {
  std::vector<mc::Decision> decisions;
  for (const Json& decision : json) decisions.push_back(decision_from(decision));
  return decisions;
}

}  // namespace

Json to_json(const mc::Decision& decision) {
  Json json = {{"text", text_of(decision)}, {"at", to_json(decision.at)}, {"matches", Json::array()}};
  for (const mc::DecidedMatch& match : decision.matches) {
    Json receive = to_json(match.receive), message = to_json(match.message);
    receive["request"] = match.receive_number.value;
    message["request"] = match.message_number.value;
    json["matches"].push_back({{"receive", receive}, {"message", message}, {"any_source", match.any_source}});
  }
  if (decision.answer) {
    json["answer"] = {{"flag", decision.answer->flag}, {"completed", decision.answer->completed}};
    if (decision.answer->means != mc::Meaning::plain)
      json["answer"]["means"] = meanings.at(static_cast<std::size_t>(decision.answer->means));
    if (decision.answer->seen) json["answer"]["seen"] = to_json(*decision.answer->seen);
  }
  if (decision.waits_for_ever) json["waits_for_ever"] = true;
  return json;
}

Json to_json(const Explanation& explanation) {
  Json json = {{"decisions", to_json(explanation.cause.decisions)},
               {"decisions_before", explanation.cause.decisions_before},
               {"fewest", explanation.cause.is_fewest}};
  if (explanation.cause.critical) {
    json["critical"] = {{"text", text_of(*explanation.cause.critical)},
                        {"taken", to_json(explanation.cause.critical->taken)},
                        {"instead", to_json(explanation.cause.critical->instead)}};
    json["passing"] = {{"schedule", explanation.cause.passing ? to_text(*explanation.cause.passing) : ""},
                       {"differences", to_json(explanation.cause.differences)}};
  }
  json["ends_well_without_waiting"] = explanation.cause.ends_well_without_waiting;
  json["executions"] = explanation.cause.executions;
  json["involved"] = Json::array();
  for (const ActorId actor : explanation.cause.involved) json["involved"].push_back(actor.value);
  json["story"] = explanation.story;
  json["switches"] = explanation.cause.switches;
  json["whole_story"] = explanation.cause.is_story_whole;
  json["waits"] = explanation.waits;
  json["replayed_on"] = explanation.replayed_on;
  return json;
}

Explanation explanation_from_json(const Json& json) {
  Explanation explanation;
  explanation.cause.decisions = decisions_from(json.at("decisions"));
  explanation.cause.decisions_before = json.at("decisions_before");
  explanation.cause.is_fewest = json.at("fewest");
  if (json.contains("critical")) {
    const Json& critical = json.at("critical");
    explanation.cause.critical = {decision_from(critical.at("taken")), decision_from(critical.at("instead"))};
    if (auto passing = parse_schedule(json.at("passing").at("schedule"))) explanation.cause.passing = passing.value();
    explanation.cause.differences = decisions_from(json.at("passing").at("differences"));
  }
  explanation.cause.ends_well_without_waiting = json.at("ends_well_without_waiting");
  explanation.cause.executions = json.at("executions");
  for (const Json& actor : json.at("involved")) explanation.cause.involved.push_back({actor.get<std::uint32_t>()});
  explanation.story = json.at("story").get<std::vector<std::string>>();
  explanation.cause.switches = json.at("switches");
  explanation.cause.is_story_whole = json.at("whole_story");
  explanation.waits = json.at("waits").get<std::vector<std::string>>();
  explanation.replayed_on = json.at("replayed_on");
  return explanation;
}

}  // namespace rehearse::app
