// SPDX-License-Identifier: MIT
//
// Findings as JSON and back.
#include "app/finding_json.hpp"

#include <array>

#include "app/policies.hpp"
#include "properties/catalogue.hpp"

namespace rehearse::app {
namespace {

constexpr std::array<std::pair<Severity, std::string_view>, 3> severities = {
    {{Severity::error, "error"}, {Severity::warning, "warning"}, {Severity::note, "note"}}};

Json location_to_json(const Location& location) {
  Json json = place_to_json(location);
  json["what"] = location.what;
  return json;
}

Location location_from_json(const Json& json) {
  Location location;
  read_place(json, location);
  location.what = json.at("what");
  return location;
}

Severity severity_from(const std::string& name) {
  for (const auto& [severity, word] : severities) {
    if (word == name) return severity;
  }
  throw std::out_of_range("severity '" + name + "' is none of error, warning, note");
}

}  // namespace

std::string_view name_of(Severity severity) {
  for (const auto& [value, word] : severities) {
    if (value == severity) return word;
  }
  REHEARSE_ASSERT(false, "a severity without a name");
  return {};
}

Json to_json(const Finding& finding) {
  Json json = {{"id", finding.id.text()}, {"severity", name_of(finding.severity)}, {"message", finding.message}};
  if (!finding.policies.empty()) json["policy"] = names_of(finding.policies);
  json["ranks"] = Json::array();
  for (const ActorId actor : finding.actors) json["ranks"].push_back(actor.value);
  json["locations"] = Json::array();
  for (const Location& location : finding.locations) json["locations"].push_back(location_to_json(location));
  if (!finding.likewise.empty()) {
    json["likewise"] = Json::array();
    for (const std::vector<ActorId>& others : finding.likewise) {
      Json& ranks = json["likewise"].emplace_back(Json::array());
      for (const ActorId actor : others) ranks.push_back(actor.value);
    }
  }
  json["schedule"] = to_text(finding.witness);
  if (const properties::Check* check = properties::find_check(finding.id.text())) {
    if (!check->clause.empty()) json["clause"] = "MPI 4.1, section " + std::string(check->clause);
    json["advice"] = check->advice;
  }
  if (!finding.advice.empty()) json["advice"] = finding.advice;
  return json;
}

Result<Finding> finding_from_json(const Json& json) {
  try {
    Finding finding;
    finding.id = json.at("id").get<std::string>();
    finding.severity = severity_from(json.at("severity"));
    finding.message = json.at("message");
    if (json.contains("policy"))
      for (const std::string& name : json.at("policy").get<std::vector<std::string>>()) {
        const Result<Policy> policy = parse_policy(name);
        if (!policy) return Error{"not a finding: " + policy.error().text};
        finding.policies.push_back(policy.value());
      }
    for (const Json& rank : json.at("ranks")) finding.actors.push_back({rank.get<std::uint32_t>()});
    for (const Json& location : json.at("locations")) finding.locations.push_back(location_from_json(location));
    auto witness = parse_witness(json.at("schedule"));
    if (!witness) return witness.error();
    finding.witness = std::move(witness.value());
    const properties::Check* check = properties::find_check(finding.id.text());
    if (json.contains("advice") && (check == nullptr || json.at("advice") != check->advice))
      finding.advice = json.at("advice");
    if (json.contains("likewise"))
      for (const Json& ranks : json.at("likewise")) {
        std::vector<ActorId>& others = finding.likewise.emplace_back();
        for (const Json& rank : ranks) others.push_back({rank.get<std::uint32_t>()});
        if (others.size() != finding.actors.size())
          return Error{"not a finding: 'likewise' has other numbers of ranks"};
      }
    return finding;
  } catch (const std::exception& problem) {
    return Error{std::string("not a finding: ") + problem.what()};
  }
}

std::string text_of(const Json& document) { return document.dump(2) + "\n"; }

}  // namespace rehearse::app
