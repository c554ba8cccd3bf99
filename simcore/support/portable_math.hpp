// SPDX-License-Identifier: MIT
//
// Functions whose results are the same on every machine, to the last digit.
//
// Machines: the mathematical library of a machine may round the last digit of exp, log and hypot otherwise than that of
//           another one. These functions consist of additions, multiplications, divisions and square roots, which IEEE
//           754 rounds exactly, and of exact scalings. The compiler must not fuse them (x86-64 without -mfma, or
//           -ffp-contract=off).
// Error:    at most 2 units in the last place; portable_length: 1.
// Source:   reduction by multiples of ln 2 in two parts: Cody, Waite, Software Manual for the Elementary Functions,
//           1980. Quantiles of the normal distribution: Wichura, algorithm AS 241, Applied Statistics 37(3), 1988.
//           Corrected square root of a sum of squares: Borges, Algorithm 1014, ACM TOMS 47(1), 2020.
#pragma once

namespace rehearse {

double portable_exp(double x);
double portable_log(double x);  // requires 0 < x < infinity

// The square root of x^2 + y^2. Requires that the squares neither overflow nor underflow.
double portable_length(double x, double y);

// The value below which a part u of the normal distribution with mean 0 and deviation 1 lies. Requires 0 < u < 1.
double portable_normal_quantile(double u);

}  // namespace rehearse
