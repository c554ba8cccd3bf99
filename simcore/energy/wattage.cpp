// SPDX-License-Identifier: MIT
//
// Parses the numbers in properties.
#include "simcore/energy/wattage.hpp"

#include <cmath>
#include <cstdlib>
#include <sstream>

namespace rehearse::energy {

std::optional<std::vector<std::vector<double>>> parse_watts(const std::string& text) {
  std::vector<std::vector<double>> lists;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    std::vector<double>& list = lists.emplace_back();
    std::istringstream numbers(item);
    for (std::string number; std::getline(numbers, number, ':');) {
      char* end = nullptr;
      const double value = std::strtod(number.c_str(), &end);
      while (*end == ' ' || *end == '\t' || *end == '\n') ++end;
      if (end == number.c_str() || *end != '\0' || !std::isfinite(value) || value < 0) return std::nullopt;
      list.push_back(value);
    }
    if (list.empty()) return std::nullopt;
  }
  if (lists.empty()) return std::nullopt;
  return lists;
}

const std::string* find(const Properties* properties, const char* name) {
  if (!properties) return nullptr;
  const auto property = properties->find(name);
  return property == properties->end() ? nullptr : &property->second;
}

}  // namespace rehearse::energy
