// SPDX-License-Identifier: MIT
//
// Policies from words and into words.
#include "app/policies.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace rehearse::app {
namespace {

constexpr std::string_view synchronising_suffix = "+synchronising";
constexpr std::string_view eager_prefix = "eager:";

// The bytes behind one word of buffering, or nothing.
std::optional<std::uint64_t> eager_bytes(std::string_view word) {
  if (word == "infinite") return mc::Policy::infinite;
  if (word == "zero") return 0;
  if (!word.starts_with(eager_prefix)) return std::nullopt;
  word.remove_prefix(eager_prefix.size());
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), bytes);
  if (error != std::errc{} || end != word.data() + word.size() || bytes == 0) return std::nullopt;
  return bytes;
}

}  // namespace

Result<std::vector<mc::Policy>> make_policies(const std::string& buffering, const std::string& synchronisation) {
  std::vector<std::uint64_t> bytes;
  if (buffering == "all") {
    bytes = {mc::Policy::infinite, 0};
  } else if (const auto one = eager_bytes(buffering)) {
    bytes = {*one};
  } else {
    return Error{"--buffering: '" + buffering + "' given; accepted: all, infinite, zero, eager:BYTES (from 1 on)"};
  }
  std::vector<bool> synchronising;
  if (synchronisation == "both") {
    synchronising = {false, true};
  } else if (synchronisation == "relaxed" || synchronisation == "synchronising") {
    synchronising = {synchronisation == "synchronising"};
  } else {
    return Error{"--collective-synchronisation: '" + synchronisation +
                 "' given; accepted: both, relaxed, synchronising"};
  }
  std::vector<mc::Policy> policies;
  for (const std::uint64_t eager : bytes) {
    for (const bool all_wait : synchronising) policies.push_back({eager, all_wait});
  }
  return policies;
}

bool is_synchronisation(std::string_view word) {
  return word == "both" || word == "relaxed" || word == "synchronising";
}

Result<mc::Policy> parse_policy(const std::string& text) {
  std::string_view buffering = text;
  mc::Policy policy;
  if (buffering.ends_with(synchronising_suffix)) {
    buffering.remove_suffix(synchronising_suffix.size());
    policy.synchronising = true;
  }
  const auto bytes = eager_bytes(buffering);
  if (!bytes) return Error{"policy '" + text + "'; accepted: infinite, zero, eager:BYTES, or one with +synchronising"};
  policy.eager_bytes = *bytes;
  return policy;
}

std::string in_words(const mc::Policy& policy) {
  std::string words = "every standard send is buffered";
  if (policy.eager_bytes == 0) {
    words = "a standard send waits until it is received";
  } else if (policy.eager_bytes != mc::Policy::infinite) {
    words = "at most " + std::to_string(policy.eager_bytes) + " bytes are buffered from one rank to another";
  }
  return words + (policy.synchronising ? ", and in a collective every member waits for every member" : "");
}

std::vector<std::string> without_variants(const std::vector<std::string>& names) {
  std::vector<std::string> kept;
  for (const std::string& name : names) {
    const bool is_variant = name.ends_with(synchronising_suffix);
    const std::string plain = is_variant ? name.substr(0, name.size() - synchronising_suffix.size()) : name;
    if (!is_variant || std::ranges::find(names, plain) == names.end()) kept.push_back(name);
  }
  return kept;
}

}  // namespace rehearse::app
