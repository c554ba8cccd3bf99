// SPDX-License-Identifier: MIT
//
// A simplex in floating point for one linear program and questions that add rows and bounds to it. It starts each
// question from a basis of the program without questions, from which most take a few steps.
//
// Library: CLP (COIN-OR), by its interface for C.
#pragma once

#include <cstdint>
#include <vector>

#include "mc/flow/clp.hpp"
#include "mc/flow/coarse_system.hpp"

namespace rehearse::mc::flow {

class Simplex {
 public:
  // The program must outlive the simplex.
  Simplex(const Clp& clp, const LinearProgram& program);
  ~Simplex();
  Simplex(const Simplex&) = delete;
  Simplex& operator=(const Simplex&) = delete;

  enum class Status : std::uint8_t { solved, infeasible, unknown };
  Status solve(const CoarseQuestion& question, double seconds);

  // After `infeasible`, by row of the program and then of the question: multipliers, up to a factor of unknown sign.
  // Empty: the simplex gives none.
  const std::vector<double>& ray() const { return ray_; }
  // After `solved`, by column.
  const std::vector<double>& solution() const { return solution_; }

 private:
  void set_bounds(const std::vector<CoarseQuestion::Bounds>& bounds);
  void keep_ray();

  const Clp& clp_;
  const LinearProgram& program_;
  Clp_Simplex* model_;
  std::vector<unsigned char> basis_;  // of the program without questions; empty: not solved yet
  std::vector<double> ray_, solution_;
};

}  // namespace rehearse::mc::flow
