// SPDX-License-Identifier: MIT
//
// Texts about operations.
#include "mc/history/diverged.hpp"

#include "simcore/actor_context.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::mc::history {

namespace {

std::string in_words(const Pattern& pattern, std::string_view noun) {
  std::string text = pattern.source ? fmt::format(" of {} {}", noun, pattern.source->value)
                                    : fmt::format(" of any {}", noun);
  if (pattern.tag) text += fmt::format(", tag {}", *pattern.tag);
  return text;
}

}  // namespace

std::string to_text(const Diverged& diverged) {
  return fmt::format("{} {} is not deterministic: {}", diverged.noun, diverged.actor.value, diverged.what);
}

std::string in_words(const Operation& operation, std::string_view noun) {
  const std::string kind = kind_name(operation);
  return std::visit(
      [&](const auto& op) {
        using Op = std::decay_t<decltype(op)>;
        if constexpr (std::is_same_v<Op, Send>) {
          return fmt::format("a message of {} bytes to {} {}, tag {}", op.data.size(), noun, op.destination.value,
                             op.tag);
        } else if constexpr (std::is_same_v<Op, Post>) {
          return "a receive" + in_words(op.pattern, noun);
        } else if constexpr (std::is_same_v<Op, Probe>) {
          return "a probe" + in_words(op.pattern, noun);
        } else if constexpr (std::is_same_v<Op, Observe>) {
          return fmt::format("the completion of {} requests", op.requests.size());
        } else if constexpr (std::is_same_v<Op, Collective>) {
          return std::string(op.name);
        } else if constexpr (std::is_same_v<Op, Fail>) {
          return fmt::format("failure ({})", op.id);
        } else if constexpr (std::is_same_v<Op, End>) {
          return fmt::format("its end, with status {}", op.status);
        } else {
          return kind;
        }
      },
      operation);
}

std::string describe_difference(const Operation& before, const Operation& now, bool has_other_data,
                                const CallDescription& place, std::string_view noun) {
  std::string text = "with the same answers it asks for " + in_words(now, noun);
  if (!place.frames.empty() && !place.frames.front().file.empty())
    text += fmt::format(" ({}:{})", place.frames.front().file, place.frames.front().line);
  if (in_words(before, noun) != in_words(now, noun)) text += " and asked for " + in_words(before, noun) + " before";
  else if (has_other_data) text += " with other data than before";
  else text += " after other output, looks at the clock or the like than before";
  return text + "; it may depend on memory that was never written, on instructions such as rdtsc and rdrand, or on "
                "files that change";
}

}  // namespace rehearse::mc::history
