// SPDX-License-Identifier: MIT
//
// An inferred program: calls, loops and branches with expressions, before it is written as a skeleton.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "manynode/inference/vocabulary.hpp"
#include "manynode/recorded_calls.hpp"

namespace rehearse::manynode::inference {

// The expressions that explain a number, the cheapest first, and the chosen one.
struct Answers {
  std::vector<Term> all;
  std::size_t chosen = 0;
  std::vector<Sample> samples = {};  // that they explain; may be empty

  const Term& term() const { return all[chosen]; }
};

struct Computation {
  double seconds = 0;
  std::uint64_t occurrences = 0;
  std::map<std::uint32_t, std::uint64_t> sites_before;  // of the calls before it, with the number of ranks

  void add(const Computation& other) {
    seconds += other.seconds;
    occurrences += other.occurrences;
    for (const auto& [site, count] : other.sites_before) sites_before[site] += count;
  }
};

enum class ItemKind : std::uint8_t { call, loop, branch };

struct Item {
  ItemKind kind = ItemKind::call;
  // Of a call: kind, mode, name..., without numbers.
  RecordedCall call = {};
  std::array<std::optional<Answers>, slots> values;
  std::optional<Answers> parts;           // by member of a collective
  std::vector<Computation> computations;  // by run, or by class and run: before the call
  std::optional<Answers> times;           // of a loop
  std::optional<Term> condition;          // of a branch
  std::vector<Item> body;
  std::vector<Item> otherwise;

  const std::optional<Answers>& operator[](Slot slot) const { return values[static_cast<std::size_t>(slot)]; }
};

// Ranks with the same shape.
struct RankClass {
  std::vector<std::uint32_t> members;  // of the vocabulary
  Term rule = Term(1);                 // tried in the order of the classes
  std::vector<Item> body;
};

// Chooses for each peer, root and count the expression that explains most of them in all classes, and then for each
// other number the one that explains most of those beside the same peer.
void choose_common(std::vector<RankClass>& classes, const Vocabulary& vocabulary);

// The length of a program: the cost of its expressions and conditions, and 1 for each item.
double length_of(const std::vector<Item>& items);

}  // namespace rehearse::manynode::inference
