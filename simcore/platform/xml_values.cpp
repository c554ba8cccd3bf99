// SPDX-License-Identifier: MIT
//
// Platform files: lists of speeds, ranges of numbers, coordinates, properties.
#include <charconv>
#include <cmath>

#include "simcore/platform/units.hpp"
#include "simcore/platform/xml_loader.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::platform {

namespace {

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<std::uint32_t> whole(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = code == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(value) : std::nullopt;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find_first_of(separators);
    parts.push_back(without_blanks(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<double> read_speeds(const Element& element) {
  std::vector<double> speeds;
  const std::string text = element.required("speed");
  for (const std::string_view part : split(text, ",")) {
    auto speed = parse_flops_per_second(part);
    if (!speed) {
      element.refuse("attribute 'speed': " + speed.error().text);
      return {};
    }
    speeds.push_back(speed.value());
  }
  return speeds;
}

std::vector<std::uint32_t> read_radical(const Element& element, std::size_t numbers_max) {
  std::vector<std::uint32_t> numbers;
  const std::string text = element.required("radical");
  for (const std::string_view item : split(text, ",")) {
    const std::size_t dash = item.find('-');
    const auto first = whole(without_blanks(item.substr(0, dash)));
    const auto last = dash == std::string_view::npos ? first : whole(without_blanks(item.substr(dash + 1)));
    if (!first || !last || *last < *first) {
      element.refuse("radical '" + text.substr(0, 60) + "' is not a list of numbers and ranges such as 0-3,7" +
                     (text.find(';') == std::string::npos ? "" : "; items are separated by ','"));
      return {};
    }
    if (std::uint64_t{*last} - *first + 1 + numbers.size() > numbers_max) {
      element.refuse(fmt::format("radical '{}' has more than {} numbers", text.substr(0, 60), numbers_max));
      return {};
    }
    for (std::uint64_t i = *first; i <= *last; ++i) numbers.push_back(static_cast<std::uint32_t>(i));
  }
  return numbers;
}

std::optional<Coordinates> read_coordinates(const Element& element) {
  const std::string text = element.optional("coordinates", "");
  if (text.empty()) return std::nullopt;
  std::vector<double> numbers;
  for (const std::string_view part : split(text, " \t\n")) {
    if (part.empty()) continue;
    double value = 0;
    const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (code != std::errc() || end != part.data() + part.size() || !(std::fabs(value) <= 1e9)) {
      numbers.clear();
      break;
    }
    numbers.push_back(value);
  }
  if (numbers.size() == 3) return Coordinates{numbers[0], numbers[1], numbers[2]};
  element.refuse("coordinates '" + text.substr(0, 60) + "' are not three numbers, in milliseconds");
  return std::nullopt;
}

void read_prop(const Element& element, Properties& properties) {
  element.check_attributes({"id", "value"});
  const std::string key = element.required("id");
  const std::string value = element.required("value");
  if (!properties.emplace(key, value).second && properties[key] != value)
    element.refuse("property '" + key + "' has another value already");
}

Properties read_props(const Element& element) {
  Properties properties;
  for (const Element& inner : element.children()) {
    if (inner.tag() == "model_prop") continue;
    if (inner.tag() != "prop") {
      inner.refuse("<" + std::string(inner.tag()) + "> inside <" + std::string(element.tag()) +
                   "> is not supported; accepted: prop");
      break;
    }
    read_prop(inner, properties);
  }
  return properties;
}

}  // namespace rehearse::platform
