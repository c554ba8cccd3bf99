// SPDX-License-Identifier: MIT
//
// The exploration against brute force on many small programs (comparison.hpp) and groups of actors (groups.hpp).
//
// Usage:  rehearse_exactness --count -
//         reads programs, an empty line between two, and prints a line of JSON for each: the counts of the exploration.
//         rehearse_exactness [--random FIRST-LAST] [--groups FIRST-LAST] [--two STRIDE] [--three STRIDE]
//                            [--length N] [--part K/N] [--seconds S] [--names EVERY] [--parts EVERY] [--jobs EVERY]
//                            [--odpor EVERY] [--merged FIRST-LAST] [--flow FIRST-LAST] [--predict FIRST-LAST]
//                            [--buffers FIRST-LAST] [--rules N] [--sums N]
//         --two, --three: every STRIDE-th program of these spaces (spaces.hpp), of up to N operations an actor (3).
//         --part: of all programs, those whose number is K modulo N. --seconds: two thirds of them at most for the
//         spaces, the larger one from a place on that depends on FIRST; then random programs and groups, in turn, from
//         FIRST on until the time is up. --names, --parts, --jobs, --odpor: every such program also under all names of
//         its actors, divided, with several processes, by orders of steps; 0: none. --merged: these random programs
//         whose actors have memory, by merged states. --flow: the same, by flow equations, and their proofs, also
//         damaged ones, by the checker of proofs. --predict: random programs by predictions from one execution.
//         --buffers: random programs whose sends that rely on buffering were found, and under mixed buffering.
//         --rules: on so many of them, each rule of predictions left out. --sums: fan-ins of up to N senders with each
//         partial sum wrong, by merged states and by flow equations.
// Errors: the first difference prints the program and what differs; exit status 1. The same status if flow equations
//         prove none of the programs, or predictions find no error, because then nothing was compared. An argument that
//         is not understood: exit status 2.
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <iostream>
#include <string>

#include "simcore/support/random.hpp"
#include "tests/exactness/arguments.hpp"
#include "tests/exactness/buffers.hpp"
#include "tests/exactness/comparison.hpp"
#include "tests/exactness/flow.hpp"
#include "tests/exactness/groups.hpp"
#include "tests/exactness/merged.hpp"
#include "tests/exactness/mixed.hpp"
#include "tests/exactness/predict.hpp"
#include "tests/exactness/proof_check.hpp"
#include "tests/exactness/spaces.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using tests::Arguments;
using tests::Comparison;
using tests::explored;

namespace {

class Deadline {
 public:
  explicit Deadline(double seconds) : seconds_(seconds) {}
  bool is_up() const { return passed() >= seconds_; }
  bool is_up_for_spaces() const { return passed() >= seconds_ * 2 / 3; }

  double passed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

constexpr double seconds_between_words = 60;

// Every program, from this one on and then from the start.
bool compare_space(const char* what, const tests::Space& space, std::uint64_t stride, std::uint64_t first,
                   const Arguments& arguments, const Deadline& deadline) {
  Comparison comparison(arguments.samples, tests::policies_of_equal_messages);
  double next_word = deadline.passed() + seconds_between_words;
  for (std::uint64_t i = arguments.part * stride; i < space.size(); i += stride * arguments.parts) {
    if (deadline.passed() >= next_word) {
      std::fprintf(stderr, "part %" PRIu64 ", %s: %" PRIu64 " of %" PRIu64 "\n", arguments.part, what, i, space.size());
      next_word += seconds_between_words;
    }
    if (arguments.seconds > 0 && deadline.is_up_for_spaces()) {
      std::printf("%s: two thirds of the time are up after %" PRIu64 " of %" PRIu64 ", from number %" PRIu64 " on\n",
                  what, i, space.size(), first);
      break;
    }
    if (!comparison.add(space.program((first + i) % space.size()))) return false;
  }
  comparison.print(what);
  return true;
}

bool compare_sums(const Arguments& arguments) {
  for (std::uint32_t senders = 3; senders < arguments.sums; ++senders)
    if (!tests::finds_each_bad_sum(senders) || !tests::proves_no_bad_sum(senders)) return false;
  return true;
}

// A random program, a group, a program whose actors have memory, and so on.
bool compare_random(const Arguments& arguments, const Deadline& deadline) {
  Comparison comparison(arguments.samples, tests::all_policies);
  tests::GroupComparison groups;
  tests::MergedComparison merged;
  tests::FlowComparison flow;
  tests::ProofComparison proofs;
  tests::PredictComparison predict;
  tests::BuffersComparison buffers;
  tests::MixedComparison mixed;
  std::uint64_t seed = arguments.first + arguments.part, group = arguments.first_group + arguments.part;
  std::uint64_t with_memory = arguments.first_merged + arguments.part;
  std::uint64_t by_flow = arguments.first_flow + arguments.part;
  std::uint64_t by_predict = arguments.first_predict + arguments.part;
  std::uint64_t with_buffers = arguments.first_buffers + arguments.part;
  while (seed <= arguments.last || group <= arguments.last_group || with_memory <= arguments.last_merged ||
         by_flow <= arguments.last_flow || by_predict <= arguments.last_predict ||
         with_buffers <= arguments.last_buffers || !deadline.is_up()) {
    if ((seed <= arguments.last || !deadline.is_up()) && !comparison.add(tests::random_program(seed))) {
      std::printf("seed %" PRIu64 "\n", seed);
      return false;
    }
    if ((group <= arguments.last_group || !deadline.is_up()) && !groups.add(group)) return false;
    if ((with_memory <= arguments.last_merged || !deadline.is_up()) && !merged.add(with_memory)) return false;
    if ((by_flow <= arguments.last_flow || !deadline.is_up()) && !(flow.add(by_flow) && proofs.add(by_flow)))
      return false;
    if ((by_predict <= arguments.last_predict || !deadline.is_up()) && !predict.add(by_predict)) return false;
    if ((with_buffers <= arguments.last_buffers || !deadline.is_up()) &&
        !(buffers.add(with_buffers) && mixed.add(with_buffers)))
      return false;
    with_buffers += arguments.parts;
    with_memory += arguments.parts;
    by_flow += arguments.parts;
    by_predict += arguments.parts;
    seed += arguments.parts;
    group += arguments.parts;
  }
  comparison.print("random");
  groups.print();
  if (merged.has_pairs()) merged.print();
  if (flow.has_pairs()) {
    flow.print();
    proofs.print();
  }
  if (predict.has_pairs()) predict.print();
  if (buffers.has_programs()) {
    buffers.print();
    mixed.print();
    if (!buffers.has_sets() || !mixed.has_own_ends()) return false;
  }
  return (!flow.has_pairs() || flow.has_proofs()) && (!predict.has_pairs() || predict.has_predictions());
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
  auto read = tests::read_arguments(argc, argv);
  if (!read) {
    std::fprintf(stderr, "%s\n", read.error().text.c_str());
    return 2;
  }
  const Arguments& arguments = read.value();
  if (arguments.counts) return count_programs_of_input();
  const Deadline deadline(arguments.seconds);
  const auto length = static_cast<std::uint32_t>(arguments.length);
  const tests::Space two = tests::Space::two_actors(length), three = tests::Space::three_actors(length);
  // Whoever has not the time for all of it sees another part the next time.
  const std::uint64_t first = arguments.seconds > 0 ? SplitMix(arguments.first).next() % three.size() : 0;
  if (arguments.two > 0 && !compare_space("two actors", two, arguments.two, 0, arguments, deadline)) return 1;
  if (arguments.three > 0 && !compare_space("three actors", three, arguments.three, first, arguments, deadline))
    return 1;
  if (!compare_sums(arguments)) return 1;
  if (arguments.rules > 0 && !tests::needs_each_rule(arguments.rules)) return 1;
  return compare_random(arguments, deadline) ? 0 : 1;
}
