// SPDX-License-Identifier: MIT
//
// Truth on a word that repeats: each subformula has one truth value at each position, and the operators over time are
// least and greatest solutions of their equations, found by repetition.
#include <algorithm>

#include "mc/temporal_formula.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc {
namespace {

using Truth = std::vector<char>;  // by position

std::size_t after(std::size_t position, std::size_t size, std::size_t loop_begin) {
  return position + 1 < size ? position + 1 : loop_begin;
}

// until: the least solution of t(i) = second(i) || (first(i) && t(i+1)). release: the greatest one of
// t(i) = second(i) && (first(i) || t(i+1)).
Truth solution(bool is_until, const Truth& first, const Truth& second, std::size_t loop_begin) {
  Truth truth(first.size(), is_until ? 0 : 1);
  for (bool changes = true; changes;) {
    changes = false;
    for (std::size_t i = first.size(); i-- > 0;) {
      const bool later = truth[after(i, first.size(), loop_begin)];
      const char now = is_until ? second[i] || (first[i] && later) : second[i] && (first[i] || later);
      changes = changes || now != truth[i];
      truth[i] = now;
    }
  }
  return truth;
}

}  // namespace

bool holds_on_lasso(const TemporalFormula& formula, const std::vector<std::uint64_t>& letters, std::size_t loop_begin) {
  using Code = TemporalFormula::Code;
  REHEARSE_ASSERT(loop_begin < letters.size(), "a loop with a letter");
  std::vector<Truth> truths;
  for (const TemporalFormula::Node& node : formula.nodes()) {
    Truth truth(letters.size(), 1);
    for (std::size_t i = 0; i < letters.size(); ++i) {
      switch (node.code) {
        case Code::atom: truth[i] = (letters[i] >> node.first & 1) != 0; break;
        case Code::negate: truth[i] = !truths[node.first][i]; break;
        case Code::both: truth[i] = truths[node.first][i] && truths[node.second][i]; break;
        case Code::either: truth[i] = truths[node.first][i] || truths[node.second][i]; break;
        case Code::next: truth[i] = truths[node.first][after(i, letters.size(), loop_begin)]; break;
        case Code::truth:
        case Code::until:
        case Code::release: break;
      }
    }
    if (node.code == Code::until || node.code == Code::release)
      truth = solution(node.code == Code::until, truths[node.first], truths[node.second], loop_begin);
    truths.push_back(std::move(truth));
  }
  return truths[formula.root()].front() != 0;
}

}  // namespace rehearse::mc
