// SPDX-License-Identifier: MIT
//
// The names that expressions of a skeleton can use: factors of the number of ranks as sizes of grids, and the places of
// a rank in these grids.
//
// Ownership: a Place points into the vocabulary.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "manynode/inference/term.hpp"

namespace rehearse::manynode::inference {

// A rank is the sum of its places times the strides.
struct Grid {
  std::vector<Term> sizes, places, strides;
  double cost = 0;
};

// The value of an expression at one rank.
struct Sample {
  std::uint32_t member = 0;  // index into the members of the vocabulary
  std::array<std::int32_t, most_depth> counters = {};
  std::int64_t value = 0;
};

struct Name {
  std::string text;
  Term meaning;
};

class Vocabulary {
 public:
  struct Member {
    std::uint32_t ranks = 1, rank = 0;
    std::vector<double> names;
  };

  // Of runs with these numbers of ranks.
  explicit Vocabulary(const std::vector<std::uint32_t>& sizes);

  const std::vector<std::uint32_t>& sizes() const { return sizes_; }
  const std::vector<Grid>& grids() const { return grids_; }
  // In the order of their definitions. The first one has the index `first_own_name`.
  const std::vector<Name>& names() const { return names_; }
  const Term& ranks() const { return ranks_; }
  const Term& rank() const { return rank_; }

  // Values of all names at a rank.
  std::vector<double> values_at(std::uint32_t ranks, std::uint32_t rank) const;
  // Index of the member for this rank of the run with this index.
  std::uint32_t member_of(std::size_t run, std::uint32_t rank) const { return first_of_run_[run] + rank; }
  const Member& member(std::uint32_t index) const { return members_[index]; }
  std::size_t members() const { return members_.size(); }
  Place place(const Sample& sample) const { return {members_[sample.member].names.data(), sample.counters.data()}; }

 private:
  Term define(std::string text, const Term& meaning);
  void add_grid(std::vector<Term> sizes, const std::string& prefix, bool first_is_fastest, double cost);
  void add_fixed_grids();

  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint32_t> first_of_run_;
  std::vector<Grid> grids_;
  std::vector<Name> names_;
  std::vector<Member> members_;
  Term ranks_, rank_;
};

}  // namespace rehearse::manynode::inference
