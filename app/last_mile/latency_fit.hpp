// SPDX-License-Identifier: MIT
//
// The latency of each host to the core, from latencies of pairs: latency(i, j) = l i + l j, with l >= 0.
//
// Least squares: minimises the sum of w (x a + x b - value)^2 for x >= 0, by exact steps in one variable at a time, and
// by
//                conjugate gradients if these are slow. The problem is convex, so the steps converge to the least sum
//                (Luo, Tseng, On the convergence of the coordinate descent method, Journal of Optimization Theory and
//                Applications 72, 1992). Lawson, Hanson, Solving least squares problems, 1974, define the problem;
//                their method needs a matrix of all hosts.
// Robustness:    reweighting turns squared errors into Huber's function of logarithmic errors: pairs far from their fit
//                count with their distance and not with its square (Huber, Robust estimation of a location parameter,
//                Annals of Mathematical Statistics 35, 1964; constant 1.345; scale by the median absolute error).
// Ambiguity:     if the measured pairs of a group of hosts only lead from one side to the other, a constant can move
//                from one side to the other. The result is the middle of the range that l >= 0 leaves.
// A constant of the core changes nothing: half of it in each host gives the same sums.
// Units:         seconds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/last_mile/pair_values.hpp"

namespace rehearse::app {

struct SumTerm {
  std::uint32_t a = 0, b = 0;  // different
  double value = 0, weight = 1;
};

// `start`: a first guess for each variable, not negative. Variables in no term keep it.
std::vector<double> least_squares_of_sums(std::span<const SumTerm> terms, std::vector<double> start);

struct HostLatency {
  double seconds = 0;
  double least = 0, most = 0;  // equal, unless the pairs leave a range
  std::uint32_t pairs = 0;     // 0: not measured
  double spread = 0;           // median absolute logarithmic error of its pairs
};

std::vector<HostLatency> fit_latencies(std::span<const PairValue> pairs, std::size_t hosts);

}  // namespace rehearse::app
