// SPDX-License-Identifier: MIT
//
// Keys and values, in the order of docs/manual.md.
#include "app/explanation_json.hpp"

#include "app/decision_text.hpp"

namespace rehearse::app {
namespace {

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
  mc::DecidedAnswer& told = decision.answer.emplace();
  told.flag = answer.at("flag");
  told.completed = answer.at("completed").get<std::vector<std::uint32_t>>();
  if (answer.contains("seen")) told.seen = site_from(answer.at("seen"));
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
    if (decision.answer->seen) json["answer"]["seen"] = to_json(*decision.answer->seen);
  }
  if (decision.waits_for_ever) json["waits_for_ever"] = true;
  return json;
}

Json to_json(const Told& told) {
  Json json = {{"decisions", to_json(told.decisions)},
               {"decisions_before", told.decisions_before},
               {"fewest", told.is_fewest}};
  if (told.critical) {
    json["critical"] = {{"text", text_of(*told.critical)},
                        {"taken", to_json(told.critical->taken)},
                        {"instead", to_json(told.critical->instead)}};
    json["passing"] = {{"schedule", told.passing}, {"differences", to_json(told.differences)}};
  }
  json["ends_well_without_waiting"] = told.ends_well_without_waiting;
  json["executions"] = told.executions;
  json["involved"] = told.involved;
  json["story"] = told.story;
  json["switches"] = told.switches;
  json["whole_story"] = told.is_story_whole;
  json["waits"] = told.waits;
  json["replayed_on"] = told.replayed_on;
  return json;
}

Told told_from_json(const Json& json) {
  Told told;
  told.decisions = decisions_from(json.at("decisions"));
  told.decisions_before = json.at("decisions_before");
  told.is_fewest = json.at("fewest");
  if (json.contains("critical")) {
    const Json& critical = json.at("critical");
    told.critical = {decision_from(critical.at("taken")), decision_from(critical.at("instead"))};
    told.passing = json.at("passing").at("schedule");
    told.differences = decisions_from(json.at("passing").at("differences"));
  }
  told.ends_well_without_waiting = json.at("ends_well_without_waiting");
  told.executions = json.at("executions");
  told.involved = json.at("involved").get<std::vector<std::uint32_t>>();
  told.story = json.at("story").get<std::vector<std::string>>();
  told.switches = json.at("switches");
  told.is_story_whole = json.at("whole_story");
  told.waits = json.at("waits").get<std::vector<std::string>>();
  told.replayed_on = json.at("replayed_on");
  return told;
}

}  // namespace rehearse::app
