// SPDX-License-Identifier: MIT
//
// Steps of the actors of a program whose steps can be traced (simcore/footprint.hpp).
//
// A step starts from a snapshot of some state at its place. The words that the net knows are set to its values, and all
// others are as after the start of the actor. What a step has read, written and added to is kept: the next question
// with the same values in the words that it read has the same answer.
//
// Supported: blocking receives, sends and collectives of one group, operations that concern no other actor.
// Own words: the actor's clock, the collectives that it has called in each context, and the arrivals that it has got
//            of the collective that it waits for.
// Checks:    a step reads what was set. One step in `noise_every`, and the first ones, run again without the tracer
//            and with noise in all words that they have not read: they must do the same. Otherwise NoProof.
// Errors:    NoProof for everything that is not supported; CellsChanged.
// Threads:   none.
// Source:    docs/design/exploration.md, "Footprints: steps as functions of words".
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mc/footprints/cells.hpp"
#include "mc/footprints/contents.hpp"
#include "mc/footprints/machine.hpp"
#include "mc/history/local_clock.hpp"
#include "simcore/program.hpp"

namespace rehearse::mc::footprints {

struct Waiting {
  bool sends = false;          // standard sends may wait until their message is taken
  bool synchronising = false;  // members of collectives wait for all members
};

class TracedMachine final : public Machine {
 public:
  // The program must be one of StepFootprints.
  TracedMachine(Program& program, Waiting waiting);

  std::uint32_t actor_count() const override { return program_.actor_count(); }
  Effect start(std::uint32_t actor) override;
  Value initial(std::uint32_t actor, Word word) override;
  std::string words_of(std::uint32_t actor, Word word) const override;
  Effect step(std::uint32_t actor, const Place& place, const Arrived& message, const Known& known) override;
  Effect go_on(std::uint32_t actor, const Place& place, const Known& known) override;

  std::uint64_t traced_steps() const { return traced_steps_; }
  std::uint64_t repeated_steps() const { return repeated_steps_; }  // with noise
  std::uint64_t instructions() const { return instructions_; }
  // Whether members of some collective need not wait for all members.
  bool has_partial_collectives() const { return has_partial_collectives_; }

 private:
  // Where the actor can be: a state with its operation.
  struct Position {
    std::unique_ptr<Snapshot> snapshot;  // only where `snapshot_of` is the position itself
    std::uint64_t own = 0;               // at a collective: the content of the actor's arrival,
    std::uint32_t number = 0;            // the number of the collective in its context,
    std::uint32_t got = 0;               // the number of arrivals so far,
    std::vector<std::uint32_t> awaited;  // and all that it waits for
    std::uint32_t snapshot_of = 0;       // the position that has the snapshot
  };
  enum class Stands : std::uint8_t { at_send, at_receive, at_collective };
  using PositionKey = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, Stands>;  // place, stack pointer, own
  struct Record {
    Footprint footprint;
    Effect own;    // without memory
    Effect whole;  // in the present words; reads: only words that vary
    std::uint64_t version = 0;
  };
  struct Actor {
    bool is_started = false;
    Effect start;
    std::vector<Position> positions;
    std::map<PositionKey, std::uint64_t> position_by_key;
    std::unique_ptr<Snapshot> start_state;
    Cells cells;
    std::unordered_map<Word, Value> initial_own;               // of own words
    std::unordered_map<std::uint64_t, std::uint64_t> initial;  // by address: eight aligned bytes after the start
    Words varying;                                             // words that some step has changed
    std::uint64_t version = 1;                                 // of `cells` and `varying`
  };
  struct Run;
  using RecordKey = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t, std::uint64_t, std::uint64_t>;

  Effect find_or_run(const RecordKey& key, const Place& place, const Arrived* message, const Known& known);
  static Value initial_of(const Actor& actor, Word word);
  static const Effect* find(const Actor& actor, const std::list<Record>& records, const Known& known);
  // Own words without which not even the message is known; `effect` then reads them.
  bool lacks_own_words(const Position& position, const Known& known, Effect& effect) const;
  void change_words(Actor& actor, std::uint32_t number);
  void warm_up(std::uint32_t actor, const Position& position, const Arrived* message, const Known& known);
  Record trace(std::uint32_t actor, const Position& position, const Arrived* message, const Known& known);
  void refresh(Actor& actor, Record& record);
  void learn_initial(std::uint32_t actor, const Footprint& footprint);
  void check_reads(std::uint32_t actor, const Record& record, const Known& known);
  void check_with_noise(std::uint32_t actor, const Position& position, const Arrived* message, const Known& known,
                        const Record& record);
  std::map<std::uint64_t, std::uint64_t> make_noise(std::uint32_t actor, const Record& record);
  void compare_memory(std::uint32_t actor, const std::map<std::uint64_t, std::uint64_t>& before,
                      const Record& record) const;
  void set_state(std::uint32_t actor, const Position& position, const Known& known);
  Effect collect(std::uint32_t actor, const Position& position, const Arrived& message);

  void run(Run& run, const Position& position, const Arrived* message);
  void resume(Run& run, const Observation& answer);
  bool advance(Run& run);
  bool send(Run& run, const Send& send);
  bool receive(Run& run, const Post& post);
  bool join(Run& run, const Collective& collective);
  bool pass(Run& run, const Operation& operation);
  bool end(Run& run, const Operation& operation);
  void answer_message(Run& run, const Arrived& message);
  void answer_collective(Run& run, const Position& position, const Arrived* last);
  void note(const Run& run, const Operation& operation);
  Value own_value(Run& run, Word word);
  void add_to_own(Run& run, Word word, Value amount);
  std::uint64_t position(Run& run, Stands stands, Position position);

  Program& program_;
  StepFootprints& footprints_;
  Waiting waiting_;
  Contents contents_;
  std::vector<Actor> actors_;
  std::map<RecordKey, std::list<Record>> records_;
  std::mt19937_64 random_{20};
  std::uint64_t traced_steps_ = 0, repeated_steps_ = 0, instructions_ = 0;
  bool has_partial_collectives_ = false;
};

}  // namespace rehearse::mc::footprints
