// SPDX-License-Identifier: MIT
//
// Forms of the system, from coarse to fine, and integers for the multipliers of the simplex.
#include "mc/flow/solver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "mc/flow/clp.hpp"
#include "mc/flow/coarse_system.hpp"
#include "mc/flow/simplex.hpp"

namespace rehearse::mc::flow {

namespace {

// Integers in the proportions of the ray. Those of inequalities must not be negative; the check refuses others.
std::vector<std::int64_t> integers_of(const std::vector<double>& ray, double factor) {
  std::vector<std::int64_t> all(ray.size());
  for (std::size_t i = 0; i < ray.size(); ++i) all[i] = std::llround(factor * ray[i]);
  return all;
}

// Factors that may make the ray integers: first such that the smallest multiplier is 1, because short proofs have small
// numbers, then such that the largest is as large as it may be.
std::vector<double> factors_of(const std::vector<double>& ray, std::int32_t largest_weight) {
  constexpr double nothing = 1e-9, largest = static_cast<double>(std::int64_t{1} << 40);
  double most = 0, least = 0;
  for (const double value : ray) most = std::max(most, std::abs(value));
  if (most == 0 || !std::ranges::all_of(ray, [](double value) { return std::isfinite(value); })) return {};
  for (const double value : ray)
    if (std::abs(value) > nothing * most && (least == 0 || std::abs(value) < least)) least = std::abs(value);
  const double fine = largest / largest_weight / most, plain = std::min(1 / least, fine);
  return {plain, -plain, fine, -fine};
}

// The variable that is farthest from 0 and from 1.
std::optional<Variable> most_divided(const std::vector<double>& solution) {
  constexpr double nearly = 1e-6;
  std::optional<Variable> found;
  double farthest = nearly;
  for (std::size_t v = 0; v < solution.size(); ++v) {
    const double distance = std::min(solution[v], 1 - solution[v]);
    if (distance <= farthest) continue;
    farthest = distance;
    found = static_cast<Variable>(v);
  }
  return found;
}

Refutation refutation_by(const Multipliers& multipliers) {
  Refutation refutation;
  for (std::uint32_t row = 0; row < multipliers.size(); ++row)
    if (multipliers[row] != 0) refutation.multipliers.emplace_back(row, multipliers[row]);
  return refutation;
}

// Adds to the least and the greatest value of each row.
void add_ranges(std::span<double> low, std::span<double> high, int row, double factor, double from, double to) {
  low[static_cast<std::size_t>(row)] += factor * (factor > 0 ? from : to);
  high[static_cast<std::size_t>(row)] += factor * (factor > 0 ? to : from);
}

// A row that has no solution by itself, as a ray: the simplex has none then. Empty: there is no such row.
std::vector<double> single_row(const LinearProgram& program, const CoarseQuestion& question) {
  std::vector<double> low = program.low, high = program.high;
  for (const CoarseQuestion::Bounds& of : question.bounds) {
    low[static_cast<std::size_t>(of.column)] = of.low;
    high[static_cast<std::size_t>(of.column)] = of.high;
  }
  const std::size_t rows = program.row_low.size(), all = rows + question.row_low.size();
  std::vector<double> least(all), most(all);
  for (std::size_t c = 0; c < low.size(); ++c)
    for (int e = program.starts[c]; e < program.starts[c + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      add_ranges(least, most, program.rows[entry], program.factors[entry], low[c], high[c]);
    }
  for (std::size_t r = 0; r < question.row_low.size(); ++r)
    for (int e = question.starts[r]; e < question.starts[r + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e), column = static_cast<std::size_t>(question.columns[entry]);
      add_ranges(least, most, static_cast<int>(rows + r), question.factors[entry], low[column], high[column]);
    }
  for (std::size_t r = 0; r < all; ++r) {
    const double from = r < rows ? program.row_low[r] : question.row_low[r - rows];
    const double to = r < rows ? program.row_high[r] : question.row_high[r - rows];
    if (least[r] <= to && most[r] >= from) continue;
    std::vector<double> ray(all);
    ray[r] = 1;
    return ray;
  }
  return {};
}

}  // namespace

// The system in one detail.
class Solver::Form {
 public:
  Form(const Clp& clp, const System& system, Detail detail, const Question& distinguishing = {})
      : coarse_(system, detail, distinguishing), simplex_(clp, coarse_.program()) {}

  const CoarseSystem& coarse() const { return coarse_; }
  Simplex& simplex() { return simplex_; }

  // Otherwise a question is better put to the system itself.
  bool saves_work(const System& system) const {
    constexpr double share = 0.75;
    return static_cast<double>(coarse_.program().row_low.size()) < share * static_cast<double>(system.rows().size());
  }

  std::vector<Multipliers> proposals(const CoarseQuestion& question) const {
    const std::vector<double> ray = simplex_.ray().empty() ? single_row(coarse_.program(), question) : simplex_.ray();
    std::vector<Multipliers> all;
    if (ray.empty()) return all;
    for (const double factor : factors_of(ray, coarse_.largest_weight())) {
      std::vector<std::int64_t> integers = integers_of(ray, factor);
      drop_negatives(integers, question);
      all.push_back(coarse_.lift(integers));
    }
    return all;
  }

 private:
  // Rounding errors may have made the multiplier of an inequality negative.
  void drop_negatives(std::vector<std::int64_t>& integers, const CoarseQuestion& question) const {
    const std::vector<double>& low = coarse_.program().row_low;
    for (std::size_t i = 0; i < integers.size(); ++i) {
      const double bound = i < low.size() ? low[i] : question.row_low[i - low.size()];
      if (bound == -LinearProgram::infinite) integers[i] = std::max<std::int64_t>(integers[i], 0);
    }
  }

  CoarseSystem coarse_;
  Simplex simplex_;
};

Solver::Solver(const System& system, double seconds_per_question, GoesOn goes_on)
    : system_(system), seconds_per_question_(seconds_per_question), goes_on_(std::move(goes_on)) {}

bool Solver::is_there() { return Clp::load() != nullptr; }

Solver::~Solver() = default;

Solver::Answer Solver::ask(Form& form, const Question& question) {
  if (goes_on_ && !goes_on_()) {
    ++statistics_.given_up;
    return {};
  }
  ++statistics_.questions;
  const std::optional<CoarseQuestion> coarse = form.coarse().coarsen(question);
  if (!coarse) return {};
  const Simplex::Status status = form.simplex().solve(*coarse, seconds_per_question_);
  if (status == Simplex::Status::solved) return {.is_solved = true, .refutation = {}};
  if (status == Simplex::Status::unknown) {
    ++statistics_.given_up;
    return {};
  }
  for (const Multipliers& multipliers : form.proposals(*coarse)) {
    if (!flow::refutes(system_, question, multipliers)) continue;
    ++statistics_.refuted;
    return {.is_solved = false, .refutation = refutation_by(multipliers)};
  }
  ++statistics_.unchecked;
  return {};
}

Solver::Form& Solver::form(Detail detail) {
  std::unique_ptr<Form>& form = forms_[static_cast<std::size_t>(detail)];
  if (!form) form = std::make_unique<Form>(*Clp::load(), system_, detail);
  return *form;
}

Solver::Answer Solver::ask_coarsely(Detail detail, const Question& question) {
  if (form(detail).coarse().coarsen(question)) return ask(form(detail), question);
  Form own(*Clp::load(), system_, detail, question);
  return ask(own, question);
}

std::optional<Refutation> Solver::refute(const Question& question, Effort effort, std::uint32_t divisions) {
  if (!is_there()) return std::nullopt;
  for (const Detail detail : {Detail::sums, Detail::layers}) {
    if (effort == Effort::fine) break;
    if (!form(detail).saves_work(system_)) continue;
    if (Answer answer = ask_coarsely(detail, question); answer.refutation) return answer.refutation;
    if (effort == Effort::brief) return std::nullopt;
  }
  Question divided = question;
  return divide(divided, divisions);
}

std::optional<Refutation> Solver::divide(Question& question, std::uint32_t& divisions) {
  Form& all_rows = form(Detail::rows);
  Answer answer = ask(all_rows, question);
  if (!answer.is_solved) return std::move(answer.refutation);
  const std::optional<Variable> variable = most_divided(all_rows.simplex().solution());
  if (!variable || divisions == 0) return std::nullopt;
  --divisions;
  Refutation refutation{{}, variable, {}};
  for (const bool value : {true, false}) {
    question.fixed.push_back({*variable, value});
    std::optional<Refutation> part = divide(question, divisions);
    question.fixed.pop_back();
    if (!part) return std::nullopt;
    refutation.parts.push_back(std::move(*part));
  }
  return refutation;
}

}  // namespace rehearse::mc::flow
