// SPDX-License-Identifier: MIT
//
// A coarse form of a system: sums of rows instead of rows. Then many variables have the same column, and their sum is
// one column. What the coarse form refutes, the system refutes, because a multiplier of a sum is one of each of its
// rows. A solution of the coarse form need not be one of the system.
//
// A family of rows (system.hpp) is replaced by few sums, depending on the detail:
//   sums    the sum of its rows, and their sum with each row times its place
//   layers  for each place, the sum of the rows in it
//   rows    each row; then each variable has a column of its own
//
// Source: Grohe, Kersting, Mladenov and Selman, "Dimension reduction via colour refinement", ESA 2014, merges equal
//         columns after sums of rows, too. There, the sums are such that the coarse form has a solution if and only if
//         the system has one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mc/flow/system.hpp"

namespace rehearse::mc::flow {

enum class Detail : std::uint8_t { sums, layers, rows };

// By columns, one behind the other: entries `starts[c]` to `starts[c + 1]` belong to column c.
struct LinearProgram {
  std::vector<double> row_low, row_high;  // infinite: without bound
  std::vector<double> low, high;          // of columns
  std::vector<int> starts, rows;
  std::vector<double> factors;
  static constexpr double infinite = 1e30;
};

// What a question adds: rows, one behind the other, and bounds of some columns.
struct CoarseQuestion {
  std::vector<double> row_low, row_high;
  std::vector<int> starts{0}, columns;
  std::vector<double> factors;
  struct Bounds {
    int column = 0;
    double low = 0, high = 0;
  };
  std::vector<Bounds> bounds;
};

class CoarseSystem {
 public:
  // The system must outlive this form. Variables between which `distinguishing` makes a difference have different
  // columns.
  CoarseSystem(const System& system, Detail detail, const Question& distinguishing = {});

  const LinearProgram& program() const { return program_; }
  int column_of(Variable variable) const { return column_of_[variable]; }

  // None: the question makes a difference between variables of one column.
  std::optional<CoarseQuestion> coarsen(const Question& question) const;

  // Multipliers of the rows of the program, and then of the question, as those of the system and the question.
  Multipliers lift(std::span<const std::int64_t> multipliers) const;
  std::int32_t largest_weight() const { return largest_weight_; }  // by which a multiplier may grow

 private:
  struct Part {
    std::uint32_t sum = 0;
    std::int32_t weight = 1;
  };
  using Parts = std::vector<Part>;  // of a row of the system: the sums that contain it

  void make_sums(Detail detail);
  void make_columns(Detail detail, const Question& distinguishing);
  void add_column(std::span<const std::pair<std::uint32_t, std::int64_t>> entries);

  const System& system_;
  std::vector<Parts> parts_;
  std::vector<Relation> relations_;  // by sum
  std::int32_t largest_weight_ = 1;
  LinearProgram program_;
  std::vector<int> column_of_;
  std::vector<std::uint32_t> size_;  // by column: number of variables
};

}  // namespace rehearse::mc::flow
