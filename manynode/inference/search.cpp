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

void Candidates::add_partial(const Term& term, double extra) {
  std::set<std::uint32_t> members, others;
  for (const Sample& sample : question_.samples) {
    if (is_near(value_of(term, sample), static_cast<double>(sample.value))) members.insert(sample.member);
    else others.insert(sample.member);
  }
  for (const std::uint32_t member : others) members.erase(member);
  const double cost = term.cost() + extra;
  if (members.size() < best_members_.size() || (members.size() == best_members_.size() && cost >= best_cost_)) return;
  best_members_ = std::move(members);
  best_cost_ = cost;
}

bool explains(const Vocabulary& vocabulary, const Term& term, const std::vector<Sample>& samples) {
  return Candidates(vocabulary, {Wanted::size, samples, {}}).fits(term);
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

std::set<std::uint32_t> explain_most(const Vocabulary& vocabulary, const Question& question) {
  static constexpr std::size_t most_firsts = 8;
  Candidates candidates(vocabulary, question);
  std::set<std::uint32_t> firsts;
  for (std::size_t i = 0; i < question.samples.size() && firsts.size() < most_firsts; ++i) {
    if (!firsts.insert(question.samples[i].member).second) continue;
    candidates.begin_partial(i);
    candidates.add(Term(static_cast<double>(question.samples[i].value)));
    if (question.wanted == Wanted::peer) add_peers(candidates);
    else add_sizes(candidates);
  }
  return candidates.best_members();
}

}  // namespace rehearse::manynode::inference
