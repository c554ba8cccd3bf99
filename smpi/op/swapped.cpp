// SPDX-License-Identifier: MIT
//
// See swapped.hpp.
#include "smpi/op/swapped.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "simcore/actor.hpp"
#include "simcore/trial.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/op/commutativity.hpp"
#include "smpi/op/laid_out.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

constexpr int max_trials = 3;           // of one operator
constexpr int max_trials_of_rank = 24;  // of all its operators
constexpr std::int64_t max_bytes = 1 << 20;
constexpr std::uint32_t max_ranks = 8;  // only the first ranks, because each trial copies the process

struct Trials {
  int remaining = max_trials;
  CreationSite created;
};

// The trials of the operators that the rank created.
struct TrialTable {
  std::map<const Op*, Trials> by_operator;
  int remaining = max_trials_of_rank;
};

Trials* find_trials(const Op& op) {
  if (!in_actor() || current_actor().value >= max_ranks) return nullptr;
  TrialTable& all = per_rank<TrialTable>();
  if (all.remaining == 0) return nullptr;
  const auto known = all.by_operator.find(&op);
  return known == all.by_operator.end() || known->second.remaining == 0 ? nullptr : &known->second;
}

// The results of the function: twice with the operands in this order, then once in the other order.
std::vector<std::byte> results_of(const Op& op, const ReduceElements& elements, std::span<const std::byte> left,
                                  std::span<const std::byte> right) {
  const auto& [type, handle, count] = elements;
  std::vector<std::byte> results(3 * left.size());
  const bool came_to_end = run_in_copy(results, [&](std::span<std::byte> out) {
    LaidOut first(type, count), second(type, count);
    const auto combine = [&](std::span<const std::byte> a, std::span<const std::byte> b, std::size_t place) {
      void* const from = first.fill(a);
      void* const into = second.fill(b);
      op.apply(type, handle, count, from, into);
      pack(type, count, into, out.data() + place * left.size());
    };
    combine(left, right, 0);
    combine(left, right, 1);
    combine(right, left, 2);
  });
  if (!came_to_end) results.clear();
  return results;
}

}  // namespace

void begin_trials(const Op& op, const CreationSite& created) {
  per_rank<TrialTable>().by_operator[&op] = {max_trials, created};
}

void try_swapped(const Op& op, const ReduceElements& elements, const void* in, const void* inout) {
  const auto& [type, handle, count] = elements;
  Trials* const trials = find_trials(op);
  if (trials == nullptr || count * type.size() > max_bytes || !has_numbers(type)) return;
  const PackedData left(type, count, in), right(type, count, inout);
  const std::size_t size = left.bytes().size();
  if (std::ranges::equal(left.bytes(), right.bytes())) return;
  const int others = std::exchange(trials->remaining, 0) - 1;  // calls of the function during the trial start no trials
  --per_rank<TrialTable>().remaining;
  const std::vector<std::byte> results = results_of(op, elements, left.bytes(), right.bytes());
  trials->remaining = others;
  const std::span<const std::byte> all(results);
  if (all.empty() || !std::ranges::equal(all.first(size), all.subspan(size, size))) return;
  const std::string what =
      order_matters(type, count, {left.bytes(), right.bytes(), all.first(size), all.subspan(2 * size)});
  if (what.empty()) return;
  trials->remaining = 0;
  const std::vector<ReportedPlace> places{{trials->created, "was created here"}};
  report_places("operator.commutative", "an operator was declared commutative and is not: " + what,
                {{}, "uses it here"}, places);
}

}  // namespace rehearse::smpi
