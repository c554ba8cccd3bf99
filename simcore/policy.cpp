// SPDX-License-Identifier: MIT
//
// Converts policies to and from text.
#include "simcore/policy.hpp"

#include <charconv>
#include <optional>

#include "simcore/support/format.hpp"

namespace rehearse {
namespace {

constexpr std::string_view synchronising_suffix = "+synchronising";
constexpr std::string_view eager_prefix = "eager:";

// The limit in bytes that the first word means, or nothing.
std::optional<std::uint64_t> eager_bytes_of(std::string_view word) {
  if (word == "infinite") return Policy::infinite;
  if (word == "zero") return 0;
  if (word == "mixed") return Policy::mixed;
  if (!word.starts_with(eager_prefix)) return std::nullopt;
  word.remove_prefix(eager_prefix.size());
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), bytes);
  if (error != std::errc{} || end != word.data() + word.size() || bytes == 0 || bytes >= Policy::mixed)
    return std::nullopt;
  return bytes;
}

}  // namespace

std::string to_text(const Policy& policy) {
  const std::string text = policy.eager_bytes == Policy::infinite ? "infinite"
                           : policy.eager_bytes == Policy::mixed  ? "mixed"
                           : policy.eager_bytes == 0              ? "zero"
                                                                  : fmt::format("eager:{}", policy.eager_bytes);
  return policy.synchronising ? text + "+synchronising" : text;
}

Result<Policy> parse_policy(std::string_view text) {
  std::string_view word = text;
  const bool synchronising = word.ends_with(synchronising_suffix);
  if (synchronising) word.remove_suffix(synchronising_suffix.size());
  const std::optional<std::uint64_t> eager_bytes = eager_bytes_of(word);
  if (!eager_bytes)
    return Error{
        fmt::format("policy '{}'; accepted: infinite, zero, eager:BYTES, mixed, or one with +synchronising", text)};
  return Policy{*eager_bytes, synchronising};
}

}  // namespace rehearse
