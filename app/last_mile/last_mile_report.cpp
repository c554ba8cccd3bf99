// SPDX-License-Identifier: MIT
//
// See last_mile_report.hpp.
#include "app/last_mile/last_mile_report.hpp"

#include <cmath>
#include <cstdlib>

#include "app/version.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

// Six digits: a report of many pairs should stay small.
Json rounded(double value) {
  return std::isfinite(value) ? Json(std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr)) : Json();
}

Json link_json(const LinkBandwidth& link) {
  const bool is_measured = link.knowledge != Knowledge::not_measured;
  return {{"bandwidth", is_measured ? rounded(link.bytes_per_second) : Json()},
          {"known", name_of(link.knowledge)},
          {"pairs", link.pairs},
          {"limited", link.limiting},
          {"spread", rounded(link.spread)}};
}

Json latency_json(const HostLatency& latency) {
  const bool is_measured = latency.pairs > 0, is_range = latency.least < latency.most;
  return {{"seconds", is_measured ? rounded(latency.seconds) : Json()},
          {"known", !is_measured ? name_of(Knowledge::not_measured)
                    : is_range   ? "range"
                                 : "value"},
          {"least", is_measured ? rounded(latency.least) : Json()},
          {"most", is_measured ? rounded(latency.most) : Json()},
          {"pairs", latency.pairs},
          {"spread", rounded(latency.spread)}};
}

void add_errors(Json& list, const std::vector<ErrorFigures>& all, const char* pairs) {
  for (const ErrorFigures& figures : all)
    list.push_back({{"model", figures.name},
                    {"pairs", pairs},
                    {"cases", figures.cases},
                    {"mean", rounded(figures.mean)},
                    {"median", rounded(figures.median)},
                    {"greatest", rounded(figures.greatest)},
                    {"logarithmic", rounded(figures.logarithmic)}});
}

// Columns, because a row of names for each pair would take several times the space.
Json study_json(const PairStudy& study) {
  Json from = Json::array(), to = Json::array(), measured = Json::array(), fitted = Json::array(),
       left_out = Json::array(), repetitions = Json::array(), errors = Json::array();
  for (std::size_t i = 0; i < study.pairs.size(); ++i) {
    from.push_back(study.pairs[i].from);
    to.push_back(study.pairs[i].to);
    measured.push_back(rounded(study.pairs[i].value));
    repetitions.push_back(study.pairs[i].repetitions);
    fitted.push_back(rounded(study.fitted[i]));
    left_out.push_back(rounded(study.left_out[i]));
  }
  add_errors(errors, study.errors.fitted, "all");
  add_errors(errors, study.errors.left_out, "left out");
  return {{"from", std::move(from)},
          {"to", std::move(to)},
          {"repetitions", std::move(repetitions)},
          {"measured", std::move(measured)},
          {"fitted", std::move(fitted)},
          {"left_out", std::move(left_out)},
          {"unpredicted", study.errors.unpredicted},
          {"errors", std::move(errors)}};
}

}  // namespace

Json report_of(const LastMileParts& parts) {
  Json json = {{"rehearse", version},
               {"about", parts.about},
               {"statistic", parts.statistic},
               {"folds", parts.folds},
               {"links", parts.bandwidth.pairs.empty()   ? Json()
                         : parts.bandwidths.is_symmetric ? Json("symmetric")
                                                         : Json("directed")},
               {"lines_without_value", parts.empty_lines}};
  json["hosts"] = Json::array();
  for (std::size_t i = 0; i < parts.names.size(); ++i)
    json["hosts"].push_back({{"name", parts.names[i]},
                             {"up", link_json(parts.bandwidths.up[i])},
                             {"down", link_json(parts.bandwidths.down[i])},
                             {"latency", latency_json(parts.latencies[i])}});
  json["latency"] = study_json(parts.latency);
  json["bandwidth"] = study_json(parts.bandwidth);
  json["bandwidth"]["least_greatest_error"] =
      parts.bandwidth.pairs.empty() ? Json() : rounded(std::expm1(parts.bandwidths.least_greatest_error));
  json["warnings"] = Json(parts.warnings);
  return json;
}

}  // namespace rehearse::app
