// SPDX-License-Identifier: MIT
//
// The functions behind rehearse.h.
#include <string>

#include "simcore/actor.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/user/regions.hpp"

namespace rehearse::smpi {
namespace {

std::string place_text(const char* condition, const char* file, int line, const char* function) {
  return std::string(file) + ":" + std::to_string(line) + ": " + function + ": " + condition;
}

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line, const char* function) {
  fail_rank(FailureKind::assertion, "assertion.failed", place_text(condition, file, line, function));
}

[[noreturn]] void assumption_failed(const char* condition, const char* file, int line, const char* function) {
  fail_rank(FailureKind::not_meant, "",
            "the program's assumption does not hold: " + place_text(condition, file, line, function));
}

int choose_one_of(int count, const char* file, int line) {
  const std::string what = std::string("rehearse_choose at ") + file + ":" + std::to_string(line);
  if (count <= 0)
    fail_rank(FailureKind::misuse, "argument.value",
              "rehearse_choose(" + std::to_string(count) + ") at " + file + ":" + std::to_string(line) +
                  ": there is nothing to choose from");
  return static_cast<int>(ask(Choose{static_cast<std::uint32_t>(count), what}).completions[0].index);
}

void region_begins(const char* name) { per_rank<Regions>().names.push_back(name); }

void region_ends() {
  std::vector<const char*>& names = per_rank<Regions>().names;
  if (names.empty())
    fail_rank(FailureKind::misuse, "argument.value", "rehearse_end() without rehearse_begin()");
  names.pop_back();
}

// Fortran's default logical is false where it is 0.
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
          {"rehearse_assert_", function_address(fortran_assert)},
          {"rehearse_assume_", function_address(fortran_assume)},
          {"rehearse_choose_", function_address(fortran_choose)}};
}

}  // namespace rehearse::smpi
