// SPDX-License-Identifier: MIT
//
// Attempts to infer a program, from shapes by keys of one level.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "manynode/inference/explainer.hpp"
#include "manynode/inference/program.hpp"
#include "manynode/inference/tokens.hpp"

namespace rehearse::manynode::inference {

struct Inferred {
  std::vector<RankClass> classes;  // with their rules
  std::vector<Item> body;
  double length = 0;
};

struct RankPlace {
  std::uint32_t run = 0, rank = 0;
};

// Ranks with the same shape.
struct ShapeClass {
  std::vector<Shape> shapes;
  std::vector<RankPlace> ranks;
  std::vector<std::vector<Instance>> instances;  // parallel
  int divided_by_sizes = 0;                      // so many times
};

std::vector<ShapeClass> find_classes(const RecordedRuns& runs, KeyLevel level);

// With one vocabulary.
class Attempt {
 public:
  Attempt(const RecordedRuns& runs, const Vocabulary& vocabulary) : runs_(runs), vocabulary_(vocabulary) {}

  std::optional<Inferred> infer(const std::vector<ShapeClass>& shapes);
  // Why there is none.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::vector<ShapeClass> divided_by_edges(const std::vector<ShapeClass>& shapes) const;
  std::optional<std::vector<RankClass>> explain(std::vector<ShapeClass> shapes);
  ShapeClass part_of(const ShapeClass& shape, const std::set<std::uint32_t>& members) const;
  void spread_computations(std::vector<Item>& items, std::size_t number, std::size_t classes) const;
  void add_unexplained(const Unexplained& why, const ShapeClass& shape);
  void add_inseparable(const std::vector<RankClass>& classes, const std::vector<std::size_t>& open);
  std::string place_of(std::uint32_t member) const;

  static constexpr std::size_t most_classes = 64;
  static constexpr int most_by_sizes = 2;

  const RecordedRuns& runs_;
  const Vocabulary& vocabulary_;
  std::vector<std::string> problems_;
};

// In words: "rank 3 of 16".
std::string name_of_rank_in(const RecordedRun& run, std::uint32_t rank);

}  // namespace rehearse::manynode::inference
