// SPDX-License-Identifier: MIT
//
// See simplex.hpp.
#include "mc/flow/simplex.hpp"

#include <numeric>

namespace rehearse::mc::flow {

Simplex::Simplex(const Clp& clp, const LinearProgram& program)
    : clp_(clp), program_(program), model_(clp_.new_model()) {
  clp_.set_log_level(model_, 0);
  const std::vector<double> costs(program.low.size(), 0.0);
  clp_.load_problem(model_, static_cast<int>(program.low.size()), static_cast<int>(program.row_low.size()),
                    program.starts.data(), program.rows.data(), program.factors.data(), program.low.data(),
                    program.high.data(), costs.data(), program.row_low.data(), program.row_high.data());
}

Simplex::~Simplex() { clp_.delete_model(model_); }

Simplex::Status Simplex::solve(const CoarseQuestion& question, double seconds) {
  const int rows = static_cast<int>(program_.row_low.size()), more = static_cast<int>(question.row_low.size());
  if (basis_.empty()) {
    clp_.set_maximum_seconds(model_, seconds);
    clp_.dual(model_, 0);
    const unsigned char* basis = clp_.status_array(model_);
    if (basis != nullptr) basis_.assign(basis, basis + program_.low.size() + program_.row_low.size());
  }
  if (more > 0)
    clp_.add_rows(model_, more, question.row_low.data(), question.row_high.data(), question.starts.data(),
                  question.columns.data(), question.factors.data());
  set_bounds(question.bounds);
  clp_.set_maximum_seconds(model_, seconds);
  clp_.dual(model_, 0);
  const int status = clp_.status(model_);
  if (status == 1) keep_ray();
  if (status == 0) solution_.assign(clp_.solution(model_), clp_.solution(model_) + program_.low.size());
  std::vector<int> added(question.row_low.size());
  std::iota(added.begin(), added.end(), rows);
  if (more > 0) clp_.delete_rows(model_, more, added.data());
  if (!question.bounds.empty()) set_bounds({});
  if (!basis_.empty()) clp_.copy_in_status(model_, basis_.data());
  return status == 0 ? Status::solved : status == 1 ? Status::infeasible : Status::unknown;
}

void Simplex::set_bounds(const std::vector<CoarseQuestion::Bounds>& bounds) {
  std::vector<double> low = program_.low, high = program_.high;
  for (const CoarseQuestion::Bounds& of : bounds) {
    low[static_cast<std::size_t>(of.column)] = of.low;
    high[static_cast<std::size_t>(of.column)] = of.high;
  }
  clp_.set_lower(model_, low.data());
  clp_.set_upper(model_, high.data());
}

void Simplex::keep_ray() {
  ray_.clear();
  double* ray = clp_.infeasibility_ray(model_);
  if (ray == nullptr) return;
  ray_.assign(ray, ray + clp_.number_of_rows(model_));
  clp_.free_ray(model_, ray);
}

}  // namespace rehearse::mc::flow
