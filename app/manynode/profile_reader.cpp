// SPDX-License-Identifier: MIT
//
// Reads profiles. A fault of a value is thrown with its place, and becomes an error at the interface.
#include <cmath>
#include <stdexcept>

#include "app/manynode_profile.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse::app {
namespace {

using manynode::BinnedDistribution;

struct ProfileFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void refuse(const std::string& place, const std::string& fault) {
  throw ProfileFault(place.empty() ? fault : place + ": " + fault);
}

std::string join(const std::string& place, std::string_view key) {
  return place.empty() ? std::string(key) : fmt::format("{}: {}", place, key);
}

std::string shown(const Json& json) {
  const std::string text = json.dump();
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

const Json& need(const Json& json, std::string_view key, const std::string& place) {
  if (!json.is_object()) refuse(place, fmt::format("{}, expected an object", shown(json)));
  const Json* found = json.find(key);
  if (found == nullptr) refuse(place, fmt::format("no '{}'", key));
  return *found;
}

double number_in(const Json& json, const std::string& place) {
  if (!json.is_number() || !std::isfinite(json.get<double>())) refuse(place, shown(json) + ", expected a number");
  return json.get<double>();
}

double need_number(const Json& json, std::string_view key, const std::string& place) {
  return number_in(need(json, key, place), join(place, key));
}

std::uint32_t whole_in(const Json& json, const std::string& place, std::uint64_t most = 0xffffffff) {
  const double value = json.is_number() ? json.get<double>() : -1;
  if (!(value >= 0 && value <= static_cast<double>(most)) || value != std::floor(value)) {
    refuse(place, fmt::format("{}, expected a whole number from 0 to {}", shown(json), most));
  }
  return json.get<std::uint32_t>();
}

std::string text_in(const Json& json, const std::string& place) {
  if (!json.is_string()) refuse(place, shown(json) + ", expected a text");
  return json.get<std::string>();
}

const Json& array_in(const Json& json, const std::string& place, std::size_t size = 0) {
  if (!json.is_array()) refuse(place, shown(json) + ", expected an array");
  if (size > 0 && json.size() != size) refuse(place, fmt::format("{}, expected {} elements", shown(json), size));
  return json;
}

manynode::ParetoTail tail_in(const Json& json, const std::string& place) {
  manynode::ParetoTail tail;
  tail.from = need_number(json, "from", place);
  tail.shape = need_number(json, "shape", place);
  tail.scale = need_number(json, "scale", place);
  if (json.contains("share")) tail.share = need_number(json, "share", place);
  return tail;
}

BinnedDistribution distribution_in(const Json& json, const std::string& place) {
  std::vector<manynode::QuantilePoint> points;
  const std::string quantiles = join(place, "quantiles");
  for (const Json& each : array_in(need(json, "quantiles", place), quantiles)) {
    array_in(each, quantiles, 2);
    points.push_back({number_in(each[std::size_t{0}], quantiles), number_in(each[std::size_t{1}], quantiles)});
  }
  double mean = 0, before = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {  // unless it is given: that of the points
    const double next = i + 1 < points.size() ? (points[i].probability + points[i + 1].probability) / 2 : 1;
    mean += (next - before) * points[i].value;
    before = next;
  }
  std::optional<manynode::ParetoTail> tail;
  if (json.contains("tail")) tail = tail_in(json.at("tail"), join(place, "tail"));
  const std::uint32_t samples = json.contains("samples") ? whole_in(json.at("samples"), join(place, "samples")) : 0;
  auto made = BinnedDistribution::from_points(std::move(points), tail, samples,
                                              json.contains("mean") ? need_number(json, "mean", place) : mean,
                                              json.contains("sd") ? need_number(json, "sd", place) : 0);
  if (!made) refuse(place, made.error().text);
  return made.value();
}

manynode::ModeProfile mode_in(const Json& json, const std::string& place) {
  manynode::ModeProfile mode;
  mode.weight = need_number(json, "weight", place);
  if (!(mode.weight >= 0 && mode.weight <= 1)) {
    refuse(join(place, "weight"), fmt::format("{}, expected 0 to 1", mode.weight));
  }
  mode.distribution = distribution_in(json, place);
  if (json.contains("residuals")) mode.residuals = distribution_in(json.at("residuals"), join(place, "residuals"));
  if (const Json* tail = json.find("tail"); tail != nullptr && tail->contains("resampled")) {
    const std::string resampled = join(place, "tail: resampled");
    for (const Json& each : array_in(tail->at("resampled"), resampled)) {
      array_in(each, resampled, 3);
      mode.resampled.push_back({number_in(each[std::size_t{0}], resampled), number_in(each[std::size_t{1}], resampled),
                                number_in(each[std::size_t{2}], resampled), mode.distribution.tail()->share});
    }
  }
  return mode;
}

std::vector<std::uint32_t> labels_in(const Json& json, const std::string& place, std::size_t modes) {
  std::vector<std::uint32_t> labels;
  for (const Json& each : array_in(json, place)) labels.push_back(whole_in(each, place, modes - 1));
  return labels;
}

manynode::ModeOrder order_in(const Json& json, const std::string& place, std::size_t modes) {
  using Kind = manynode::ModeOrder::Kind;
  manynode::ModeOrder order;
  const std::string kind = text_in(need(json, "kind", place), join(place, "kind"));
  bool is_known = false;
  for (const Kind each : {Kind::constant, Kind::period, Kind::markov, Kind::independent}) {
    if (name_of(each) != kind) continue;
    order.kind = each;
    is_known = true;
  }
  if (!is_known) refuse(join(place, "kind"), "'" + kind + "', expected constant, period, markov or independent");
  if (order.kind == Kind::period) {
    order.period = labels_in(need(json, "period", place), join(place, "period"), modes);
    if (order.period.empty()) refuse(join(place, "period"), "[], expected at least one mode");
    if (json.contains("prefix")) order.prefix = labels_in(json.at("prefix"), join(place, "prefix"), modes);
    if (json.contains("agreement")) order.agreement = need_number(json, "agreement", place);
  }
  if (order.kind == Kind::markov) {
    const std::string transitions = join(place, "transitions");
    for (const Json& row : array_in(need(json, "transitions", place), transitions, modes)) {
      std::vector<double>& numbers = order.transitions.emplace_back();
      for (const Json& each : array_in(row, transitions, modes)) numbers.push_back(number_in(each, transitions));
    }
  }
  order.is_common = json.value("common", false);
  return order;
}

manynode::ScalingFit scaling_in(const Json& json, const std::string& place) {
  manynode::ScalingFit fit;
  fit.term = text_in(need(json, "term", place), join(place, "term"));
  if (!manynode::ScalingFit::is_term(fit.term)) {
    refuse(join(place, "term"),
           "'" + fit.term + "', expected 1, log2(P), P^(-1/3), P^(-1/2), P^(-1), P^(1/3), P^(1/2) or P");
  }
  const std::string coefficients = join(place, "coefficients"), sizes = join(place, "sizes");
  const Json& numbers = array_in(need(json, "coefficients", place), coefficients, 2);
  fit.constant = number_in(numbers[std::size_t{0}], coefficients);
  fit.slope = number_in(numbers[std::size_t{1}], coefficients);
  const Json& range = array_in(need(json, "sizes", place), sizes, 2);
  fit.least = whole_in(range[std::size_t{0}], sizes);
  fit.most = whole_in(range[std::size_t{1}], sizes);
  return fit;
}

manynode::MarkerDrift drift_in(const Json& json, const std::string& place) {
  manynode::MarkerDrift drift;
  drift.probability = need_number(json, "probability", place);
  drift.executions = whole_in(need(json, "executions", place), join(place, "executions"));
  for (const Json& each : array_in(need(json, "thirds", place), join(place, "thirds"), 3)) {
    drift.thirds.push_back(distribution_in(each, join(place, "thirds")));
  }
  return drift;
}

manynode::MemoryShare memory_in(const Json& json, const std::string& place) {
  manynode::MemoryShare memory{need_number(json, "part", place), need_number(json, "ranks_at_bandwidth", place)};
  if (!(memory.part >= 0 && memory.part <= 1)) refuse(place, fmt::format("part {}, expected 0 to 1", memory.part));
  if (!(memory.ranks_at_bandwidth >= 1))
    refuse(place, fmt::format("ranks_at_bandwidth {}, expected 1 or more", memory.ranks_at_bandwidth));
  if (json.contains("measured_with"))
    memory.measured_with = std::max(1u, whole_in(json.at("measured_with"), join(place, "measured_with")));
  return memory;
}

manynode::MarkerProfile marker_in(const Json& json, const std::string& at) {
  manynode::MarkerProfile marker;
  marker.id = text_in(need(json, "id", at), join(at, "id"));
  const std::string place = fmt::format("marker '{}'", marker.id);
  marker.cluster = json.contains("cluster") ? whole_in(json.at("cluster"), join(place, "cluster")) : 0;
  marker.samples = json.contains("samples") ? whole_in(json.at("samples"), join(place, "samples")) : 0;
  if (json.contains("law")) {
    auto law = law_from_json(json.at("law"));
    if (!law) refuse(place, law.error().text);
    marker.law = law.value();
    return marker;
  }
  const Json& modes = array_in(need(json, "modes", place), join(place, "modes"));
  double weights = 0;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    marker.modes.push_back(mode_in(modes[i], join(place, fmt::format("mode {}", i))));
    weights += marker.modes.back().weight;
  }
  if (std::abs(weights - 1) > 1e-6) refuse(place, fmt::format("weights of modes add up to {}, expected 1", weights));
  if (json.contains("order")) marker.order = order_in(json.at("order"), join(place, "order"), modes.size());
  if (json.contains("effects")) {
    const Json& effects = json.at("effects");
    const std::string effects_at = join(place, "effects");
    marker.effects = manynode::CommonEffects{need_number(effects, "rank_sd", effects_at),
                                             need_number(effects, "iteration_sd", effects_at),
                                             need_number(effects, "residual_sd", effects_at),
                                             effects.value("significant", false)};
  }
  if (json.contains("drift")) marker.drift = drift_in(json.at("drift"), join(place, "drift"));
  if (json.contains("scaling")) marker.scaling = scaling_in(json.at("scaling"), join(place, "scaling"));
  if (json.contains("memory")) marker.memory = memory_in(json.at("memory"), join(place, "memory"));
  return marker;
}

manynode::RankCluster cluster_in(const Json& json, const std::string& place) {
  manynode::RankCluster cluster;
  cluster.id = whole_in(need(json, "id", place), join(place, "id"));
  if (json.contains("ranks")) {
    for (const Json& each : array_in(json.at("ranks"), join(place, "ranks"))) {
      cluster.ranks.push_back(whole_in(each, join(place, "ranks")));
    }
  }
  if (json.contains("representative")) {
    cluster.representative = whole_in(json.at("representative"), join(place, "representative"));
  }
  if (json.contains("rule")) {
    auto rule = manynode::parse_rule(text_in(json.at("rule"), join(place, "rule")));
    if (!rule) refuse(place, rule.error().text);
    cluster.rule = rule.value();
  }
  return cluster;
}

manynode::Profile profile_in(const Json& json) {
  if (!json.is_object() || !json.contains("rehearse_profile")) {
    refuse("", "no 'rehearse_profile', expected a profile of rehearse profile analyse");
  }
  if (whole_in(json.at("rehearse_profile"), "rehearse_profile") != 1) {
    refuse("rehearse_profile", shown(json.at("rehearse_profile")) + ", expected 1");
  }
  manynode::Profile profile;
  if (json.contains("source")) profile.source = text_in(json.at("source"), "source");
  if (json.contains("ranks")) profile.ranks = whole_in(json.at("ranks"), "ranks");
  if (json.contains("clustered_by")) profile.clustered_by = text_in(json.at("clustered_by"), "clustered_by");
  const Json& clusters = array_in(need(json, "clusters", ""), "clusters");
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    profile.clusters.push_back(cluster_in(clusters[i], fmt::format("cluster {}", i)));
  }
  const Json& markers = array_in(need(json, "markers", ""), "markers");
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const manynode::MarkerProfile& marker =
        profile.markers.emplace_back(marker_in(markers[i], fmt::format("marker {}", i)));
    const bool is_known = std::ranges::any_of(profile.clusters, [&](const manynode::RankCluster& each) {
      return each.id == marker.cluster;
    });
    if (!is_known)
      refuse("marker '" + marker.id + "'", fmt::format("cluster {} is not among 'clusters'", marker.cluster));
  }
  if (json.contains("scaling")) profile.scaling = scaling_in(json.at("scaling"), "scaling");
  if (json.contains("warnings")) {
    for (const Json& each : array_in(json.at("warnings"), "warnings")) {
      profile.warnings.push_back(text_in(each, "warnings"));
    }
  }
  return profile;
}

manynode::Law law_in(const Json& json) {
  const std::string name = text_in(need(json, "law", "law"), "law");
  if (name == "empirical") {
    const std::string place = "law empirical";
    if (!json.contains("values")) return manynode::Law(manynode::EmpiricalLaw{distribution_in(json, place)});
    std::vector<double> values;
    for (const Json& each : array_in(json.at("values"), place)) values.push_back(number_in(each, place));
    if (values.empty()) refuse(place, "no values, expected at least one");
    return manynode::Law(manynode::EmpiricalLaw{BinnedDistribution(std::move(values))});
  }
  std::map<std::string, double> parameters;
  for (const Json::Member& each : json.members()) {
    if (each.key != "law") parameters[each.key] = number_in(each.value, fmt::format("law {}: {}", name, each.key));
  }
  auto law = manynode::Law::named(name, parameters);
  if (!law) refuse("", law.error().text);
  return law.value();
}

}  // namespace

Result<manynode::Law> law_from_json(const Json& document) {
  try {
    return law_in(document);
  } catch (const ProfileFault& fault) {
    return Error{fault.what()};
  }
}

Result<manynode::Profile> profile_from_json(const Json& document) {
  try {
    return profile_in(document);
  } catch (const ProfileFault& fault) {
    return Error{fault.what()};
  } catch (const JsonError& fault) {
    return Error{fault.what()};
  }
}

Result<manynode::Profile> read_profile(const std::string& file) {
  const auto text = read_file(file);
  if (!text) return Error{fmt::format("{}: cannot be read, expected a profile of rehearse profile analyse", file)};
  const auto json = parse_json(*text);
  if (!json) return Error{fmt::format("{}: {}", file, json.error().text)};
  auto profile = profile_from_json(json.value());
  if (!profile) return Error{fmt::format("{}: {}", file, profile.error().text)};
  return profile;
}

}  // namespace rehearse::app
