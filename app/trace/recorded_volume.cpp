// SPDX-License-Identifier: MIT
//
// See recorded_volume.hpp.
#include "app/recorded_volume.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "app/json.hpp"
#include "simcore/engine.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse::app {
namespace {

using Kind = RecordedVolume::Kind;

constexpr std::string_view accepted_rates =
    "an object of positive numbers, with the keys 'default', 'region FUNCTION', 'region FILE:FUNCTION' and 'site "
    "FILE:LINE'";

double number_at(const Json& json, const char* key, double otherwise) {
  const Json* found = json.find(key);
  if (found == nullptr || !found->is_number()) return otherwise;
  const auto number = found->get<double>();
  return number > 0 ? number : otherwise;
}

// Of a run under `rehearse run`.
RecordedVolume volume_of_run(const Json& about, const Json& options) {
  const double reference = number_at(about, "reference_flops", EngineOptions{}.reference_flops);
  const Json* compute = options.find("compute");
  const std::string what = compute != nullptr && compute->is_string() ? compute->get<std::string>() : "";
  if (what == "measured" || what == "sampled") return {Kind::seconds, reference};
  if (what == "instructions")
    return {Kind::instructions, reference / number_at(options, "instruction_rate", reference)};
  return {Kind::flops, 1};
}

std::optional<trace::ComputeFactor> place_of_key(std::string_view key) {
  if (key == "default") return trace::ComputeFactor{};
  constexpr std::string_view region = "region ", site = "site ";
  const bool is_region = key.starts_with(region);
  if (!is_region && !key.starts_with(site)) return std::nullopt;
  auto place = trace::parse_place(key.substr(is_region ? region.size() : site.size()));
  if (!place || place->first_rank || is_region != !place->function.empty() || is_region != (place->line == 0))
    return std::nullopt;
  return place;
}

}  // namespace

std::string_view RecordedVolume::name() const {
  return kind == Kind::flops ? "flops" : kind == Kind::instructions ? "instructions" : "seconds";
}

RecordedVolume volume_in(const std::string& format, const std::string& about) {
  constexpr double nanoseconds_as_flops = 1e10;
  if (format == "goal" || format == "goal-binary") return {Kind::seconds, nanoseconds_as_flops};
  const auto parsed = parse_json(about);
  if (!parsed || !parsed.value().is_object()) return {Kind::flops, 1};
  const Json& json = parsed.value();
  if (json.find("flops_per_instruction") != nullptr)
    return {Kind::instructions, number_at(json, "flops_per_instruction", 1)};
  if (json.find("flops_per_second") != nullptr)
    return {Kind::seconds, number_at(json, "flops_per_second", EngineOptions{}.reference_flops)};
  const Json* options = json.find("options");
  if (options != nullptr && options->is_object()) return volume_of_run(json, *options);
  return {Kind::flops, 1};
}

Result<std::vector<trace::ComputeFactor>> read_rates(const std::string& file) {
  const auto text = read_file(file);
  if (!text) return Error{file + ": cannot be read"};
  const auto parsed = parse_json(*text);
  if (!parsed) return Error{file + ": " + parsed.error().text};
  if (!parsed.value().is_object()) return Error{fmt::format("{}: accepted: {}", file, accepted_rates)};
  std::vector<trace::ComputeFactor> rates;
  for (const auto& [key, value] : parsed.value().members()) {
    auto place = place_of_key(key);
    if (!place) return Error{fmt::format("{}: key '{}'; accepted: {}", file, key, accepted_rates)};
    place->factor = value.is_number() ? value.get<double>() : 0;
    if (!(place->factor > 0))
      return Error{fmt::format("{}: '{}' is no rate of '{}'; accepted: {}", file, value.dump(), key, accepted_rates)};
    rates.push_back(std::move(*place));
  }
  if (rates.empty()) return Error{file + ": has no rate"};
  return rates;
}

Result<std::vector<RegionRate>> rates_of(const std::vector<RegionVolume>& volumes, const RecordedVolume& of_volumes,
                                         const std::vector<RegionVolume>& times, const RecordedVolume& of_times) {
  std::map<std::string, RegionRate> regions;
  RegionRate all;
  double all_volume = 0;
  for (const RegionVolume& region : times) {
    const double seconds = region.volume / of_times.flops_per_unit;
    regions[region.function].seconds += seconds;
    all.seconds += seconds;
  }
  for (const RegionVolume& region : volumes) {
    const double volume = region.volume / of_volumes.flops_per_unit;
    regions[region.function].per_second += volume;
    all_volume += volume;
  }
  if (!(all.seconds > 0) || !(all_volume > 0)) return Error{"the traces have no computation, so they show no rates"};
  all.per_second = all_volume / all.seconds;
  std::vector<RegionRate> rates;
  for (auto& [function, region] : regions) {
    if (function.empty() || region.seconds < least_rated_part * all.seconds || !(region.per_second > 0)) continue;
    rates.push_back({function, region.per_second / region.seconds, region.seconds});
  }
  std::ranges::stable_sort(rates, std::ranges::greater{}, &RegionRate::seconds);
  rates.insert(rates.begin(), all);
  return rates;
}

}  // namespace rehearse::app
