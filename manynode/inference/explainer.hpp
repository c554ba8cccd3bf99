// SPDX-License-Identifier: MIT
//
// The numbers in the instances of a shape, as expressions.
//
// Method: a varying loop is explained with its counter. If that fails it is taken apart: unrolled if it always has the
//         same number of passes, without its last or first pass, or as a loop in a loop.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "manynode/inference/instances.hpp"
#include "manynode/inference/program.hpp"
#include "manynode/inference/search.hpp"

namespace rehearse::manynode::inference {

// A number that no expression gives to all ranks.
struct Unexplained {
  RecordedCall call;  // of a loop: its first call
  bool is_loop = false;
  std::optional<Slot> slot;     // of a call; nothing: the parts
  std::vector<Sample> samples;  // some of them, with different values
};

class Explainer {
 public:
  // A rank that has the shape.
  struct Row {
    std::uint32_t member = 0;
    std::uint32_t run = 0;
    const std::vector<Instance>* instances = nullptr;
  };

  Explainer(const RecordedRuns& runs, const Vocabulary& vocabulary) : runs_(runs), vocabulary_(vocabulary) {}

  std::optional<std::vector<Item>> explain(const std::vector<Shape>& shapes, const std::vector<Row>& rows);
  // Why the last one failed.
  const std::optional<Unexplained>& unexplained() const { return unexplained_; }
  // Groups of its rows that may have different expressions, by member. Fewer than two: no such groups are known.
  const std::vector<std::set<std::uint32_t>>& groups() const { return groups_; }
  // Whether they differ in peers or counts of calls, and not only in sizes.
  bool groups_differ_in_peers() const { return groups_differ_in_peers_; }

 private:
  struct Context {
    Row row;
    std::array<std::int32_t, most_depth> counters = {};
  };
  // Where a list stands.
  struct Level {
    std::size_t depth = 0;              // loops around
    std::vector<std::size_t> counters;  // depths of those that vary
    int taken_apart = 0;                // so many times
  };
  using Contexts = std::vector<Context>;
  using Items = std::vector<Item>;

  std::optional<Items> explain_list(const std::vector<Shape>& shapes, const Contexts& contexts, const Level& level);
  std::optional<Item> explain_call(std::size_t index, const Contexts& contexts, const Level& level);
  bool explain_slot(Slot slot, std::size_t index, const Contexts& contexts, const Level& level, Item& item);
  bool explain_parts(std::size_t index, const Contexts& contexts, const Level& level, Item& item);
  std::optional<Items> explain_loop(const Shape& shape, std::size_t index, const Contexts& contexts,
                                    const Level& level);
  std::optional<Items> take_apart(const Shape& shape, std::size_t index, const Contexts& contexts, const Level& level);
  std::optional<Item> explain_whole_loop(const Shape& shape, std::size_t index, const Contexts& contexts,
                                         const Level& level);
  std::optional<Items> unroll(const Shape& shape, std::size_t index, const Contexts& contexts, const Level& level);
  std::optional<Items> peel(const Shape& shape, std::size_t index, const Contexts& contexts, const Level& level,
                            bool last);
  std::optional<Items> nest(const Shape& shape, std::size_t index, const Contexts& contexts, const Level& level,
                            std::uint64_t parts, bool parts_are_inner);
  Context with(const Context& context, std::vector<Instance> instances);
  void note(const Unexplained& unexplained, const Question& question);
  static std::vector<std::set<std::uint32_t>> groups_by_value(const Question& question);
  static std::vector<Sample> different(const std::vector<Sample>& samples);

  static constexpr std::uint64_t most_unrolled = 64, most_preferably_unrolled = 6;
  static constexpr int most_taken_apart = 4;

  const RecordedRuns& runs_;
  const Vocabulary& vocabulary_;
  std::deque<std::vector<Instance>> made_;  // instances of loops that are taken apart
  std::optional<Unexplained> unexplained_;
  int silence_ = 0;   // while a loop is taken apart, its own reason counts
  int unrolled_ = 0;  // but the groups are those of its passes, each for itself
  std::vector<std::set<std::uint32_t>> groups_;
  bool groups_differ_in_peers_ = false;
};

}  // namespace rehearse::manynode::inference
