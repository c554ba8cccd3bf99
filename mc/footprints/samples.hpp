// SPDX-License-Identifier: MIT
//
// What a few random executions say about the words of a program. It guides the proof, and decides nothing: any answer
// here is right, and only decides how precise and how large the net becomes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "mc/footprints/machine.hpp"

namespace rehearse::mc::footprints {

class Samples {
 public:
  Samples(Machine& machine, std::uint64_t seed);

  // The words that every step from this place looks at.
  const std::set<Word>& control_words(std::uint32_t actor, const Place& place) const;

  // The word's value after a step from the place that reads it and perhaps adds to it, if it was the same after each.
  std::optional<Value> usual_value_after(std::uint32_t actor, const Place& place, Word word) const;

  std::uint64_t runs() const { return runs_; }

 private:
  using Key = std::pair<std::uint32_t, Place>;
  struct Seen {
    std::set<Word> looked;
    std::uint32_t visits = 0;
    std::map<Word, std::optional<Value>> after;  // of words that were read; empty: several values
  };
  void run(Machine& machine, std::uint64_t& random);
  void note(const Key& key, const Effect& effect);

  std::map<Key, Seen> seen_;
  std::set<Word> none_;
  std::uint64_t runs_ = 0;
};

}  // namespace rehearse::mc::footprints
