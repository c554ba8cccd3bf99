// SPDX-License-Identifier: MIT
//
// Use case: the profile of samples in files.
#include <algorithm>
#include <cmath>
#include <set>

#include "app/manynode/sample_files.hpp"
#include "app/manynode_profile.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse::app {
namespace {

using manynode::SizedValue;

Result<std::string> content_of(const std::string& file, std::string_view expected) {
  auto text = read_file(file);
  if (!text) return Error{fmt::format("{}: cannot be read, expected {}", file, expected)};
  return std::move(*text);
}

// Mean times of each marker, by size of the run.
using MeansBySize = std::map<std::string, std::vector<SizedValue>>;

void add_means(const manynode::SampleTable& samples, std::uint32_t size, MeansBySize& means) {
  for (const auto& [marker, all] : samples.markers) {
    double sum = 0;
    std::uint64_t count = 0;
    for (const manynode::Series& each : all) {
      for (const manynode::Execution& execution : each.executions) sum += execution.seconds;
      count += each.executions.size();
    }
    if (count > 0 && sum > 0) means[marker].push_back({size, sum / static_cast<double>(count)});
  }
}

Result<MeansBySize> means_of(const std::vector<SizedSamples>& runs) {
  MeansBySize means;
  std::set<std::uint32_t> sizes;
  for (const SizedSamples& each : runs) {
    if (!sizes.insert(each.size).second)
      return Error{fmt::format("{}={}: the size is given twice", each.size, each.file)};
    auto samples = read_sample_files({each.file});
    if (!samples) return samples.error();
    add_means(samples.value(), each.size, means);
  }
  return means;
}

// Laws of scaling for the means of all markers that at least three runs have.
Result<void> add_scaling(const ProfileRequest& request, ProfileAnalysis& analysis) {
  if (request.runs.empty()) return {};
  auto means = means_of(request.runs);
  if (!means) return means.error();
  const std::uint32_t own = analysis.profile.ranks;
  if (std::ranges::none_of(request.runs, [&](const SizedSamples& each) { return each.size == own; })) {
    add_means(analysis.samples, own, means.value());
  }
  std::size_t fitted = 0;
  for (manynode::MarkerProfile& marker : analysis.profile.markers) {
    const auto found = means.value().find(marker.id);
    if (found == means.value().end() || found->second.size() < 3) continue;
    marker.scaling = manynode::fit_scaling(found->second);
    ++fitted;
  }
  if (fitted == 0)
    return Error{"--run: no marker has samples of at least 3 numbers of ranks, as a law of scaling needs"};
  return {};
}

Result<void> add_memory_shares(const ProfileRequest& request, ProfileAnalysis& analysis) {
  if (request.dense.empty()) return {};
  if (std::ranges::none_of(request.dense, [](const SizedSamples& each) { return each.size == 1; }) ||
      request.dense.size() < 2) {
    return Error{"--node: expected a run with 1 rank of a node, and at least one with more"};
  }
  const auto means = means_of(request.dense);
  if (!means) return means.error();
  std::uint32_t own = 1;  // ranks of each node in the samples themselves
  for (const SizedSamples& each : request.dense)
    if (request.samples == std::vector{each.file}) own = each.size;
  for (manynode::MarkerProfile& marker : analysis.profile.markers) {
    const auto found = means.value().find(marker.id);
    if (found == means.value().end() || found->second.size() < request.dense.size()) continue;
    marker.memory = manynode::fit_memory_share(found->second);
    marker.memory->measured_with = own;
  }
  return {};
}

Result<void> fit_given_scaling(const ProfileRequest& request, manynode::Profile& profile) {
  if (request.scaling.empty()) return {};
  const auto text = content_of(request.scaling, "a CSV file with ranks,rank,value");
  if (!text) return text.error();
  const auto values = manynode::read_scaling(text.value(), request.scaling);
  if (!values) return values.error();
  profile.scaling = manynode::fit_scaling(values.value());
  return {};
}

void note_extrapolation(const ProfileRequest& request, manynode::Profile& profile) {
  const auto note = [&](const std::string& subject, const manynode::ScalingFit& fit) {
    for (const std::uint32_t ranks : request.at) {
      if (fit.supports(ranks)) continue;
      profile.warnings.push_back(fmt::format(
          "{}: {} ranks are outside {} to {} (32 times the largest measured size), where the fit is not supported",
          subject, ranks, fit.least, manynode::ScalingFit::most_extrapolation * fit.most));
    }
  };
  if (profile.scaling) note("scaling", *profile.scaling);
  for (const manynode::MarkerProfile& each : profile.markers) {
    if (each.scaling) note("marker '" + each.id + "'", *each.scaling);
  }
}

}  // namespace

Result<ProfileAnalysis> analyse_profile(const ProfileRequest& request) {
  ProfileAnalysis analysis;
  if (!request.samples.empty()) {
    auto samples = read_sample_files(request.samples);
    if (!samples) return samples.error();
    analysis.samples = std::move(samples.value());
  }
  std::optional<manynode::CounterTable> counters;
  if (!request.counters.empty()) {
    const auto text = content_of(request.counters, "a CSV file with rank and counters");
    if (!text) return text.error();
    auto read = manynode::read_counters(text.value(), request.counters);
    if (!read) return read.error();
    counters = std::move(read.value());
  }
  auto profile = manynode::analyse(analysis.samples, counters, request.options);
  if (!profile) return profile.error();
  analysis.profile = std::move(profile.value());
  if (!request.source.empty()) analysis.profile.source = request.source;
  if (auto done = add_scaling(request, analysis); !done) return done.error();
  if (auto done = add_memory_shares(request, analysis); !done) return done.error();
  if (auto done = fit_given_scaling(request, analysis.profile); !done) return done.error();
  note_extrapolation(request, analysis.profile);
  return analysis;
}

}  // namespace rehearse::app
