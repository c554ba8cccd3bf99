// SPDX-License-Identifier: MIT
//
// Changes of a trace while it is replayed, for questions such as "and if x_solve were three times faster?".
//
// Texts:  compute factors: ITEM,ITEM,...; an item is FACTOR or WHERE=FACTOR. WHERE is rank:N, rank:FIRST-LAST,
//         FUNCTION, FILE:FUNCTION or FILE:LINE; FACTOR is a number from 0 on, or A/B. Noise: LAW:NUMBERS or a file.
// Places: computation belongs to the call that ends it.
// Errors: the value, and what is accepted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::trace {

// The computation that a factor is for. Factors of several selections that fit are multiplied.
struct ComputeFactor {
  double factor = 1;
  std::optional<std::uint32_t> first_rank;  // with last_rank; else ranks do not matter
  std::uint32_t last_rank = 0;
  std::string file;      // the end of its path; empty: any
  std::string function;  // empty: any
  std::uint32_t line = 0;

  bool has_place() const { return !file.empty() || !function.empty() || line != 0; }
  bool fits_rank(std::uint32_t rank) const { return !first_rank || (rank >= *first_rank && rank <= last_rank); }
  bool fits_place(std::string_view of_file, std::string_view of_function, std::uint32_t of_line) const;
};

Result<std::vector<ComputeFactor>> parse_compute_factors(const std::string& text);

// The place alone: "FILE:FUNCTION".
std::string text_of(const ComputeFactor& item);

// WHERE alone, with the factor 1. Nothing: it is malformed.
std::optional<ComputeFactor> parse_place(std::string_view where);

// Random factors of bursts of computation, which are never below 0. Each burst has one of its own, which depends only
// on the seed, its rank and its number in the rank.
struct Noise {
  enum class Law : std::uint8_t {
    none,
    normal,       // mean 1, standard deviation `first`
    lognormal,    // mean 1, standard deviation of the logarithm `first`
    uniform,      // from `first` to `second`
    exponential,  // 1 and more: the excess has the mean `first`
    sample        // one of `factors`
  };
  Law law = Law::none;
  double first = 0, second = 0;
  std::vector<double> factors;
  std::uint64_t seed = 1;

  double factor(std::uint32_t rank, std::uint64_t burst) const;
};

// normal:0.05, lognormal:0.1, uniform:0.9,1.1, exponential:0.01, or a file with a factor on each line.
Result<Noise> parse_noise(const std::string& text);

struct Alterations {
  std::vector<ComputeFactor> compute;
  std::vector<double> rank_factors;  // of computation, by rank; empty: 1
  double bytes_factor = 1;           // of messages and collectives; the result is rounded
  Noise noise;
  // Flop/s of a core by place (factor), in place of those of the ranks' hosts. Of several that fit, one with a line
  // counts before one with a function, and that before one without a place; otherwise the last one.
  std::vector<ComputeFactor> speeds;
  std::vector<double> host_speeds;  // of the ranks, if there are speeds

  bool are_none() const {
    return compute.empty() && rank_factors.empty() && bytes_factor == 1 && noise.law == Noise::Law::none &&
           speeds.empty();
  }
};

}  // namespace rehearse::trace
