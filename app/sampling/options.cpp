// SPDX-License-Identifier: MIT
//
// From words to rules, and from classes to a summary.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "app/sampling.hpp"
#include "app/wording.hpp"
#include "simcore/engine.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

Result<smpi::SampledFunction::Argument> parse_argument(std::string_view text, const std::string& whole) {
  using As = smpi::SampledFunction::Argument::As;
  smpi::SampledFunction::Argument argument;
  std::string_view digits = text;
  if (digits.starts_with('*')) {
    argument.as = As::pointer;
    digits.remove_prefix(1);
  } else if (digits.ends_with('l')) {
    argument.as = As::wide;
    digits.remove_suffix(1);
  }
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), argument.position);
  if (problem != std::errc{} || end != digits.data() + digits.size() || argument.position < 1 || argument.position > 6)
    return Error{fmt::format("--sample-function {}: argument '{}'; accepted: the position of an int argument (1 to 6), "
                             "*N for the address of an int, Nl for 64 bits",
                             whole, text)};
  return argument;
}

const char* name_of_scope(SampleScope scope) {
  return scope == SampleScope::run ? "run" : scope == SampleScope::host ? "host" : "rank";
}

Json to_json(const SampleLaw& law, double product) {
  return {{"constant_seconds", law.constant},
          {"slope_seconds", law.slope},
          {"product", product},
          {"r_squared", law.r_squared},
          {"largest_residual", law.largest_residual},
          {"classes", law.classes},
          {"extrapolated", !law.contains(product)}};
}

}  // namespace

SampleAs replay_of(const SamplingOptions& options) {
  return options.as == "mean" ? SampleAs::mean : options.as == "sequence" ? SampleAs::sequence : SampleAs::draw;
}

SampleRule rule_of(const SamplingOptions& options) {
  SampleRule rule;
  rule.error = options.error;
  rule.most = options.most;
  rule.scope = options.scope == "rank"   ? SampleScope::actor
               : options.scope == "host" ? SampleScope::host
                                         : SampleScope::run;
  return rule;
}

smpi::VolumeRates rates_of(const ComputeOptions& compute) {
  return {EngineOptions{}.reference_flops * compute.scale, 1 / compute.instructions_per_second};
}

Result<std::unique_ptr<smpi::Sampling>> make_sampling(const SamplingOptions& options, const ComputeOptions& compute,
                                                      std::vector<std::uint32_t> hosts) {
  smpi::Sampling::Options all;
  all.as = replay_of(options);
  all.rule = rule_of(options);
  all.hosts = std::move(hosts);
  all.models = options.models;
  all.seed = options.seed;
  all.cost = compute.what == "instructions" ? ApplicationCost::instructions : ApplicationCost::measured;
  all.seconds_per_instruction = 1 / compute.instructions_per_second;
  all.passes_by_itself = compute.what == "none" || compute.what == "sampled";
  auto made = smpi::Sampling::make(all);
  if (!made) return made.error();
  if (options.file.empty()) return made;
  if (const auto read = read_samples(options.file, made.value()->sampler()); !read) return read.error();
  return made;
}

Result<smpi::SampledFunction> parse_sampled_function(const std::string& text) {
  smpi::SampledFunction function;
  const std::size_t colon = text.find(':');
  function.name = text.substr(0, colon);
  if (function.name.empty())
    return Error{fmt::format("--sample-function {}: no name; accepted: NAME or NAME:ARG,ARG", text)};
  if (colon == std::string::npos) return function;
  for (std::size_t begin = colon + 1;;) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    auto argument = parse_argument(std::string_view(text).substr(begin, end - begin), text);
    if (!argument) return argument.error();
    function.arguments.push_back(argument.value());
    if (end == text.size()) break;
    begin = end + 1;
  }
  if (function.arguments.size() > SampleKey::most_numbers)
    return Error{
        fmt::format("--sample-function {}: {} arguments; accepted: at most 4", text, function.arguments.size())};
  return function;
}

SamplingSummary summary_of(const Sampler& sampler) {
  SamplingSummary summary;
  for (const SampleClass* of : sampler.classes()) {
    const SampledTimes times = of->times();
    const MeanPrecision precision = of->precision();
    const double mean = times.warm.is_empty() ? times.cold.mean() : times.warm.mean();
    summary.classes.push_back({of->key(), of->executed(), of->skipped(), of->replaced(), of->disturbed(), mean,
                               mean > 0 ? precision.half_width / mean : 0, of->is_known(), of->law(),
                               product_of(of->key().numbers)});
  }
  summary.executed = sampler.executed();
  summary.skipped = sampler.skipped();
  return summary;
}

Json to_json(const SamplingSummary& summary, const SamplingOptions& options) {
  Json json = {
      {"as", options.as}, {"executed", summary.executed}, {"skipped", summary.skipped}, {"classes", Json::array()}};
  for (const SamplingSummary::Class& of : summary.classes) {
    json["classes"].push_back({{"name", of.key.name},
                               {"numbers", Json(of.key.numbers)},
                               {"scope", name_of_scope(of.key.scope)},
                               {"group", of.key.group},
                               {"executed", of.executed},
                               {"skipped", of.skipped},
                               {"replaced", of.replaced},
                               {"disturbed", of.disturbed},
                               {"mean_seconds", of.mean_seconds},
                               {"relative_error", std::isfinite(of.relative_error) ? Json(of.relative_error) : Json()},
                               {"from_file", of.is_known}});
    if (of.law) json["classes"].back()["law"] = to_json(*of.law, of.product);
  }
  return json;
}

std::vector<std::string> laws_of(const SamplingSummary& summary) {
  struct Users {
    std::uint64_t classes = 0, executions = 0, extrapolated = 0;
    double residual = 0, least_r_squared = 1;
  };
  std::map<std::string, Users> by_name;
  for (const SamplingSummary::Class& of : summary.classes) {
    if (!of.law) continue;
    Users& users = by_name[of.key.name];
    ++users.classes;
    users.executions += of.skipped;
    users.extrapolated += !of.law->contains(of.product);
    users.residual = std::max(users.residual, of.law->largest_residual);
    users.least_r_squared = std::min(users.least_r_squared, of.law->r_squared);
  }
  std::vector<std::string> lines;
  for (const auto& [name, users] : by_name)
    lines.push_back(fmt::format(
        "sampled code '{}': {} of {} that never ran took the time of a law fitted to other sizes (R^2 {:.4f}, largest "
        "residual {:.1f} %, {} outside of the measured sizes)",
        name, counted(users.executions, "execution"),
        users.classes == 1 ? std::string("1 class") : fmt::format("{} classes", users.classes), users.least_r_squared,
        100 * users.residual, users.extrapolated));
  return lines;
}

}  // namespace rehearse::app
