// SPDX-License-Identifier: MIT
//
// Searches the deviations of a trail.
#include "mc/reduction/race_finder.hpp"

#include <algorithm>

#include "mc/reduction/takers.hpp"

namespace rehearse::mc::reduction {

namespace {

using Entry = Trail::Entry;

// The search of one execution.
class RaceSearch {
 public:
  RaceSearch(const Trail& trail, const graph::Graph& graph, const RaceFinder::Places& known, std::vector<Race>& races)
      : trail_(trail), graph_(graph), known_(known), races_(races) {}

  void add_races(std::size_t position) {
    const Entry& entry = trail_[position];
    const graph::EventRef observation{entry.actor, entry.event};
    const std::vector<graph::Event>& events = graph_.actor(entry.actor).events;
    if (entry.event >= events.size()) return;  // a later revisit dropped the event
    const graph::Option& option = events[entry.event].option;
    if (!option.flag) return;
    // A later revisit may have changed the option.
    if (entry.kind == Entry::Kind::choice && option != entry.options[entry.next - 1]) return;
    const graph::EventIndex taker = taker_of(graph_, observation, option);
    add_race(position, taker);
    if (taker != entry.event) add_race(position, entry.event);
  }

 private:
  // Of a receive: the other side is where the same receive takes another message. Of the observation: where another
  // receive takes its message.
  void add_race(std::size_t position, graph::EventIndex taken) {
    const Entry& entry = trail_[position];
    Race race;
    race.actor = entry.actor;
    race.observed = entry.event;
    race.taken = taken;
    race.place = place_of(graph_, {entry.actor, taken});
    const auto is_it = [&](const Race& other) { return other.place == race.place; };
    if (known_.contains(race.place) || std::ranges::any_of(races_, is_it)) return;
    race.path = trail_.write_down(position + 1, false);
    if (entry.kind == Entry::Kind::revisit) add_other_of_revisit(position, race);
    else add_others_of_choice(position, race);
    if (race.others.empty()) return;
    const auto own = [](Path& path) {  // the part has the executions behind the path only
      path.floor = path.length;
      path.floor_limit = no_limit;
    };
    own(race.path);
    std::ranges::for_each(race.others, own);
    races_.push_back(std::move(race));
  }

  // Whether the option leads to the other side of the race.
  bool differs(const Race& race, const graph::Option& other) const {
    const graph::EventRef observation{race.actor, race.observed};
    const graph::Option& option = graph_.event(observation).option;
    const graph::EventIndex taker = taker_of(graph_, observation, option);
    const Senders mine = senders_of(graph_, observation, option);
    if (!are_of_others(mine, senders_of(graph_, observation, other))) return false;
    const bool is_same_taker = taker_of(graph_, observation, other) == taker;
    return taker == race.observed || is_same_taker == (race.taken == taker);
  }

  void add_other_of_revisit(std::size_t position, Race& race) {
    if (!differs(race, trail_[position].removed.back().event.option)) return;
    Path other = trail_.write_down(position, false);
    other.next = 0;
    other.candidate.reset();
    race.others.push_back(std::move(other));
  }

  void add_others_of_choice(std::size_t position, Race& race) {
    const Entry& entry = trail_[position];
    const std::size_t here = entry.options.size();
    for (std::uint32_t i = 0; i < here + entry.donated.size(); ++i) {
      if (i + 1 == entry.next || !differs(race, i < here ? entry.options[i] : entry.donated[i - here])) continue;
      Path other = race.path;
      other.deviations.pop_back();
      if (i > 0) other.deviations.push_back({static_cast<std::uint32_t>(position), i, std::nullopt});
      other.next = i + 1;
      race.others.push_back(std::move(other));
    }
  }

  const Trail& trail_;
  const graph::Graph& graph_;
  const RaceFinder::Places& known_;
  std::vector<Race>& races_;
};

}  // namespace

void RaceFinder::find(const Trail& trail, const graph::Graph& graph, const Places& known,
                      const std::function<bool()>& counts, std::vector<Race>& races) {
  const std::size_t before = races.size();
  RaceSearch search(trail, graph, known, races);
  for (std::size_t i = unasked_; i < trail.size(); ++i)
    if (trail[i].is_deviation()) search.add_races(i);
  const bool is_in_vain = races.size() > before && !counts();
  if (is_in_vain) races.resize(before);
  else unasked_ = trail.size();
}

}  // namespace rehearse::mc::reduction
