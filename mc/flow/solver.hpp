// SPDX-License-Identifier: MIT
//
// Refutes questions about a system of linear constraints whose variables are all 0 or 1 in the cases that matter.
//
// A simplex in floating point finds the multipliers; the exact check (system.hpp) decides. If the relaxation to values
// in between has a solution, the question is divided: a variable is 0, or it is 1.
//
// Errors:  whatever cannot be refuted within the limits counts as possible.
// Library: CLP (COIN-OR), by its interface for C.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "mc/flow/system.hpp"

namespace rehearse::mc::flow {

struct SolverStatistics {
  std::uint64_t questions = 0;  // also divided ones
  std::uint64_t refuted = 0;    // of these
  std::uint64_t unchecked = 0;  // the simplex found no solution, but its multipliers are no proof
};

class Solver {
 public:
  // Called before each question; false: stop, and the answer is "possible".
  using GoesOn = std::function<bool()>;

  // The system must outlive the solver, and must not change.
  Solver(const System& system, double seconds_per_question, GoesOn goes_on);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // Whether the library is there. Without it, everything is possible.
  static bool is_there();

  // Whether it is proved that no assignment of 0 and 1 to the variables satisfies the system and the question.
  // `divisions`: at most so many questions are divided.
  bool refutes(const Question& question, std::uint32_t divisions = 0);

  const SolverStatistics& statistics() const { return statistics_; }

 private:
  class Simplex;

  enum class Answer : std::uint8_t { refuted, solved, unknown };
  Answer ask(const Question& question);
  bool divide(Question& question, std::uint32_t& divisions);

  const System& system_;
  GoesOn goes_on_;
  std::unique_ptr<Simplex> simplex_;
  SolverStatistics statistics_;
};

}  // namespace rehearse::mc::flow
