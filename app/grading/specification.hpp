// SPDX-License-Identifier: MIT
//
// Reads JSON written by people: each value has a required key and type, and unknown keys are mistakes.
//
// Errors: BadSpecification, thrown at the first one; the reader of the file catches it. Its text names the place in the
//         document (`checks[1].run.ranks`), the value and the accepted values.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/finding_json.hpp"

namespace rehearse::app {

struct BadSpecification {
  std::string text;
};

// An object of the document. The document must outlive it.
class SpecificationObject {
 public:
  SpecificationObject(const Json& json, std::string place);

  bool has(const std::string& key) const { return json_.contains(key); }

  std::string text(const std::string& key);
  std::string text(const std::string& key, const std::string& otherwise);
  std::string one_of(const std::string& key, const std::vector<std::string>& words);  // absent: the first
  std::vector<std::string> texts(const std::string& key);                             // absent: none
  double number(const std::string& key, double minimum, double otherwise);
  std::optional<double> number(const std::string& key, double minimum);
  std::uint64_t whole(const std::string& key, std::uint64_t minimum, std::uint64_t maximum,
                      std::optional<std::uint64_t> otherwise = std::nullopt);
  bool flag(const std::string& key);  // absent: false
  std::optional<SpecificationObject> object(const std::string& key);
  std::vector<SpecificationObject> objects(const std::string& key);  // at least one

  // Call it after all keys were read: it refuses the others.
  void finish() const;

  [[noreturn]] void refuse(const std::string& key, const std::string& accepted) const;
  [[noreturn]] void refuse_it(const std::string& problem) const;  // the whole object

 private:
  const Json* find(const std::string& key);
  std::string place_of(const std::string& key) const;

  const Json& json_;
  std::string place_;  // empty: the document
  std::set<std::string> known_;
};

}  // namespace rehearse::app
