// SPDX-License-Identifier: MIT
//
// See unheard_accesses.hpp.
#include "smpi/rma_model/unheard_accesses.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "smpi/rma_model/race_finding.hpp"
#include "smpi/window_model.hpp"

namespace rehearse::smpi {
namespace model {
namespace {

class RankKnowledge final : public SharedKnowledge {
 public:
  RankKnowledge(ActorId rank, const RankModel& model, Program& program)
      : rank_(rank), view_(model.view), program_(program) {
    for (const auto& [context, window] : model.windows) {
      hides_accesses_ = hides_accesses_ || window.hides_accesses;
      is_shared_ = is_shared_ || window.is_shared;
      for (const auto& [origin, opening] : window.openings)
        exposures_.emplace_back(View::Exposure{origin, rank.value, context, window.exposures.at(origin)}, opening);
      if (window.opened.known != nullptr)
        exposures_.emplace_back(View::Exposure{{}, rank.value, context, fence_exposure(window.fences)}, window.opened);
    }
  }

  ActorId rank() const { return rank_; }
  const View& view() const { return view_; }
  Program& program() const { return program_; }
  // Its epochs of fences and of MPI_Win_post that may still be open.
  const std::vector<std::pair<View::Exposure, Opening>>& exposures() const { return exposures_; }

  // Whether the rank may load what an access of another rank has stored, without being seen and without knowing it.
  bool may_load(const Record& stored) const {
    const bool is_here = stored.owner == rank_.value || is_shared_;
    return hides_accesses_ && is_here && stored.changes_memory() && !is_known(stored, view_.known());
  }

 private:
  ActorId rank_;
  View view_;
  Program& program_;
  std::vector<std::pair<View::Exposure, Opening>> exposures_;
  bool hides_accesses_ = false, is_shared_ = false;
};

}  // namespace

std::shared_ptr<const SharedKnowledge> knowledge_of(ActorId rank, const RankModel& model, Program& program) {
  return std::make_shared<const RankKnowledge>(rank, model, program);
}

}  // namespace model

UnheardAccesses unheard_accesses(std::span<const std::shared_ptr<const SharedKnowledge>> ranks) {
  std::vector<const model::RankKnowledge*> known;
  for (const std::shared_ptr<const SharedKnowledge>& rank : ranks)
    if (const auto* one = dynamic_cast<const model::RankKnowledge*>(rank.get())) known.push_back(one);
  UnheardAccesses found;
  if (known.empty()) return found;
  model::View all = known.front()->view();
  for (const model::RankKnowledge* rank : std::span(known).subspan(1)) all.learn(rank->view().news());
  for (const model::RankKnowledge* rank : known)
    for (const auto& [exposure, opening] : rank->exposures()) all.expose(exposure, opening);
  for (const model::Race& race : all.take_races())
    found.races.push_back(model::finding_of(race, known.front()->program()));
  for (const model::RankKnowledge* rank : known)
    if (std::ranges::any_of(all.records(), [&](const auto& entry) { return rank->may_load(*entry.second); }))
      found.may_load.push_back(rank->rank());
  return found;
}

}  // namespace rehearse::smpi
