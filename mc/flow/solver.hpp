// SPDX-License-Identifier: MIT
//
// Refutes questions about a system of linear constraints whose variables are all 0 or 1 in the cases that matter.
//
// A simplex in floating point finds the multipliers, in coarse forms of the system first (coarse_system.hpp). The exact
// check (system.hpp) decides. If the relaxation to values in between has a solution, the question is divided: a
// variable is 0, or it is 1.
//
// Errors: whatever cannot be refuted within the limits counts as possible.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "mc/flow/coarse_system.hpp"
#include "mc/flow/system.hpp"

namespace rehearse::mc::flow {

struct SolverStatistics {
  std::uint64_t questions = 0;  // to the simplex, also divided ones
  std::uint64_t refuted = 0;    // of these
  std::uint64_t unchecked = 0;  // the simplex found no solution, but its multipliers are no proof
  std::uint64_t given_up = 0;   // for lack of time
};

// Why a question has no solution: multipliers, or a variable, and why there is none where it is 1, and where it is 0.
struct Refutation {
  std::vector<std::pair<std::uint32_t, std::int64_t>> multipliers;  // by row of the system, then of the question; not 0
  std::optional<Variable> divided;
  std::vector<Refutation> parts;
};

// How hard to try: with the coarsest form only, until nothing else is left, or at once with the system itself. The last
// one is for many questions that each fix many variables: then coarse forms would be made for each of them.
enum class Effort : std::uint8_t { brief, thorough, fine };

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

  // The proof that no assignment of 0 and 1 to the variables satisfies the system and the question. None: there may be
  // one. `divisions`: at most so many questions are divided.
  std::optional<Refutation> refute(const Question& question, Effort effort = Effort::thorough,
                                   std::uint32_t divisions = 0);
  bool refutes(const Question& question, Effort effort = Effort::thorough, std::uint32_t divisions = 0) {
    return refute(question, effort, divisions).has_value();
  }

  const SolverStatistics& statistics() const { return statistics_; }

 private:
  class Form;

  struct Answer {
    bool is_solved = false;  // by values in between, perhaps
    std::optional<Refutation> refutation;
  };
  Answer ask(Form& form, const Question& question);
  Answer ask_coarsely(Detail detail, const Question& question);
  Form& form(Detail detail);
  std::optional<Refutation> divide(Question& question, std::uint32_t& divisions);

  const System& system_;
  double seconds_per_question_;
  GoesOn goes_on_;
  std::array<std::unique_ptr<Form>, 3> forms_;  // by detail; made when they are needed
  SolverStatistics statistics_;
};

}  // namespace rehearse::mc::flow
