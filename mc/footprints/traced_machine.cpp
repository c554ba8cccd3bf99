// SPDX-License-Identifier: MIT
//
// States, and the steps that are known.
#include "mc/footprints/traced_machine.hpp"

#include <algorithm>

#include "mc/footprints/traced_run.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::mc::footprints {

namespace {

constexpr std::uint32_t no_source = ~std::uint32_t{0};

StepFootprints& footprints_of(Program& program) {
  auto* footprints = dynamic_cast<StepFootprints*>(&program);
  REHEARSE_ASSERT(footprints != nullptr, "a program whose steps can be traced");
  return *footprints;
}

template <class Flat, class Predicate>
void remove_if(Flat& flat, Predicate&& predicate) {
  auto items = flat.extract_sequence();
  items.erase(std::remove_if(items.begin(), items.end(), predicate), items.end());
  flat.adopt_sequence(boost::container::ordered_unique_range, std::move(items));
}

bool is_over(const Place& place) { return place.kind == Place::Kind::ended || place.kind == Place::Kind::failed; }

}  // namespace

TracedMachine::TracedMachine(Program& program, Waiting waiting)
    : program_(program), footprints_(footprints_of(program)), waiting_(waiting), actors_(program.actor_count()) {}

Effect TracedMachine::start(std::uint32_t number) {
  Actor& actor = actors_[number];
  if (actor.is_started) return actor.start;
  program_.restart({number});
  Run now;
  now.actor = number;
  run(now, {}, nullptr);
  if (!now.effect.gap.empty()) throw NoProof{now.effect.gap};
  for (const auto& [word, amount] : now.effect.sums) actor.initial_own[word] = static_cast<Value>(amount);
  actor.start = std::move(now.effect);
  actor.start.sums.clear();
  actor.start.reads.clear();
  if (!is_over(actor.start.next)) {
    footprints_.raise_float_flags({number});
    actor.start_state = program_.save({number});
    if (actor.start_state == nullptr) throw NoProof{"states that are too large to save"};
    Position& first = actor.positions.at(actor.start.next.site);
    first.snapshot = program_.save({number});
  }
  actor.is_started = true;
  return actor.start;
}

Value TracedMachine::initial(std::uint32_t number, Word word) { return initial_of(actors_[number], word); }

Value TracedMachine::initial_of(const Actor& actor, Word word) {
  if (is_own(word)) {
    const auto found = actor.initial_own.find(word);
    return found == actor.initial_own.end() ? 0 : found->second;
  }
  return Cells::value_in(word, actor.initial.at(Cells::address_of(word)));
}

std::string TracedMachine::words_of(std::uint32_t, Word word) const {
  return fmt::format("a step reads memory that depends on the order of messages ({:#x})", word & ~half_word);
}

Effect TracedMachine::go_on(std::uint32_t number, const Place& place, const Known& known) {
  return find_or_run({number, place.site, no_source, 0, 0}, place, nullptr, known);
}

Effect TracedMachine::step(std::uint32_t number, const Place& place, const Arrived& message, const Known& known) {
  const Position& position = actors_[number].positions[place.site];
  if (position.got + 1 < position.awaited.size()) return collect(number, position, message);
  return find_or_run({number, place.site, message.source, message.content.payload, message.context}, place, &message,
                     known);
}

// An arrival that is not the last one.
Effect TracedMachine::collect(std::uint32_t number, const Position& position, const Arrived& message) {
  Effect effect;
  effect.writes[arrival_word(position.got)] = message.content.payload;
  const std::uint64_t site = static_cast<std::uint64_t>(&position - actors_[number].positions.data()) + 1;
  effect.next = {Place::Kind::receives, position.awaited[position.got + 1], position.number, site, "", message.context};
  actors_[number].varying.insert(arrival_word(position.got));
  return effect;
}

Effect TracedMachine::find_or_run(const RecordKey& key, const Place& place, const Arrived* message,
                                  const Known& known) {
  const std::uint32_t number = std::get<0>(key);
  Actor& actor = actors_[number];
  if (Effect lacking; lacks_own_words(actor.positions[place.site], known, lacking)) return lacking;
  std::list<Record>& records = records_[key];
  if (records.empty()) warm_up(number, actor.positions[place.site], message, known);
  for (Record& record : records) refresh(actor, record);
  if (const Effect* effect = find(actor, records, known)) return *effect;
  Record& record = records.emplace_back(trace(number, actor.positions[place.site], message, known));
  if (actor.cells.learn(record.footprint)) {
    change_words(actor, number);
    throw CellsChanged{};
  }
  refresh(actor, record);
  if (!record.whole.gap.empty()) {
    const Effect effect = record.whole;
    records.pop_back();
    return effect;
  }
  return record.whole;
}

// What the net says about the old words is void.
void TracedMachine::change_words(Actor& actor, std::uint32_t number) {
  remove_if(actor.varying, [](Word word) { return !is_own(word); });
  ++actor.version;
  for (auto& [key, records] : records_)
    if (std::get<0>(key) == number)
      for (Record& record : records) refresh(actor, record);
}

bool TracedMachine::lacks_own_words(const Position& position, const Known& known, Effect& effect) const {
  const auto first_count = known.open.lower_bound(first_count_word);
  if (first_count != known.open.end() && is_own(*first_count)) effect.reads[*first_count] = 0;
  for (std::uint32_t i = 0; i + 1 < position.awaited.size(); ++i)
    if (known.open.contains(arrival_word(i))) effect.reads[arrival_word(i)] = 0;
  return !effect.reads.empty();
}

// A step that has read nothing but known values, or else one that has read known values and open words.
const Effect* TracedMachine::find(const Actor& actor, const std::list<Record>& records, const Known& known) {
  const Effect* possible = nullptr;
  for (const Record& record : records) {
    bool fits = true, is_open = false;
    for (const auto& [word, value] : record.whole.reads) {
      const auto given = known.values.find(word);
      if (given != known.values.end()) fits = given->second == value;
      else if (known.open.contains(word)) is_open = true;
      else fits = initial_of(actor, word) == value;
      if (!fits) break;
    }
    if (fits && !is_open) return &record.whole;
    if (fits && possible == nullptr) possible = &record.whole;
  }
  return possible;
}

// The effect in the present words.
void TracedMachine::refresh(Actor& actor, Record& record) {
  if (record.version == actor.version) return;
  Effect whole = record.own;
  actor.cells.add(record.footprint, whole);
  const std::size_t known = actor.varying.size();
  for (const auto& [word, value] : whole.writes) actor.varying.insert(word);
  for (const auto& [word, amount] : whole.sums) actor.varying.insert(word);
  for (const auto& [word, amount] : whole.real_sums) actor.varying.insert(word);
  for (const auto& [word, move] : whole.moves) actor.varying.insert(word);
  if (actor.varying.size() != known) ++actor.version;
  remove_if(whole.reads, [&](const auto& read) { return !actor.varying.contains(read.first); });
  record.whole = std::move(whole);
  record.version = actor.version;
}

// Brings the actor to the place, with these words.
void TracedMachine::set_state(std::uint32_t number, const Position& position, const Known& known) {
  Actor& actor = actors_[number];
  const Position& saved = actor.positions[position.snapshot_of];
  REHEARSE_ASSERT(saved.snapshot != nullptr, "a position with a snapshot");
  program_.restore({number}, *saved.snapshot);
  std::vector<Footprint::Word> words;
  for (const Word word : actor.varying) {
    if (is_own(word)) continue;
    const auto given = known.values.find(word);
    if (given != known.values.end()) words.push_back(Cells::part_of(word, given->second));
    else if (!known.open.contains(word)) words.push_back(Cells::part_of(word, initial(number, word)));
  }
  footprints_.poke({number}, words);
}

// What the library keeps outside of the actors, for instance about the types of their variables, is there when the step
// is traced: to make it can take a thousand times as long as the step.
void TracedMachine::warm_up(std::uint32_t number, const Position& from, const Arrived* message, const Known& known) {
  const Position position{nullptr, from.own, from.number, from.got, from.awaited, from.snapshot_of};
  set_state(number, position, known);
  Run now;
  now.actor = number;
  now.known = &known;
  run(now, position, message);
}

TracedMachine::Record TracedMachine::trace(std::uint32_t number, const Position& from, const Arrived* message,
                                           const Known& known) {
  const Position position{nullptr, from.own, from.number, from.got, from.awaited, from.snapshot_of};
  Record record;
  constexpr int most_tries = 3;  // libraries may be initialised in a step
  for (int tries = 0;; ++tries) {
    set_state(number, position, known);
    if (!footprints_.begin_footprint({number})) throw NoProof{"this machine cannot trace steps"};
    Run now;
    now.actor = number;
    now.known = &known;
    now.is_traced = true;
    try {
      run(now, position, message);
    } catch (...) {
      footprints_.end_footprint({number});
      throw;
    }
    record.footprint = footprints_.end_footprint({number});
    record.own = std::move(now.effect);
    ++traced_steps_;
    instructions_ += record.footprint.instructions;
    if (record.footprint.gap.empty() || tries + 1 == most_tries) break;
  }
  if (!record.footprint.gap.empty()) record.own.gap = "a step that cannot be traced: " + record.footprint.gap;
  const Place& next = record.own.next;
  if (!is_over(next) && record.own.gap.empty()) {
    Position& there = actors_[number].positions[next.site];
    if (there.snapshot == nullptr) there.snapshot = program_.save({number});
    if (there.snapshot == nullptr) throw NoProof{"states that are too large to save"};
  }
  learn_initial(number, record.footprint);
  check_reads(number, record, known);
  constexpr std::uint64_t first_ones = 8, noise_every = 100;
  if (record.own.gap.empty() && (traced_steps_ <= first_ones || traced_steps_ % noise_every == 0))
    check_with_noise(number, position, message, known, record);
  return record;
}

// What the words of the step were after the start of the actor.
void TracedMachine::learn_initial(std::uint32_t number, const Footprint& footprint) {
  Actor& actor = actors_[number];
  std::vector<std::uint64_t> missing;
  const auto look = [&](std::uint64_t address) {
    const std::uint64_t word = address / 8 * 8;
    if (!actor.initial.contains(word)) missing.push_back(word);
  };
  for (const Footprint::Word& read : footprint.reads) look(read.address);
  for (const Footprint::Word& write : footprint.writes) look(write.address);
  for (const Footprint::Sum& sum : footprint.sums) look(sum.address);
  for (const Footprint::Sum& move : footprint.moves) {
    look(move.address);
    look(move.from);
  }
  if (missing.empty()) return;
  program_.restore({number}, *actor.start_state);
  for (const std::uint64_t address : missing) actor.initial[address] = footprints_.peek({number}, address);
}

// The step has read what was set, and what has never changed is as after the start.
void TracedMachine::check_reads(std::uint32_t number, const Record& record, const Known& known) {
  Actor& actor = actors_[number];
  Effect memory;
  actor.cells.add(record.footprint, memory);
  for (const auto& [word, value] : memory.reads) {
    if (known.open.contains(word)) continue;
    const auto given = known.values.find(word);
    const Value expected = given != known.values.end() ? given->second : initial(number, word);
    if (value != expected) throw NoProof{"memory that changes outside of steps"};
  }
}

}  // namespace rehearse::mc::footprints
