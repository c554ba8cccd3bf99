// SPDX-License-Identifier: MIT
//
// See search.hpp.
#include "manynode/inference/search.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "manynode/inference/candidates.hpp"

namespace rehearse::manynode::inference {

std::vector<Term> Candidates::take() {
  std::ranges::stable_sort(kept_, {}, &std::pair<double, Term>::first);
  std::vector<Term> terms;
  std::set<std::string> texts;
  for (const auto& [cost, term] : kept_) {
    if (terms.size() == most_answers) break;
    if (texts.insert(term.text()).second) terms.push_back(term);
  }
  return terms;
}

std::vector<Term> explain(const Vocabulary& vocabulary, const Question& question) {
  Candidates candidates(vocabulary, question);
  const Sample& first = question.samples.front();
  candidates.add(Term(static_cast<double>(first.value)));
  if (question.wanted == Wanted::peer) add_peers(candidates);
  else add_sizes(candidates);
  std::vector<Term> found = candidates.take();
  if (!found.empty() || question.wanted == Wanted::peer) return found;
  Candidates others(vocabulary, question);
  add_peers(others);
  return others.take();
}

}  // namespace rehearse::manynode::inference
