// SPDX-License-Identifier: MIT
//
// Policies from options, and in words.
#include "app/policies.hpp"

#include <algorithm>

#include "simcore/support/format.hpp"

namespace rehearse::app {

Result<std::vector<Policy>> make_policies(const std::string& buffering, const std::string& synchronisation) {
  std::vector<std::uint64_t> bytes;
  if (buffering == "all") {
    bytes = {Policy::infinite, 0};
  } else if (buffering == "mixed") {
    bytes = {Policy::infinite, 0, Policy::mixed};
  } else if (const auto one = parse_policy(buffering); one && !one.value().synchronising) {
    bytes = {one.value().eager_bytes};
  } else {
    return Error{fmt::format("--buffering: '{}' given; accepted: all, infinite, zero, eager:BYTES (from 1 on), mixed",
                             buffering)};
  }
  std::vector<bool> synchronising;
  if (synchronisation == "both") {
    synchronising = {false, true};
  } else if (synchronisation == "relaxed" || synchronisation == "synchronising") {
    synchronising = {synchronisation == "synchronising"};
  } else {
    return Error{fmt::format("--collective-synchronisation: '{}' given; accepted: both, relaxed, synchronising",
                             synchronisation)};
  }
  std::vector<Policy> policies;
  for (const std::uint64_t eager : bytes) {
    for (const bool all_wait : synchronising) policies.push_back({eager, all_wait});
  }
  return policies;
}

bool is_synchronisation(std::string_view word) {
  return word == "both" || word == "relaxed" || word == "synchronising";
}

std::string in_words(const Policy& policy) {
  std::string words = "every standard send is buffered";
  if (policy.eager_bytes == 0) {
    words = "a standard send waits until it is received";
  } else if (policy.is_mixed()) {
    words = "some standard sends are buffered and others wait until they are received: here only those in which a rank "
            "waits for ever";
  } else if (policy.eager_bytes != Policy::infinite) {
    words = fmt::format("at most {} bytes are buffered from one rank to another", policy.eager_bytes);
  }
  return words + (policy.synchronising ? ", and in a collective every member waits for every member" : "");
}

std::vector<Policy> without_variants(const std::vector<Policy>& policies) {
  std::vector<Policy> kept;
  for (const Policy& policy : policies) {
    const Policy plain{policy.eager_bytes, false};
    if (!policy.synchronising || std::ranges::find(policies, plain) == policies.end()) kept.push_back(policy);
  }
  return kept;
}

std::vector<std::string> names_of(const std::vector<Policy>& policies) {
  std::vector<std::string> names;
  for (const Policy& policy : policies) names.push_back(to_text(policy));
  return names;
}

}  // namespace rehearse::app
