// SPDX-License-Identifier: MIT
//
// Random executions with plain memory.
#include "mc/footprints/samples.hpp"

#include <deque>

namespace rehearse::mc::footprints {

namespace {

constexpr int executions = 3;
constexpr std::uint64_t most_steps = 20'000;  // of an execution

std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t z = state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

struct Actor {
  Values memory;
  Place place;
};

void apply(const Effect& effect, Actor& actor) {
  for (const auto& [word, amount] : effect.sums) actor.memory[word] += static_cast<Value>(amount);
  for (const auto& [word, value] : effect.writes) actor.memory[word] = value;
  actor.place = effect.next;
}

}  // namespace

Samples::Samples(Machine& machine, std::uint64_t seed) {
  for (int i = 0; i < executions; ++i) run(machine, seed);
}

void Samples::run(Machine& machine, std::uint64_t& random) {
  const std::uint32_t count = machine.actor_count();
  std::vector<Actor> actors(count);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<Content>> channels;
  const auto finish = [&](std::uint32_t actor, const Effect& effect) {
    apply(effect, actors[actor]);
    for (const Emission& sent : effect.sends) channels[{actor, sent.destination}].push_back(sent.content);
    ++runs_;
  };
  for (std::uint32_t actor = 0; actor < count; ++actor) finish(actor, machine.start(actor));
  for (std::uint64_t steps = 0; steps < most_steps; ++steps) {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::size_t>> ways;  // actor, source, position
    for (auto& [channel, queue] : channels)
      for (std::size_t at = 0; at < queue.size(); ++at)
        if (actors[channel.second].place.accepts(channel.first, queue[at].tag)) {
          ways.emplace_back(channel.second, channel.first, at);
          break;
        }
    if (ways.empty()) return;
    const auto [actor, source, at] = ways[next_random(random) % ways.size()];
    std::deque<Content>& queue = channels[{source, actor}];
    const Content content = queue[at];
    queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(at));
    const Place from = actors[actor].place;
    const Effect effect = machine.step(actor, from, {source, content}, actors[actor].memory);
    if (!effect.trouble.empty()) return;
    note({actor, from}, effect);
    finish(actor, effect);
  }
}

void Samples::note(const Key& key, const Effect& effect) {
  Seen& seen = seen_[key];
  std::set<Word> looked;
  for (const auto& [word, value] : effect.reads) {
    looked.insert(word);
    const auto added = effect.sums.find(word);
    const Value after = added == effect.sums.end() ? value : value + static_cast<Value>(added->second);
    const auto [known, is_new] = seen.after.emplace(word, after);
    if (!is_new && known->second != after) known->second.reset();
  }
  if (seen.visits++ == 0) seen.looked = std::move(looked);
  else std::erase_if(seen.looked, [&](Word word) { return !looked.contains(word); });
}

const std::set<Word>& Samples::control_words(std::uint32_t actor, const Place& place) const {
  constexpr std::uint32_t enough_visits = 4;
  const auto found = seen_.find({actor, place});
  return found == seen_.end() || found->second.visits < enough_visits ? none_ : found->second.looked;
}

std::optional<Value> Samples::usual_value_after(std::uint32_t actor, const Place& place, Word word) const {
  const auto found = seen_.find({actor, place});
  if (found == seen_.end()) return {};
  const auto value = found->second.after.find(word);
  return value == found->second.after.end() ? std::nullopt : value->second;
}

}  // namespace rehearse::mc::footprints
