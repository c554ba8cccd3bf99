// SPDX-License-Identifier: MIT
//
// Builds the SARIF log. Numbers in comments are sections of the standard.
#include "app/cli/report/sarif.hpp"

#include <algorithm>
#include <cstdio>

#include "app/cli/report/place_in_tree.hpp"
#include "app/likewise.hpp"
#include "app/policies.hpp"
#include "app/version.hpp"
#include "app/wording.hpp"
#include "properties/catalogue.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/hash.hpp"

namespace rehearse::cli {
namespace {

constexpr const char* schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr const char* root_id = "SRCROOT";

app::Json text(std::string_view words) { return {{"text", words}}; }

std::string_view level_of(properties::Grade grade) {
  switch (grade) {
    case properties::Grade::error: return "error";
    case properties::Grade::warning: return "warning";
    case properties::Grade::note: return "note";
    case properties::Grade::limit: return "none";
  }
  return "none";
}

// 3.49 reportingDescriptor
app::Json rule_of(const properties::Check& check) {
  const std::string id(check.id);
  std::string help = std::string(check.text) + ". " + std::string(check.advice);
  if (!check.clause.empty()) help += " Standard: MPI 4.1, section " + std::string(check.clause) + ".";
  app::Json rule = {{"id", id},
                    {"shortDescription", text(check.text)},
                    {"help", text(help)},
                    {"defaultConfiguration", {{"level", level_of(check.grade)}}},
                    {"properties", {{"tags", {"mpi", id.substr(0, id.find('.'))}}}}};
  if (!check.clause.empty()) rule["properties"]["clause"] = "MPI 4.1, section " + std::string(check.clause);
  return rule;
}

app::Json rules() {
  app::Json all = app::Json::array();
  for (const properties::Check& check : properties::catalogue()) all.push_back(rule_of(check));
  return all;
}

std::string sentence_of(const Location& location) {
  std::string words = fmt::format("rank {}", location.actor.value);
  if (!location.call.empty()) words += " in " + location.call;
  if (!location.what.empty()) words += (location.call.empty() ? ": " : " ") + location.what;
  return words;
}

// 3.28 location
app::Json location_of(const Location& location, const std::string& folder) {
  app::Json json = {{"message", text(sentence_of(location))}};
  if (!location.file.empty()) {
    const std::string path = path_in_tree(location.file, folder);
    const bool is_inside = !path.starts_with('/');
    app::Json artifact = {{"uri", is_inside ? uri_of_path(path) : "file://" + uri_of_path(path)}};
    if (is_inside) artifact["uriBaseId"] = root_id;
    json["physicalLocation"] = {{"artifactLocation", std::move(artifact)}};
    if (location.line > 0) json["physicalLocation"]["region"] = {{"startLine", location.line}};
  }
  if (!location.function.empty())
    json["logicalLocations"] = app::Json::array({{{"name", location.function}, {"kind", "function"}}});
  return json;
}

// A hash of the properties that do not change when lines are added above.
std::string fingerprint_of(const Finding& finding) {
  StableHash hash;
  const auto add = [&hash](const std::string& words) { hash.add(words + '\n'); };
  add(finding.id.text());
  for (const Location& location : finding.locations) {
    add(location.file.substr(location.file.rfind('/') + 1));
    add(location.function);
    add(location.call);
  }
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash.value()));
  return digits;
}

// 3.36 codeFlow, 3.37 threadFlow: one for each rank, with its last place.
app::Json code_flow(const Finding& finding, const std::string& folder) {
  app::Json threads = app::Json::array();
  for (const Location& location : finding.locations) {
    const std::string rank = fmt::format("rank {}", location.actor.value);
    const auto is_it = [&](const app::Json& each) { return each.at("id") == rank; };
    const auto same = std::find_if(threads.begin(), threads.end(), is_it);
    const app::Json step = {{"location", location_of(location, folder)}};
    if (same != threads.end()) (*same)["locations"].push_back(step);
    else threads.push_back({{"id", rank}, {"locations", app::Json::array({step})}});
  }
  return {{"threadFlows", std::move(threads)}};
}

// 3.27 result
app::Json result_of(const Finding& finding, const std::string& folder) {
  const auto rules = properties::catalogue();
  const auto rule = std::ranges::find(rules, std::string_view(finding.id.text()), &properties::Check::id);
  app::Json result = {{"ruleId", finding.id.text()}};
  if (rule != rules.end()) result["ruleIndex"] = rule - rules.begin();
  result["level"] = app::name_of(finding.severity);
  result["message"] = text(app::whole_message(finding));
  const auto main = std::ranges::find_if(finding.locations, [](const Location& each) { return !each.file.empty(); });
  app::Json related = app::Json::array();
  for (auto each = finding.locations.begin(); each != finding.locations.end(); ++each) {
    app::Json location = location_of(*each, folder);
    if (each == main) {
      result["locations"] = app::Json::array({std::move(location)});
      continue;
    }
    location["id"] = related.size() + 1;
    related.push_back(std::move(location));
  }
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  if (finding.locations.size() > 1) result["codeFlows"] = app::Json::array({code_flow(finding, folder)});
  result["partialFingerprints"] = {{"rehearseFinding/v1", fingerprint_of(finding)}};
  result["properties"] = {{"ranks", app::Json::array()}, {"schedule", to_text(finding.witness)}};
  for (const ActorId actor : finding.actors) result["properties"]["ranks"].push_back(actor.value);
  if (!finding.policies.empty()) result["properties"]["policies"] = app::names_of(finding.policies);
  return result;
}

// 3.20 invocation
app::Json invocation_of(const app::CheckReport& report, const std::string& folder) {
  app::Json invocation = {{"executionSuccessful", true},
                          {"exitCode", exit_status_of(app::answer_of(report.verdict))},
                          {"exitCodeDescription", app::name_of(app::answer_of(report.verdict))},
                          {"workingDirectory", {{"uri", "file://" + uri_of_path(folder) + "/"}}}};
  for (const std::string& reason : report.verdict.reasons) {
    invocation["toolExecutionNotifications"].push_back(
        {{"level", "warning"}, {"message", text("not everything was explored: " + reason)}});
  }
  return invocation;
}

}  // namespace

app::Json sarif_log(const app::CheckReport& report, const std::string& folder) {
  app::Json run = {{"tool", {{"driver", {{"name", "Rehearse"}, {"version", app::version}, {"rules", rules()}}}}},
                   {"invocations", app::Json::array({invocation_of(report, folder)})},
                   {"originalUriBaseIds", {{root_id, {{"uri", "file://" + uri_of_path(folder) + "/"}}}}},
                   {"columnKind", "unicodeCodePoints"},
                   {"results", app::Json::array()},
                   {"properties",
                    {{"program", report.program},
                     {"ranks", report.ranks},
                     {"verdict", app::name_of(app::answer_of(report.verdict))},
                     {"executions", report.verdict.executions}}}};
  for (const Finding& finding : report.verdict.findings) run["results"].push_back(result_of(finding, folder));
  return {{"$schema", schema}, {"version", "2.1.0"}, {"runs", app::Json::array({std::move(run)})}};
}

}  // namespace rehearse::cli
