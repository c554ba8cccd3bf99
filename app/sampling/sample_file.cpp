// SPDX-License-Identifier: MIT
//
// Files of distributions.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "app/output_file.hpp"
#include "app/sampling.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse::app {
namespace {

constexpr const char* format_name = "rehearse samples";
constexpr int format_version = 1;
constexpr const char* scope_names[] = {"run", "host", "rank"};

struct BadSamples {
  std::string text;
};

std::vector<double> numbers_of(const Json& of, const char* key) {
  const Json* found = of.find(key);
  std::vector<double> numbers;
  if (found == nullptr || !found->is_array()) throw BadSamples{fmt::format("'{}' must be an array of seconds", key)};
  for (const Json& each : *found) {
    const double seconds = each.is_number() ? each.get<double>() : -1;
    if (!(seconds >= 0) || !std::isfinite(seconds))
      throw BadSamples{fmt::format("'{}' has {}; accepted: seconds that are not negative", key, each.dump())};
    numbers.push_back(seconds);
  }
  return numbers;
}

EmpiricalDistribution distribution_of(const Json& of, const char* key) {
  std::vector<double> values = numbers_of(of, key);
  if (values.size() > EmpiricalDistribution::most_values || !std::ranges::is_sorted(values))
    throw BadSamples{fmt::format("'{}' has {} values; accepted: at most 100, ascending", key, values.size())};
  return EmpiricalDistribution::from_values(std::move(values));
}

std::uint32_t whole_of(const Json& value, const char* key) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 0xffffffff)
    throw BadSamples{fmt::format("'{}' has {}; accepted: a whole number", key, value.dump())};
  return value.get<std::uint32_t>();
}

const Json& member(const Json& of, const char* key) {
  const Json* found = of.find(key);
  if (found == nullptr) throw BadSamples{fmt::format("'{}' is missing", key)};
  return *found;
}

SampleKey key_of(const Json& of) {
  SampleKey key;
  const Json &name = member(of, "name"), &scope = member(of, "scope"), &numbers = member(of, "numbers");
  if (!name.is_string()) throw BadSamples{fmt::format("'name' has {}; accepted: a text", name.dump())};
  key.name = name.get<std::string>();
  const auto known = scope.is_string() ? std::ranges::find(scope_names, scope.get<std::string>())
                                       : std::end(scope_names);
  if (known == std::end(scope_names))
    throw BadSamples{fmt::format("'scope' has {}; accepted: run, host, rank", scope.dump())};
  key.scope = static_cast<SampleScope>(known - std::begin(scope_names));
  key.group = whole_of(member(of, "group"), "group");
  if (!numbers.is_array() || numbers.size() > SampleKey::most_numbers)
    throw BadSamples{fmt::format("'numbers' has {}; accepted: an array of at most 4 numbers", numbers.dump())};
  for (const Json& each : numbers) {
    if (!each.is_number() || each.get<double>() != std::floor(each.get<double>()))
      throw BadSamples{fmt::format("'numbers' has {}; accepted: whole numbers", each.dump())};
    key.numbers.push_back(each.get<std::int64_t>());
  }
  return key;
}

SampledTimes times_of(const Json& of) {
  SampledTimes times;
  times.cold = distribution_of(of, "cold");
  times.warm = distribution_of(of, "warm");
  times.sequence = numbers_of(of, "sequence");
  if (times.cold.is_empty() && times.warm.is_empty()) throw BadSamples{"'cold' and 'warm' are both empty"};
  if (times.warm.is_empty() != times.sequence.empty())
    throw BadSamples{"'warm' and 'sequence' must both have values, or none"};
  const Json& starts = member(of, "starts");
  for (const Json& each : starts) {
    if (!starts.is_array() || !each.is_array() || each.size() != 2)
      throw BadSamples{fmt::format("'starts' has {}; accepted: pairs of rank and place", each.dump())};
    times.starts.emplace_back(whole_of(each[std::size_t{0}], "starts"), whole_of(each[std::size_t{1}], "starts"));
    if (times.starts.back().second >= times.sequence.size())
      throw BadSamples{fmt::format("'starts' has the place {}; 'sequence' has {} values", times.starts.back().second,
                                   times.sequence.size())};
  }
  if (!std::ranges::is_sorted(times.starts)) throw BadSamples{"'starts' is not ascending"};
  return times;
}

const Json& classes_of(const Json& document) {
  const Json* format = document.find("format");
  if (format == nullptr || !format->is_string() || format->get<std::string>() != format_name)
    throw BadSamples{fmt::format("'format' must be \"{}\"", format_name)};
  const Json& version = member(document, "version");
  if (!version.is_number() || version.get<double>() != format_version)
    throw BadSamples{fmt::format("version {}; accepted: {}", version.dump(), format_version)};
  const Json& classes = member(document, "classes");
  if (!classes.is_array()) throw BadSamples{"'classes' must be an array"};
  return classes;
}

Json to_json(const SampleClass& of) {
  const SampledTimes times = of.times();
  Json starts = Json::array();
  for (const auto& [rank, place] : times.starts) starts.push_back(Json::array({rank, place}));
  return {{"name", of.key().name},
          {"numbers", Json(of.key().numbers)},
          {"scope", scope_names[static_cast<std::size_t>(of.key().scope)]},
          {"group", of.key().group},
          {"cold", Json(std::vector<double>(times.cold.values().begin(), times.cold.values().end()))},
          {"warm", Json(std::vector<double>(times.warm.values().begin(), times.warm.values().end()))},
          {"sequence", Json(times.sequence)},
          {"starts", starts}};
}

}  // namespace

Result<void> read_samples(const std::string& file, Sampler& sampler) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    const auto folder = std::filesystem::path(file).parent_path();
    if (folder.empty() || std::filesystem::is_directory(folder, ignored)) return {};
    return Error{fmt::format("--sample-file {}: the folder {} does not exist", file, folder.string())};
  }
  const auto text = read_file(file);
  if (!text) return Error{fmt::format("--sample-file {}: the file cannot be read", file)};
  const auto document = parse_json(*text);
  if (!document) return Error{fmt::format("--sample-file {}: {}", file, document.error().text)};
  std::size_t number = 0;
  try {
    std::set<SampleKey> seen;
    for (const Json& each : classes_of(document.value())) {
      ++number;
      SampleKey key = key_of(each);
      if (!seen.insert(key).second) throw BadSamples{fmt::format("the class '{}' exists twice", key.name)};
      sampler.know(std::move(key), times_of(each));
    }
  } catch (const BadSamples& bad) {
    const std::string place = number == 0 ? "" : fmt::format("class {}: ", number);
    return Error{fmt::format("--sample-file {}: {}{}", file, place, bad.text)};
  } catch (const JsonError& bad) {
    return Error{fmt::format("--sample-file {}: class {}: {}", file, number, bad.what())};
  }
  return {};
}

Result<void> write_samples(const std::string& file, const Sampler& sampler) {
  Json document = {{"format", format_name}, {"version", format_version}, {"classes", Json::array()}};
  bool has_new = false;
  for (const SampleClass* of : sampler.classes()) {
    const SampledTimes times = of->times();
    if (of->law() || (times.cold.is_empty() && times.warm.is_empty())) continue;
    has_new |= !of->is_known();
    document["classes"].push_back(to_json(*of));
  }
  std::error_code ignored;
  if (!has_new && std::filesystem::exists(file, ignored)) return {};
  return write_file(file, [&](std::ostream& out) { out << document.dump(1) << '\n'; });
}

}  // namespace rehearse::app
