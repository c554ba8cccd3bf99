// SPDX-License-Identifier: MIT
//
// Values of specifications.
#include "app/grading/specification.hpp"

#include <algorithm>

#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {

SpecificationObject::SpecificationObject(const Json& json, std::string place) : json_(json), place_(std::move(place)) {
  if (!json.is_object()) throw BadSpecification{(place_.empty() ? "the file" : place_) + ": expected an object {...}"};
}

std::string SpecificationObject::place_of(const std::string& key) const {
  return place_.empty() ? key : place_ + "." + key;
}

const Json* SpecificationObject::find(const std::string& key) {
  known_.insert(key);
  return json_.find(key);
}

void SpecificationObject::refuse(const std::string& key, const std::string& accepted) const {
  const Json* found = json_.find(key);
  const std::string given = found == nullptr ? "is missing" : found->dump() + " given";
  throw BadSpecification{place_of(key) + ": " + given + "; accepted: " + accepted};
}

void SpecificationObject::refuse_it(const std::string& problem) const {
  throw BadSpecification{(place_.empty() ? "" : place_ + ": ") + problem};
}

std::string SpecificationObject::text(const std::string& key) {
  const Json* value = find(key);
  if (value == nullptr || !value->is_string() || value->get<std::string>().empty()) refuse(key, "a text");
  return *value;
}

std::string SpecificationObject::text(const std::string& key, const std::string& otherwise) {
  return find(key) == nullptr ? otherwise : text(key);
}

std::string SpecificationObject::one_of(const std::string& key, const std::vector<std::string>& words) {
  const std::string word = text(key, words.front());
  if (std::ranges::find(words, word) == words.end()) {
    std::string list;
    for (const std::string& each : words) list += (list.empty() ? "" : ", ") + each;
    refuse(key, list);
  }
  return word;
}

std::vector<std::string> SpecificationObject::texts(const std::string& key) {
  const Json* value = find(key);
  if (value == nullptr) return {};
  const auto is_text = [](const Json& each) { return each.is_string(); };
  if (!value->is_array() || !std::all_of(value->begin(), value->end(), is_text)) refuse(key, "an array of texts");
  return value->get<std::vector<std::string>>();
}

double SpecificationObject::number(const std::string& key, double minimum, double otherwise) {
  return number(key, minimum).value_or(otherwise);
}

std::optional<double> SpecificationObject::number(const std::string& key, double minimum) {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number() || value->get<double>() < minimum) {
    char bound[64];
    std::snprintf(bound, sizeof bound, "a number from %g on", minimum);
    refuse(key, bound);
  }
  return value->get<double>();
}

std::uint64_t SpecificationObject::whole(const std::string& key, std::uint64_t minimum, std::uint64_t maximum,
                                         std::optional<std::uint64_t> otherwise) {
  const Json* value = find(key);
  if (value == nullptr && otherwise) return *otherwise;
  const bool is_whole = value != nullptr && value->is_number_unsigned();
  if (!is_whole || value->get<std::uint64_t>() < minimum || value->get<std::uint64_t>() > maximum)
    refuse(key, fmt::format("a whole number from {} to {}", minimum, maximum));
  return value->get<std::uint64_t>();
}

bool SpecificationObject::flag(const std::string& key) {
  const Json* value = find(key);
  if (value == nullptr) return false;
  if (!value->is_boolean()) refuse(key, "true, false");
  return value->get<bool>();
}

std::optional<SpecificationObject> SpecificationObject::object(const std::string& key) {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  return SpecificationObject(*value, place_of(key));
}

std::vector<SpecificationObject> SpecificationObject::objects(const std::string& key) {
  const Json* value = find(key);
  if (value == nullptr || !value->is_array() || value->empty()) refuse(key, "an array of objects, one at least");
  std::vector<SpecificationObject> all;
  for (std::size_t i = 0; i < value->size(); ++i)
    all.emplace_back((*value)[i], fmt::format("{}[{}]", place_of(key), i));
  return all;
}

void SpecificationObject::finish() const {
  for (const auto& [key, value] : json_.members()) {
    if (known_.contains(key)) continue;
    refuse_it("unknown key '" + key + "'; accepted: " + list_of({known_.begin(), known_.end()}));
  }
}

}  // namespace rehearse::app
