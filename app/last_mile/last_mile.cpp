// SPDX-License-Identifier: MIT
//
// From measured pairs to a last-mile platform: the order of the fits, the choice of the links, and the warnings.
#include "app/last_mile.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>

#include "app/last_mile/last_mile_parts.hpp"
#include "app/last_mile/last_mile_platform.hpp"
#include "app/last_mile/last_mile_report.hpp"
#include "app/last_mile/pair_measurements.hpp"
#include "app/last_mile/sides.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr double no_prediction = std::numeric_limits<double>::quiet_NaN();

PairModel latency_model(std::size_t hosts) {
  return {"last mile", [hosts](const std::vector<PairValue>& pairs) -> PairPredictor {
            return [fit = fit_latencies(pairs, hosts)](std::uint32_t i, std::uint32_t j) {
              return fit[i].pairs > 0 && fit[j].pairs > 0 ? fit[i].seconds + fit[j].seconds : no_prediction;
            };
          }};
}

PairModel bandwidth_model(std::size_t hosts, bool is_symmetric) {
  return {is_symmetric ? "last mile, symmetric" : "last mile, directed",
          [hosts, is_symmetric](const std::vector<PairValue>& pairs) -> PairPredictor {
            return [fit = fit_bandwidths(pairs, hosts, is_symmetric)](std::uint32_t i, std::uint32_t j) {
              return fit.can_predict(i, j) ? fit.predict(i, j) : no_prediction;
            };
          }};
}

void study_latencies(LastMileParts& parts) {
  PairStudy& study = parts.latency;
  const std::size_t hosts = parts.names.size();
  parts.latencies = fit_latencies(study.pairs, hosts);
  if (study.pairs.empty()) return;
  study.errors = errors_of({latency_model(hosts), means_of_hosts(hosts, false), one_value()}, study.pairs, parts.folds);
  study.left_out = study.errors.predictions[0];
  for (const PairValue& pair : study.pairs)
    study.fitted.push_back(parts.latencies[pair.from].seconds + parts.latencies[pair.to].seconds);
}

// Whether more than half of the hosts were measured both as source and as target.
bool has_both_directions(const PairStudy& study, std::size_t hosts) {
  std::vector<char> out(hosts, 0), in(hosts, 0);
  for (const PairValue& pair : study.pairs) out[pair.from] = in[pair.to] = 1;
  std::size_t both = 0, any = 0;
  for (std::size_t i = 0; i < hosts; ++i) {
    both += out[i] && in[i];
    any += out[i] || in[i];
  }
  return 2 * both > any;
}

void study_bandwidths(LastMileParts& parts, LastMileLinks links) {
  PairStudy& study = parts.bandwidth;
  const std::size_t hosts = parts.names.size();
  if (study.pairs.empty()) {
    parts.bandwidths = fit_bandwidths(study.pairs, hosts, false);
    return;
  }
  constexpr std::size_t directed = 0, symmetric = 1;
  study.errors =
      errors_of({bandwidth_model(hosts, false), bandwidth_model(hosts, true), means_of_hosts(hosts, true), one_value()},
                study.pairs, parts.folds);
  const std::vector<ErrorFigures>& left_out = study.errors.left_out;
  const bool is_no_worse = left_out[directed].cases > 0 &&
                           left_out[symmetric].logarithmic <= left_out[directed].logarithmic;
  const bool is_symmetric = links == LastMileLinks::symmetric ||
                            (links == LastMileLinks::automatic && is_no_worse && has_both_directions(study, hosts));
  parts.bandwidths = fit_bandwidths(study.pairs, hosts, is_symmetric);
  study.left_out = study.errors.predictions[is_symmetric ? symmetric : directed];
  for (const PairValue& pair : study.pairs) study.fitted.push_back(parts.bandwidths.predict(pair.from, pair.to));
}

// `a, b, c and 4 more`.
std::string some_names(const LastMileParts& parts, const std::function<bool(std::size_t)>& is_named) {
  constexpr std::size_t names_max = 5;
  std::string text;
  std::size_t count = 0;
  for (std::size_t i = 0; i < parts.names.size(); ++i) {
    if (!is_named(i)) continue;
    if (++count <= names_max) text += (count > 1 ? ", " : "") + parts.names[i];
  }
  if (count > names_max) text += fmt::format(" and {} more", count - names_max);
  return text;
}

void warn(LastMileParts& parts, const std::string& names, const std::string& about) {
  if (!names.empty()) parts.warnings.push_back(names + ": " + about);
}

void warn_of_bandwidths(LastMileParts& parts) {
  const auto names = [&](const std::vector<LinkBandwidth>& links, Knowledge knowledge) {
    return some_names(parts, [&](std::size_t i) { return links[i].knowledge == knowledge; });
  };
  const BandwidthFit& fit = parts.bandwidths;
  if (parts.bandwidth.pairs.empty()) {
    parts.warnings.emplace_back("no bandwidth was measured: the links limit no transfer");
    return;
  }
  const auto warn_of = [&](const std::vector<LinkBandwidth>& links, const char* link) {
    warn(parts, names(links, Knowledge::lower_bound),
         fmt::format("the {} limits no measured pair clearly: its bandwidth is a lower bound", link));
    warn(parts, names(links, Knowledge::not_measured),
         fmt::format("no pair crosses the {}: it limits no transfer", link));
  };
  if (!fit.is_symmetric) {
    warn_of(fit.up, "up link");
    warn_of(fit.down, "down link");
    return;
  }
  warn_of(fit.up, "link");
  std::vector<char> out(parts.names.size(), 0), in(parts.names.size(), 0);
  for (const PairValue& pair : parts.bandwidth.pairs) out[pair.from] = in[pair.to] = 1;
  warn(parts, some_names(parts, [&](std::size_t i) { return out[i] != in[i]; }),
       "bandwidths of one direction only; the links of the other hosts are symmetric, so this one is taken for both");
}

void warn_of_latencies(LastMileParts& parts) {
  if (parts.latency.pairs.empty()) {
    parts.warnings.emplace_back("no latency was measured: the links have none");
    return;
  }
  warn(parts, some_names(parts, [&](std::size_t i) { return parts.latencies[i].pairs == 0; }),
       "no latency was measured: it is 0 s, a lower bound");
  const auto is_range = [&](std::size_t i) { return parts.latencies[i].least < parts.latencies[i].most; };
  warn(parts, some_names(parts, is_range),
       "the measured pairs give only sums of latencies; each is the middle of its range");
}

void warn_of_groups(LastMileParts& parts, const PairStudy& study, const char* quantity) {
  const std::size_t groups = groups_of(study.pairs, parts.names.size()).size();
  if (groups > 1)
    parts.warnings.push_back(fmt::format("{}: the hosts are in {} groups without a measured pair between them; between "
                                         "groups, only the model predicts",
                                         quantity, groups));
  const std::size_t unpredicted = study.errors.unpredicted;
  if (2 * unpredicted > study.pairs.size())
    parts.warnings.push_back(
        fmt::format("{}: {} of {} pairs have a host that is in no other pair, so they do not count "
                    "in the error of pairs left out; measure more pairs",
                    quantity, unpredicted, study.pairs.size()));
}

std::string about_fit(const LastMileParts& parts) {
  std::string text = fmt::format("last mile of {} hosts", parts.names.size());
  const auto add = [&](const char* quantity, const PairStudy& study, std::size_t model) {
    if (study.pairs.empty()) return;
    text += fmt::format(", {} {}", study.pairs.size(), quantity);
    if (study.errors.left_out[model].cases > 0)
      text += fmt::format(" (error of those left out {:.2f} %)", 100 * study.errors.left_out[model].mean);
  };
  add("latencies", parts.latency, 0);
  add("bandwidths", parts.bandwidth, parts.bandwidths.is_symmetric ? 1 : 0);
  return text;
}

}  // namespace

Result<LastMile> fit_last_mile(const LastMileRequest& request) {
  const auto statistic = parse_statistic(request.statistic);
  if (!statistic)
    return Error{fmt::format("--statistic: '{}' given; accepted: minimum, p10, median", request.statistic)};
  auto read = read_pair_files(request.files);
  if (!read) return read.error();
  LastMileParts parts;
  parts.statistic = request.statistic;
  parts.folds = request.folds;
  parts.names = std::move(read.value().hosts);
  parts.empty_lines = read.value().empty_lines;
  parts.latency.pairs = pair_values(read.value().latencies, PairQuantity::latency, *statistic);
  parts.bandwidth.pairs = pair_values(read.value().bandwidths, PairQuantity::bandwidth, *statistic);
  study_latencies(parts);
  study_bandwidths(parts, request.links);
  warn_of_latencies(parts);
  warn_of_bandwidths(parts);
  warn_of_groups(parts, parts.latency, "latency");
  warn_of_groups(parts, parts.bandwidth, "bandwidth");
  parts.about = about_fit(parts);
  LastMile result;
  result.report = report_of(parts);
  result.platform = last_mile_platform(parts);
  result.warnings = std::move(parts.warnings);
  return result;
}

}  // namespace rehearse::app
