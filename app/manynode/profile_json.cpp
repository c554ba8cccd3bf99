// SPDX-License-Identifier: MIT
//
// Writes profiles.
#include <algorithm>

#include "app/manynode_profile.hpp"

namespace rehearse::app {
namespace {

using manynode::BinnedDistribution;

Json tail_json(const manynode::ParetoTail& tail) {
  return {{"from", tail.from}, {"shape", tail.shape}, {"scale", tail.scale}, {"share", tail.share}};
}

// Adds the members of a mode, of its residuals, or of a third.
Json distribution_json(const BinnedDistribution& distribution, Json json = Json::object()) {
  Json quantiles = Json::array();
  for (const manynode::QuantilePoint& each : distribution.points()) {
    quantiles.push_back(Json::array({each.probability, each.value}));
  }
  json["samples"] = distribution.samples();
  json["mean"] = distribution.mean();
  json["sd"] = distribution.deviation();
  json["min"] = distribution.least();
  json["max"] = distribution.greatest();
  json["quantiles"] = std::move(quantiles);
  if (distribution.tail()) json["tail"] = tail_json(*distribution.tail());
  return json;
}

Json mode_json(const manynode::ModeProfile& mode) {
  Json json = distribution_json(mode.distribution, {{"weight", mode.weight}});
  if (!mode.resampled.empty()) {
    Json resampled = Json::array();
    for (const manynode::ParetoTail& each : mode.resampled) {
      resampled.push_back(Json::array({each.from, each.shape, each.scale}));
    }
    json["tail"]["resampled"] = std::move(resampled);
  }
  if (mode.residuals) json["residuals"] = distribution_json(*mode.residuals);
  return json;
}

Json order_json(const manynode::ModeOrder& order) {
  using Kind = manynode::ModeOrder::Kind;
  Json json = {{"kind", name_of(order.kind)}};
  if (order.kind == Kind::period) {
    json["prefix"] = Json(order.prefix);
    json["period"] = Json(order.period);
    json["agreement"] = order.agreement;
  }
  if (order.kind == Kind::markov) {
    Json rows = Json::array();
    for (const auto& row : order.transitions) rows.push_back(Json(row));
    json["transitions"] = std::move(rows);
  }
  if (order.is_common) json["common"] = true;
  return json;
}

Json scaling_json(const manynode::ScalingFit& fit, const std::vector<std::uint32_t>& at) {
  Json values = Json::object();
  for (const std::uint32_t ranks : at) values[std::to_string(ranks)] = fit.at(ranks);
  return {{"term", fit.term},
          {"coefficients", Json::array({fit.constant, fit.slope})},
          {"sizes", Json::array({fit.least, fit.most})},
          {"at", std::move(values)}};
}

Json marker_json(const manynode::MarkerProfile& marker, const std::vector<std::uint32_t>& at) {
  Json json = {{"id", marker.id}, {"cluster", marker.cluster}, {"samples", marker.samples}};
  if (marker.law) {
    json["law"] = to_json(*marker.law);
    return json;
  }
  Json modes = Json::array();
  for (const manynode::ModeProfile& each : marker.modes) modes.push_back(mode_json(each));
  json["modes"] = std::move(modes);
  json["order"] = order_json(marker.order);
  if (marker.effects) {
    json["effects"] = {{"rank_sd", marker.effects->rank_sd},
                       {"iteration_sd", marker.effects->iteration_sd},
                       {"residual_sd", marker.effects->residual_sd},
                       {"significant", marker.effects->are_significant}};
  }
  if (marker.drift) {
    Json thirds = Json::array();
    for (const BinnedDistribution& each : marker.drift->thirds) thirds.push_back(distribution_json(each));
    json["drift"] = {{"probability", marker.drift->probability},
                     {"executions", marker.drift->executions},
                     {"thirds", std::move(thirds)}};
  }
  if (marker.scaling) json["scaling"] = scaling_json(*marker.scaling, at);
  if (marker.memory) {
    json["memory"] = {{"part", marker.memory->part},
                      {"ranks_at_bandwidth", marker.memory->ranks_at_bandwidth},
                      {"measured_with", marker.memory->measured_with}};
  }
  return json;
}

}  // namespace

Json to_json(const manynode::Law& law) {
  Json json = {{"law", law.name()}};
  if (const auto* empirical = std::get_if<manynode::EmpiricalLaw>(&law.variant())) {
    return distribution_json(empirical->distribution, std::move(json));
  }
  for (const auto& [name, value] : law.parameters()) json[name] = value;
  return json;
}

Json to_json(const manynode::Profile& profile, const std::vector<std::uint32_t>& at) {
  Json clusters = Json::array(), markers = Json::array();
  for (const manynode::RankCluster& each : profile.clusters) {
    clusters.push_back({{"id", each.id},
                        {"ranks", Json(each.ranks)},
                        {"representative", each.representative},
                        {"size", each.ranks.size()},
                        {"rule", text_of(each.rule)}});
  }
  for (const manynode::MarkerProfile& each : profile.markers) markers.push_back(marker_json(each, at));
  Json json = {{"rehearse_profile", 1},           {"source", profile.source},
               {"ranks", profile.ranks},          {"clustered_by", profile.clustered_by},
               {"clusters", std::move(clusters)}, {"markers", std::move(markers)}};
  if (profile.scaling) json["scaling"] = scaling_json(*profile.scaling, at);
  json["warnings"] = Json(profile.warnings);
  return json;
}

}  // namespace rehearse::app
