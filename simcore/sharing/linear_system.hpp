// SPDX-License-Identifier: MIT
//
// Small dense systems of linear equations.
//
// Threads: none.
// Source:  Gaussian elimination with partial pivoting: Golub and Van Loan, Matrix Computations, 3.4.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace rehearse::sharing {

class LinearSystem {
 public:
  explicit LinearSystem(std::size_t size) : size_(size), cells_(size * (size + 1)) {}

  double& at(std::size_t row, std::size_t column) { return cells_[row * (size_ + 1) + column]; }
  double& right(std::size_t row) { return at(row, size_); }

  // Puts the solution into right(). False if there is no unique solution.
  bool solve() {
    for (std::size_t column = 0; column < size_; ++column)
      if (!eliminate(column)) return false;
    for (std::size_t row = size_; row-- > 0;) {
      for (std::size_t column = row + 1; column < size_; ++column) right(row) -= at(row, column) * right(column);
      right(row) /= at(row, row);
    }
    return true;
  }

 private:
  bool eliminate(std::size_t column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < size_; ++row)
      if (std::fabs(at(row, column)) > std::fabs(at(pivot, column))) pivot = row;
    if (at(pivot, column) == 0) return false;
    if (pivot != column)
      for (std::size_t c = column; c <= size_; ++c) std::swap(at(pivot, c), at(column, c));
    for (std::size_t row = column + 1; row < size_; ++row) {
      const double factor = at(row, column) / at(column, column);
      if (factor == 0) continue;
      for (std::size_t c = column; c <= size_; ++c) at(row, c) -= factor * at(column, c);
    }
    return true;
  }

  std::size_t size_;
  std::vector<double> cells_;
};

}  // namespace rehearse::sharing
