// SPDX-License-Identifier: MIT
//
// Where the exploration goes another way than before because an actor takes a message of somebody else.
#include <algorithm>

#include "mc/reduction/receives_from.hpp"
#include "mc/reduction/takers.hpp"

namespace rehearse::mc {

// Which entries since the last time: those that took a turn are few, most of them at places that are known.
void Matching::find_races(const Places& known, const std::function<bool()>& counts, std::vector<Race>& races) {
  const std::size_t before = races.size();
  for (std::size_t i = unasked_; i < trail_.size(); ++i) {
    const Entry& entry = trail_[i];
    const bool is_choice = entry.kind == Entry::Kind::choice && entry.next > 1;
    if (!is_choice && entry.kind != Entry::Kind::revisit) continue;
    add_races(i, known, races);
  }
  const bool is_in_vain = races.size() > before && !counts();
  if (is_in_vain)
    races.resize(before);
  else
    unasked_ = trail_.size();
}

void Matching::add_races(std::size_t position, const Places& known, std::vector<Race>& races) const {
  const Entry& entry = trail_[position];
  const EventRef observation{entry.actor, entry.event};
  const std::vector<Event>& events = graph_.actor(entry.actor).events;
  if (entry.event >= events.size()) return;  // a revisit dropped it
  const Option& option = events[entry.event].option;
  if (!option.flag) return;
  if (entry.kind == Entry::Kind::choice && option != entry.options[entry.next - 1]) return;  // likewise
  const EventIndex taker = taker_of(graph_, observation, option);
  add_race(position, taker, known, races);
  if (taker != entry.event) add_race(position, entry.event, known, races);
}

// Of a receive: where the same one takes another message; of the observation: where another one takes its message.
void Matching::add_race(std::size_t position, EventIndex taken, const Places& known, std::vector<Race>& races) const {
  const Entry& entry = trail_[position];
  const EventRef observation{entry.actor, entry.event};
  const Option& option = graph_.event(observation).option;
  const EventIndex taker = taker_of(graph_, observation, option);
  Race race;
  race.actor = entry.actor;
  race.observed = entry.event;
  race.taken = taken;
  race.place = place_of(graph_, {entry.actor, taken});
  const auto is_it = [&](const Race& other) { return other.place == race.place; };
  if (known.contains(race.place) || std::ranges::any_of(races, is_it)) return;
  const Senders mine = senders_of(graph_, observation, option);
  const auto differs = [&](const Option& other) {
    if (!are_of_others(mine, senders_of(graph_, observation, other))) return false;
    const bool is_same_taker = taker_of(graph_, observation, other) == taker;
    return taker == entry.event || is_same_taker == (taken == taker);
  };
  race.path = write_down(position + 1, false);
  if (entry.kind == Entry::Kind::revisit) {
    if (!differs(entry.removed.back().event.option)) return;
    Path other = write_down(position, false);
    other.next = 0;
    other.candidate = -1;
    race.others.push_back(std::move(other));
  } else {
    for (std::uint32_t i = 0; i < entry.options.size() + entry.given.size(); ++i) {
      const std::size_t here = entry.options.size();
      if (i + 1 == entry.next || !differs(i < here ? entry.options[i] : entry.given[i - here])) continue;
      Path other = race.path;
      other.turns.pop_back();
      if (i > 0) other.turns.push_back({static_cast<std::uint32_t>(position), i, -1});
      other.next = i + 1;
      race.others.push_back(std::move(other));
    }
  }
  if (race.others.empty()) return;
  const auto own = [](Path& path) {  // and nothing besides
    path.floor = path.length;
    path.floor_limit = no_limit;
  };
  own(race.path);
  std::ranges::for_each(race.others, own);
  races.push_back(std::move(race));
}

}  // namespace rehearse::mc
