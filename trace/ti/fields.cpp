// SPDX-License-Identifier: MIT
//
// See fields.hpp.
#include "trace/ti/fields.hpp"

#include "trace/ti/types.hpp"
#include "trace/ti/words.hpp"

namespace rehearse::trace::ti {

namespace {

constexpr std::string_view communicator_prefix = "comm=";
constexpr std::string_view bytes_prefix = "bytes=";
constexpr double most_count = 9e15;  // whole numbers up to there are exact

}  // namespace

// comm=NUMBER is the last field, if it is there.
void Fields::take_options() {
  if (words_.empty() || !words_.back().starts_with(communicator_prefix)) return;
  const std::string_view text = words_.back().substr(communicator_prefix.size());
  communicator_ = whole_number(text);
  if (!communicator_) refuse("comm= needs a whole number; found: " + std::string(words_.back()));
  words_ = words_.first(words_.size() - 1);
}

bool Fields::need(std::size_t count, std::string_view what) {
  if (words_.size() >= count) return ok();
  std::string found(action_);
  for (const std::string_view word : words_) found += " " + std::string(word);
  refuse(std::string(action_) + " needs " + std::string(what) + "; found: " + found);
  return false;
}

std::string_view Fields::word(std::size_t at) {
  if (at < words_.size()) return words_[at];
  refuse(std::string(action_) + " needs at least " + std::to_string(at + 1) +
         " fields; found: " + std::to_string(words_.size()));
  return "0";
}

double Fields::amount(std::size_t at, std::string_view what) {
  const std::string_view text = word(at);
  const auto value = number(text);
  if (value && *value >= 0) return *value;
  refuse(std::string(action_) + ": " + std::string(what) + " is a number from 0 on; found: " + std::string(text));
  return 0;
}

std::int64_t Fields::whole(std::size_t at, std::string_view what) {
  const std::string_view text = word(at);
  const auto value = whole_number(text);
  if (value && *value >= INT32_MIN && *value <= INT32_MAX) return *value;
  refuse(std::string(action_) + ": " + std::string(what) + " is a whole number; found: " + std::string(text));
  return 0;
}

std::uint64_t Fields::count(std::size_t at) {
  const auto known = count_or_unknown(at);
  if (known || !ok()) return known.value_or(0);
  refuse(std::string(action_) + ": a count is a number from 0 on; found: " + std::string(word(at)));
  return 0;
}

std::optional<std::uint64_t> Fields::count_or_unknown(std::size_t at) {
  const std::string_view text = word(at);
  if (const auto value = whole_number(text); value && *value <= static_cast<std::int64_t>(most_count))
    return *value < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(*value));
  const auto value = number(text);
  if (value && *value < 0) return std::nullopt;
  if (value && *value <= most_count) return static_cast<std::uint64_t>(*value);
  refuse(std::string(action_) + ": a count is a number up to 9e15; found: " + std::string(text));
  return 0;
}

std::uint32_t Fields::rank(std::size_t at, std::uint32_t ranks) {
  const std::string_view text = word(at);
  const auto value = whole_number(text);
  if (value && *value >= 0 && *value < ranks) return static_cast<std::uint32_t>(*value);
  refuse(std::string(action_) + ": rank " + std::string(text) + " is not one of the " + std::to_string(ranks) +
         " ranks of the trace");
  return 0;
}

std::uint32_t Fields::root(std::size_t at, std::uint32_t members) {
  if (at >= words_.size()) return 0;
  const auto value = whole_number(words_[at]);
  if (value && *value >= 0 && *value < members) return static_cast<std::uint32_t>(*value);
  refuse(std::string(action_) + ": root " + std::string(words_[at]) + " is not one of the " + std::to_string(members) +
         " ranks of the communicator");
  return 0;
}

std::uint64_t Fields::type_size(std::size_t at) {
  if (at >= words_.size()) return default_size_;
  const std::string_view text = words_[at];
  if (text.starts_with(bytes_prefix)) {
    const auto size = whole_number(text.substr(bytes_prefix.size()));
    if (size && *size >= 0) return static_cast<std::uint64_t>(*size);
    refuse(std::string(action_) + ": bytes= needs a number from 0 on; found: " + std::string(text));
    return 0;
  }
  const auto type = whole_number(text);
  if (type && *type == -1) {
    refuse(std::string(action_) + ": the format keeps no size of a derived datatype (-1); bytes=N in its place gives "
                                  "the size of an element");
    return 0;
  }
  const auto size = type ? size_of_type(*type) : std::nullopt;
  if (!size) refuse(std::string(action_) + ": no datatype has the number " + std::string(text));
  return size.value_or(0);
}

std::uint64_t Fields::bytes_of(std::uint64_t elements, std::size_t type_at) {
  const std::uint64_t size = type_size(type_at);
  if (size == 0 || elements <= static_cast<std::uint64_t>(most_count) / size) return elements * size;
  refuse(std::string(action_) + ": at most 9e15 bytes are accepted; found: " + std::to_string(elements) +
         " elements of " + std::to_string(size) + " bytes");
  return 0;
}

}  // namespace rehearse::trace::ti
