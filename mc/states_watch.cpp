// SPDX-License-Identifier: MIT
//
// Treats each publication as an event that depends on all earlier ones.
#include "mc/states_watch.hpp"

#include <algorithm>

#include "mc/predicates/declared.hpp"

namespace rehearse::mc {

namespace {

class OneOrder final : public predicates::Clocks {
 public:
  std::uint32_t needs(std::uint32_t, graph::EventIndex events, std::uint32_t) const override { return events; }
};

Predicate read(const std::string& text) {
  auto predicate = Predicate::parse(text);
  REHEARSE_ASSERT(bool(predicate), "a published predicate is well-formed");
  return std::move(predicate.value());
}

}  // namespace

StatesWatch::StatesWatch(Program& program)
    : WatchedProgram(program), publications_(program.actor_count()), has_ended_(program.actor_count(), false) {}

void StatesWatch::look(ActorId actor, const Operation& operation) {
  has_ended_[actor.value] = std::holds_alternative<End>(operation);
  const auto* log = std::get_if<Log>(&operation);
  if (log == nullptr || log->stream != published_stream) return;
  Published published = read_published(log->text);
  if (published.kind == Published::Kind::result) return;
  publications_[actor.value].push_back({++reported_, &published_.emplace_back(std::move(published))});
}

void StatesWatch::forget(ActorId actor) {
  publications_[actor.value].clear();
  has_ended_[actor.value] = false;
}

std::vector<GlobalState> StatesWatch::states(const std::function<bool(const GlobalState&)>& is_wanted) {
  std::vector<GlobalState> all;
  const OneOrder clocks;
  const bool has_ended = std::ranges::find(has_ended_, false) == has_ended_.end();
  for (const predicates::Declared& declared : predicates::declared_in(publications_)) {
    const Predicate predicate = read(declared.published->name);
    predicates::StateSearch search(predicate, publications_, clocks);
    auto state = predicates::state_against(declared, search, has_ended, *this);
    if (!state) continue;
    const std::vector<predicates::StateSearch::Held> wanted = search.find(declared.is_never(), [&](const auto& held) {
      return is_wanted(predicates::state_of(declared, held, *this));
    });
    all.push_back(wanted.empty() ? std::move(*state) : predicates::state_of(declared, wanted, *this));
  }
  return all;
}

}  // namespace rehearse::mc
