// SPDX-License-Identifier: MIT
//
// Does the exploration visit exactly the classes of brute force? Many small programs, every policy, every naming of
// the actors (which the scheduler's rule depends on).
//
// Usage:  rehearse_exactness --count -
//         reads programs, an empty line between two, and prints a line of JSON for each: the counts of the exploration.
//         rehearse_exactness [--random FIRST-LAST] [--two STRIDE] [--three STRIDE] [--part K/N] [--seconds S]
//         --two, --three: every STRIDE-th program of these spaces (spaces.hpp). --part: of all programs, those whose
//         number is K modulo N. --seconds: as much of the spaces as fits, then random programs from FIRST on until the
//         time is up.
// Errors: the first difference prints the program and both counts; exit status 1.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "mc/explore.hpp"
#include "tests/exactness/spaces.hpp"
#include "tests/support/litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;

namespace {

constexpr std::uint64_t most_executions = 2000;  // of larger programs brute force takes too long

Verdict explored(const std::string& text, Reduction reduction, const Policy& policy,
                 std::uint64_t max_executions = most_executions) {
  const std::unique_ptr<Program> program = tests::make_litmus(text);
  ExploreOptions options;
  options.reduction = reduction;
  options.policies = {policy};
  options.all_findings = true;
  options.max_executions = max_executions;
  return explore(*program, options, [](const Outcome&, const Describe&) { return std::vector<Finding>(); });
}

std::string shown(const Verdict& verdict) {
  return std::to_string(verdict.executions) + " executions, " + std::to_string(verdict.blocked) + " blocked, " +
         std::to_string(verdict.duplicates) + " duplicates";
}

class Comparison {
 public:
  bool add(const std::string& text) {
    for (const Policy& policy : {Policy{}, Policy{0, false}, Policy{4, false}, Policy{Policy::infinite, true},
                                 Policy{0, true}}) {
      const Verdict fast = explored(text, Reduction::matching, policy);
      if (!fast.exhaustive) {
        ++too_large_;
        return true;
      }
      if (!is_equal(text, policy, "brute force", fast, explored(text, Reduction::none, policy), false)) return false;
      classes_ += fast.executions;
      ++pairs_;
    }
    ++programs_;
    return programs_ % 4 != 0 || add_renamings(text);
  }

  void print(const char* what) {
    std::printf("%s: %llu programs, %llu pairs with a policy, %llu classes, %llu under other names; %llu too large\n",
                what, programs_, pairs_, classes_, renamings_, too_large_);
    std::fflush(stdout);
  }

 private:
  // Not of programs to which the names matter: by the order of members, or as the number of a choice.
  bool add_renamings(const std::string& text) {
    if (text.find("scan") != std::string::npos || text.find("choose") != std::string::npos) return true;
    std::vector<std::uint32_t> order(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
    std::iota(order.begin(), order.end(), 0u);
    for (const Policy& policy : {Policy{}, Policy{0, false}}) {
      const Verdict as_it_is = explored(text, Reduction::matching, policy);
      while (std::next_permutation(order.begin(), order.end())) {
        const std::string other = tests::renamed(text, order);
        const Verdict verdict = explored(other, Reduction::matching, policy);
        if (!is_equal(text + "and\n" + other, policy, "the other", as_it_is, verdict, true)) return false;
        ++renamings_;
      }
    }
    return true;
  }

  static bool is_equal(const std::string& text, const Policy& policy, const char* other, const Verdict& one,
                       const Verdict& two, bool is_explored_once) {
    if (one.executions == two.executions && one.blocked == two.blocked && one.duplicates == 0 &&
        (!is_explored_once || two.duplicates == 0))
      return true;
    std::printf("DIFFERENCE under %s\n%smatching: %s\n%s: %s\n", to_text(policy).c_str(), text.c_str(),
                shown(one).c_str(), other, shown(two).c_str());
    return false;
  }

  unsigned long long programs_ = 0, pairs_ = 0, classes_ = 0, renamings_ = 0, too_large_ = 0;
};

struct Arguments {
  std::uint64_t first = 1, last = 0, two = 0, three = 0, part = 0, parts = 1;
  double seconds = 0;
};

Arguments read(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    const std::size_t middle = value.find_first_of("-/");
    const std::string second = middle == std::string::npos ? value : value.substr(middle + 1);
    if (name == "--random") a.first = std::stoull(value), a.last = std::stoull(second);
    if (name == "--two") a.two = std::stoull(value);
    if (name == "--three") a.three = std::stoull(value);
    if (name == "--part") a.part = std::stoull(value), a.parts = std::stoull(second);
    if (name == "--seconds") a.seconds = std::stod(value);
  }
  return a;
}

class Deadline {
 public:
  explicit Deadline(double seconds) : seconds_(seconds) {}
  bool is_up() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() >= seconds_;
  }

 private:
  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

bool compare_space(const char* what, const tests::Space& space, std::uint64_t stride, const Arguments& arguments,
                   const Deadline& deadline) {
  Comparison comparison;
  for (std::uint64_t i = arguments.part * stride; i < space.size(); i += stride * arguments.parts) {
    if (arguments.seconds > 0 && deadline.is_up()) {
      std::printf("%s: the time is up after %llu of %llu\n", what, static_cast<unsigned long long>(i),
                  static_cast<unsigned long long>(space.size()));
      break;
    }
    if (!comparison.add(space.program(i))) return false;
  }
  comparison.print(what);
  return true;
}

bool compare_random(const Arguments& arguments, const Deadline& deadline) {
  Comparison comparison;
  for (std::uint64_t seed = arguments.first + arguments.part; seed <= arguments.last || !deadline.is_up();
       seed += arguments.parts)
    if (!comparison.add(tests::random_program(seed))) {
      std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
      return false;
    }
  comparison.print("random");
  return true;
}

void print_counts(const std::string& text) {
  const char* separator = "{";
  for (const Policy& policy : {Policy{}, Policy{0, false}}) {
    const Verdict v = explored(text, Reduction::matching, policy, ~std::uint64_t{0});
    std::printf("%s\"%s\": {\"executions\": %llu, \"blocked\": %llu, \"duplicates\": %llu, \"exhaustive\": %s, "
                "\"reasons\": []}",
                separator, to_text(policy).c_str(), static_cast<unsigned long long>(v.executions),
                static_cast<unsigned long long>(v.blocked), static_cast<unsigned long long>(v.duplicates),
                v.exhaustive ? "true" : "false");
    separator = ", ";
  }
  std::printf("}\n");
}

int count_programs_of_input() {
  std::string text;
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty()) {
      text += line + "\n";
      continue;
    }
    print_counts(text);
    text.clear();
  }
  if (!text.empty()) print_counts(text);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--count") return count_programs_of_input();
  const Arguments arguments = read(argc, argv);
  const Deadline deadline(arguments.seconds);
  if (arguments.two > 0 && !compare_space("two actors", tests::Space::two_actors(), arguments.two, arguments, deadline))
    return 1;
  if (arguments.three > 0 &&
      !compare_space("three actors", tests::Space::three_actors(), arguments.three, arguments, deadline))
    return 1;
  return compare_random(arguments, deadline) ? 0 : 1;
}
