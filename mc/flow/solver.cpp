// SPDX-License-Identifier: MIT
//
// CLP keeps its basis from question to question, so that most of them take a few steps of the dual simplex.
#include "mc/flow/solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "mc/flow/clp.hpp"

namespace rehearse::mc::flow {

namespace {

constexpr double infinite = 1e30;  // to CLP

// Rows one behind the other, as CLP takes them.
struct RowList {
  explicit RowList(std::span<const Row> rows) {
    for (const Row& row : rows) {
      low.push_back(row.relation == Relation::equal ? static_cast<double>(row.bound) : -infinite);
      high.push_back(static_cast<double>(row.bound));
      add_terms(row.terms);
      starts.push_back(static_cast<int>(variables.size()));
    }
  }

  std::vector<double> low, high, factors;
  std::vector<int> variables, starts{0};

 private:
  // CLP wants each variable once in a row.
  void add_terms(std::vector<Term> terms) {
    std::ranges::sort(terms, {}, &Term::variable);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i > 0 && terms[i].variable == terms[i - 1].variable) {
        factors.back() += terms[i].factor;
        continue;
      }
      variables.push_back(static_cast<int>(terms[i].variable));
      factors.push_back(terms[i].factor);
    }
  }
};

}  // namespace

class Solver::Simplex {
 public:
  Simplex(const Clp& clp, const System& system, double seconds)
      : clp_(clp), model_(clp_.new_model()), variables_(static_cast<int>(system.variable_count())), seconds_(seconds) {
    clp_.set_log_level(model_, 0);
    const std::vector<double> zeros(system.variable_count(), 0.0), ones(system.variable_count(), 1.0);
    const std::vector<int> starts(system.variable_count() + std::size_t{1}, 0);
    clp_.load_problem(model_, variables_, 0, starts.data(), nullptr, nullptr, zeros.data(), ones.data(), zeros.data(),
                      nullptr, nullptr);
    add(system.rows());
  }
  ~Simplex() { clp_.delete_model(model_); }
  Simplex(const Simplex&) = delete;
  Simplex& operator=(const Simplex&) = delete;

  enum class Status : std::uint8_t { solved, infeasible, unknown };

  Status solve(const Question& question) {
    const int first = clp_.number_of_rows(model_);
    add(question.rows);
    fix(question.fixed);
    clp_.set_maximum_seconds(model_, seconds_);
    clp_.dual(model_, 0);
    const int status = clp_.status(model_);
    if (status == 1) keep_ray();
    if (status == 0) solution_.assign(clp_.solution(model_), clp_.solution(model_) + variables_);
    std::vector<int> added(question.rows.size());
    std::iota(added.begin(), added.end(), first);
    if (!added.empty()) clp_.delete_rows(model_, static_cast<int>(added.size()), added.data());
    if (!question.fixed.empty()) fix({});
    return status == 0 ? Status::solved : status == 1 ? Status::infeasible : Status::unknown;
  }

  const std::vector<double>& ray() const { return ray_; }            // by row: multipliers, up to a common factor
  const std::vector<double>& solution() const { return solution_; }  // by variable

 private:
  void add(std::span<const Row> rows) {
    if (rows.empty()) return;
    const RowList list(rows);
    clp_.add_rows(model_, static_cast<int>(rows.size()), list.low.data(), list.high.data(), list.starts.data(),
                  list.variables.data(), list.factors.data());
  }

  void fix(std::span<const Fixed> fixed) {
    std::vector<double> low(static_cast<std::size_t>(variables_), 0.0);
    std::vector<double> high(static_cast<std::size_t>(variables_), 1.0);
    for (const Fixed& f : fixed) (f.value ? low : high)[f.variable] = f.value ? 1.0 : 0.0;
    clp_.set_lower(model_, low.data());
    clp_.set_upper(model_, high.data());
  }

  void keep_ray() {
    ray_.clear();
    double* ray = clp_.infeasibility_ray(model_);
    if (ray == nullptr) return;
    ray_.assign(ray, ray + clp_.number_of_rows(model_));
    clp_.free_ray(model_, ray);
  }

  const Clp& clp_;
  Clp_Simplex* model_;
  int variables_;
  double seconds_;
  std::vector<double> ray_, solution_;
};

namespace {

// Integers in the proportions of the ray. CLP does not say which sign its rays have.
Multipliers integers_of(const std::vector<double>& ray, double sign, const System& system, const Question& question) {
  constexpr double largest = static_cast<double>(std::int64_t{1} << 40);
  double most = 0;
  for (const double value : ray) most = std::max(most, std::abs(value));
  Multipliers all(ray.size());
  if (ray.size() != system.rows().size() + question.rows.size()) return {};
  if (most == 0 || !std::ranges::all_of(ray, [](double value) { return std::isfinite(value); })) return all;
  for (std::size_t i = 0; i < ray.size(); ++i) {
    const std::span<const Row> rows = system.rows();
    const Row& row = i < rows.size() ? rows[i] : question.rows[i - rows.size()];
    all[i] = std::llround(sign * ray[i] / most * largest);
    if (row.relation == Relation::at_most) all[i] = std::max<std::int64_t>(all[i], 0);
  }
  return all;
}

// The least value of the terms, each times `sign`.
std::int64_t least(const Row& row, std::int64_t sign, const Question& question) {
  std::int64_t sum = 0;
  for (const Term& term : row.terms) {
    const std::int64_t factor = sign * term.factor;
    const auto fixed = std::ranges::find(question.fixed, term.variable, &Fixed::variable);
    if (fixed != question.fixed.end()) sum += fixed->value ? factor : 0;
    else sum += std::min<std::int64_t>(factor, 0);
  }
  return sum;
}

// Multipliers of a row that has no solution by itself: then CLP has no ray. Empty: there is none.
Multipliers single_row(const System& system, const Question& question) {
  const std::size_t rows = system.rows().size();
  for (std::size_t i = 0; i < rows + question.rows.size(); ++i) {
    const Row& row = i < rows ? system.rows()[i] : question.rows[i - rows];
    for (const std::int64_t sign : {1, -1}) {
      if (sign < 0 && row.relation == Relation::at_most) continue;
      if (least(row, sign, question) <= sign * row.bound) continue;
      Multipliers all(rows + question.rows.size());
      all[i] = sign;
      return all;
    }
  }
  return {};
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

}  // namespace

Solver::Solver(const System& system, double seconds_per_question, GoesOn goes_on)
    : system_(system), goes_on_(std::move(goes_on)) {
  if (const Clp* clp = Clp::load(); clp != nullptr)
    simplex_ = std::make_unique<Simplex>(*clp, system, seconds_per_question);
}

bool Solver::is_there() { return Clp::load() != nullptr; }

Solver::~Solver() = default;

Solver::Answer Solver::ask(const Question& question) {
  if (!simplex_ || (goes_on_ && !goes_on_())) return Answer::unknown;
  ++statistics_.questions;
  const Simplex::Status status = simplex_->solve(question);
  if (status == Simplex::Status::solved) return Answer::solved;
  if (status == Simplex::Status::unknown) return Answer::unknown;
  std::vector<Multipliers> proposals;
  if (simplex_->ray().empty()) proposals.push_back(single_row(system_, question));
  else
    for (const double sign : {1.0, -1.0}) proposals.push_back(integers_of(simplex_->ray(), sign, system_, question));
  for (const Multipliers& multipliers : proposals) {
    if (!flow::refutes(system_, question, multipliers)) continue;
    ++statistics_.refuted;
    return Answer::refuted;
  }
  ++statistics_.unchecked;
  return Answer::unknown;
}

bool Solver::refutes(const Question& question, std::uint32_t divisions) {
  Question divided = question;
  return divide(divided, divisions);
}

bool Solver::divide(Question& question, std::uint32_t& divisions) {
  const Answer answer = ask(question);
  if (answer != Answer::solved) return answer == Answer::refuted;
  const std::optional<Variable> variable = most_divided(simplex_->solution());
  if (!variable || divisions == 0) return false;
  --divisions;
  for (const bool value : {true, false}) {
    question.fixed.push_back({*variable, value});
    const bool is_refuted = divide(question, divisions);
    question.fixed.pop_back();
    if (!is_refuted) return false;
  }
  return true;
}

}  // namespace rehearse::mc::flow
