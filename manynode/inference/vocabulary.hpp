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
};

// The value of an expression at one rank.
struct Sample {
  std::uint32_t member = 0;  // index into the members of the vocabulary
  std::array<std::int32_t, most_depth> counters = {};
  std::int64_t value = 0;
};

enum class GridKind : std::uint8_t { none, rows, columns, groups };

// An assumption about the ranks: they are a grid with this number of dimensions (rows: the last place is the fastest;
// columns: the first one), or groups of `size` ranks. `has_edges`: ranks at different edges behave differently.
struct Hypothesis {
  GridKind kind = GridKind::none;
  std::uint32_t size = 0;
  bool has_edges = false;
};
// Those that are possible for all these numbers of ranks.
std::vector<Hypothesis> hypotheses_for(const std::vector<std::uint32_t>& sizes);

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
  Vocabulary(const std::vector<std::uint32_t>& sizes, const Hypothesis& hypothesis);

  // The edges of the hypothesis at which a member is, as bits.
  std::uint32_t edges_of(std::uint32_t member) const;
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
  void add_grid(const std::vector<Term>& sizes, bool first_is_fastest);
  void add_groups(std::uint32_t size);

  bool has_edges_ = false;
  std::vector<std::uint32_t> first_of_run_;
  std::vector<Grid> grids_;
  std::vector<Name> names_;
  std::vector<Member> members_;
  Term ranks_, rank_;
};

}  // namespace rehearse::manynode::inference
