// SPDX-License-Identifier: MIT
//
// The functions behind rehearse.h.
#include <string>
#include <string_view>

#include "simcore/actor.hpp"
#include "simcore/mark_stream.hpp"
#include "simcore/predicate.hpp"
#include "simcore/published.hpp"
#include "simcore/support/format.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/region_marks.hpp"
#include "smpi/user/regions.hpp"

namespace rehearse::smpi {
namespace {

std::string place_text(const char* condition, const char* file, int line, const char* function) {
  return fmt::format("{}:{}: {}: {}", file, line, function, condition);
}

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line, const char* function) {
  fail_rank(FailureKind::assertion, "assertion.failed", place_text(condition, file, line, function));
}

[[noreturn]] void assumption_failed(const char* condition, const char* file, int line, const char* function) {
  fail_rank(FailureKind::not_meant, "",
            "the program's assumption does not hold: " + place_text(condition, file, line, function));
}

int choose_one_of(int count, const char* file, int line) {
  const std::string what = fmt::format("rehearse_choose at {}:{}", file, line);
  if (count <= 0)
    fail_rank(FailureKind::misuse, "argument.value",
              fmt::format("rehearse_choose({}) at {}:{}: there is nothing to choose from", count, file, line));
  return static_cast<int>(ask(Choose{static_cast<std::uint32_t>(count), what}).completions[0].index);
}

void region_begins(const char* name) {
  per_rank<Regions>().names.push_back(name);
  if (shows_regions()) ask(Log{mark_stream, *name == '\0' ? "unnamed" : name});
}

void region_ends() {
  std::vector<const char*>& names = per_rank<Regions>().names;
  if (names.empty()) fail_rank(FailureKind::misuse, "argument.value", "rehearse_end() without rehearse_begin()");
  names.pop_back();
  if (shows_regions()) ask(Log{mark_stream, ""});
}

// Published text stays on the rank's own stack until it was read.
void publish(Published published, const void* from) {
  published.address = reinterpret_cast<std::uintptr_t>(from);
  const std::string text = text_of(published);
  ask(Log{published_stream, text});
}

// The name, if predicates can use it.
std::string checked(std::string name) {
  if (auto predicate = Predicate::parse(name + "@0"); predicate && predicate.value().terms()[0].name == name)
    return name;
  fail_rank(FailureKind::misuse, "property.syntax",
            "'" + name + "' cannot be the name of a value: letters, digits, '_' and '.'");
}

void value_published(const char* name, long long value) {
  publish({.kind = Published::Kind::value, .name = checked(name), .value = value}, __builtin_return_address(0));
}

void result_published(const char* name, const void* data, std::size_t bytes) {
  publish({.kind = Published::Kind::result, .name = name, .bytes = std::string(static_cast<const char*>(data), bytes)},
          __builtin_return_address(0));
}

void predicate_published(Published::Kind kind, const std::string& text, const void* from) {
  const char* const call = kind == Published::Kind::never ? "rehearse_never" : "rehearse_always";
  if (const auto predicate = Predicate::parse(text); !predicate)
    fail_rank(FailureKind::misuse, "property.syntax",
              std::string(call) + "(\"" + text + "\"): " + predicate.error().text);
  publish({.kind = kind, .name = text}, from);
}

void never_published(const char* text) {
  predicate_published(Published::Kind::never, text, __builtin_return_address(0));
}

void always_published(const char* text) {
  predicate_published(Published::Kind::always, text, __builtin_return_address(0));
}

// Texts of Fortran have their lengths after all arguments, and blanks at their ends.
std::string fortran_text(const char* text, std::size_t length) {
  const std::string_view all(text, length);
  const std::size_t last = all.find_last_not_of(' ');
  return std::string(all.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

void fortran_publish(const char* name, const int* value, std::size_t length) {
  publish({.kind = Published::Kind::value, .name = checked(fortran_text(name, length)), .value = *value},
          __builtin_return_address(0));
}

void fortran_result(const char* name, const void* data, const int* bytes, std::size_t length) {
  if (*bytes < 0) fail_rank(FailureKind::misuse, "argument.value", fmt::format("rehearse_result: {} bytes", *bytes));
  publish({.kind = Published::Kind::result,
           .name = fortran_text(name, length),
           .bytes = std::string(static_cast<const char*>(data), static_cast<std::size_t>(*bytes))},
          __builtin_return_address(0));
}

void fortran_never(const char* text, std::size_t length) {
  predicate_published(Published::Kind::never, fortran_text(text, length), __builtin_return_address(0));
}

void fortran_always(const char* text, std::size_t length) {
  predicate_published(Published::Kind::always, fortran_text(text, length), __builtin_return_address(0));
}

// A default logical of Fortran is false if it is 0.
void fortran_assert(const int* condition) {
  if (*condition == 0) assertion_failed("condition", "a Fortran program", 0, "rehearse_assert");
}

void fortran_assume(const int* condition) {
  if (*condition == 0) assumption_failed("condition", "a Fortran program", 0, "rehearse_assume");
}

int fortran_choose(const int* count) { return choose_one_of(*count, "a Fortran program", 0); }

}  // namespace

std::string region_name(const void* slot) {
  const Regions* regions = find_per_rank<Regions>(slot);
  return regions == nullptr || regions->names.empty() ? "" : regions->names.back();
}

std::string region_text(const void* slot) {
  const std::string name = region_name(slot);
  return name.empty() ? "" : " (in region " + name + ")";
}

InterposerList user_interposers() {
  return {{"rehearse_assertion_failed", function_address(assertion_failed)},
          {"rehearse_assumption_failed", function_address(assumption_failed)},
          {"rehearse_choose_one_of", function_address(choose_one_of)},
          {"rehearse_region_begins", function_address(region_begins)},
          {"rehearse_region_ends", function_address(region_ends)},
          {"rehearse_value_published", function_address(value_published)},
          {"rehearse_result_published", function_address(result_published)},
          {"rehearse_never_published", function_address(never_published)},
          {"rehearse_always_published", function_address(always_published)},
          {"rehearse_publish_", function_address(fortran_publish)},
          {"rehearse_result_", function_address(fortran_result)},
          {"rehearse_never_", function_address(fortran_never)},
          {"rehearse_always_", function_address(fortran_always)},
          {"rehearse_assert_", function_address(fortran_assert)},
          {"rehearse_assume_", function_address(fortran_assume)},
          {"rehearse_choose_", function_address(fortran_choose)}};
}

}  // namespace rehearse::smpi
