// SPDX-License-Identifier: MIT
//
// See program.hpp.
#include "manynode/inference/program.hpp"

#include <string>
#include <unordered_map>

namespace rehearse::manynode::inference {
namespace {

using Votes = std::unordered_map<std::string, std::uint64_t>;

template <class Visit>
void visit_answers(std::vector<Item>& items, const Visit& visit) {
  for (Item& item : items) {
    for (std::optional<Answers>& answers : item.values)
      if (answers) visit(*answers);
    if (item.parts) visit(*item.parts);
    if (item.times) visit(*item.times);
    visit_answers(item.body, visit);
  }
}

}  // namespace

void choose_common(std::vector<RankClass>& classes) {
  Votes votes;
  for (RankClass& each : classes)
    visit_answers(each.body, [&votes](const Answers& answers) {
      for (const Term& term : answers.all) ++votes[term.text()];
    });
  for (RankClass& each : classes)
    visit_answers(each.body, [&votes](Answers& answers) {
      for (std::size_t i = 0; i < answers.all.size(); ++i)
        if (votes[answers.all[i].text()] > votes[answers.term().text()]) answers.chosen = i;
    });
}

}  // namespace rehearse::manynode::inference
