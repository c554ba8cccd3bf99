// SPDX-License-Identifier: MIT
//
// Steps of actors for the net over words: the questions of the net, and the answers of the program.
//
// A word is a part of an actor's state, for instance four or eight aligned bytes of its memory. A step goes from a
// receive, with its message, to the next place where the actor waits, or to the end. A send that may wait until its
// message is taken is such a place, too; other sends are complete at once.
//
// Contract: effects are exact. In every state of the actor at this place that has the same values in the words that
//           the step read, the same message leads to the same effect, and words that are not in it stay as they are.
// Errors:   NoProof if the program does what is not supported; CellsChanged.
#pragma once

#include <boost/container/flat_map.hpp>
#include <boost/container/flat_set.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rehearse::mc::footprints {

using Word = std::uint64_t;  // below first_own_word; the net uses the others
using Value = std::uint64_t;
using Values = boost::container::flat_map<Word, Value>;
using Words = boost::container::flat_set<Word>;
inline constexpr Word first_own_word = Word{1} << 63;
// Words with this bit have four bytes: sums are modulo 2^32.
inline constexpr Word half_word = Word{1} << 62;
// Words with this bit are doubles: each addition is rounded to nearest.
inline constexpr Word real_word = Word{1} << 61;

constexpr Value truncated(Word word, Value value) {
  return (word & half_word) != 0 && word < first_own_word ? value & 0xffffffff : value;
}
constexpr bool is_real(Word word) { return word < first_own_word && (word & real_word) != 0; }

// Thrown: there is no proof.
struct NoProof {
  std::string why;
};

// Thrown: the machine divides its memory into words in another way from now on.
struct CellsChanged {};

// Where an actor waits, or how it ended.
struct Place {
  enum class Kind : std::uint8_t { receives, sends, ended, failed } kind = Kind::ended;
  std::optional<std::uint32_t> source;  // of a receive; empty: any
  std::optional<std::int64_t> tag;      // likewise
  std::uint64_t site = 0;               // the place in the program
  std::string reason;                   // of a failure
  std::uint64_t context = 0;            // of a receive: messages of others do not match
  auto operator<=>(const Place&) const = default;

  bool listens(std::uint32_t from, std::uint64_t in) const {
    return kind == Kind::receives && context == in && (!source || *source == from);
  }
  bool accepts(std::uint32_t from, std::uint64_t in, std::int64_t with) const {
    return listens(from, in) && (!tag || *tag == with);
  }
};

// The content of a message. Equal payloads are equal numbers.
struct Content {
  std::int64_t tag = 0;
  std::uint64_t payload = 0;
  auto operator<=>(const Content&) const = default;
};

struct Emission {
  std::uint32_t destination = 0;
  Content content;
  std::uint64_t context = 0;
  auto operator<=>(const Emission&) const = default;
};

// What a step adds to a double, in the order of the step.
struct RealAmount {
  double amount = 0;            // the sum of the amounts,
  double magnitude = 0;         // of their absolute values,
  std::uint32_t additions = 0;  // and their number
  bool operator==(const RealAmount&) const = default;
};

// The word gets the value that another one had before the step, plus an amount.
struct Move {
  Word from = 0;
  std::int64_t amount = 0;
  RealAmount real = {};
  bool operator==(const Move&) const = default;
};

struct Effect {
  Values reads;                       // with the values that were read
  Values writes;                      // with the new values
  std::map<Word, std::int64_t> sums;  // words that the step only adds to
  std::map<Word, RealAmount> real_sums;
  std::map<Word, Move> moves;   // by the word that gets the value: of the same kind as the other one
  std::vector<Emission> sends;  // in order
  Place next;                   // `sends`: it waits until the last of `sends` is taken, or it does not wait
  std::string trouble;          // why this step cannot happen in a right program: it crashed. Empty: none
  std::string gap;              // why nothing but some of the reads is known; empty: everything is
};

struct Arrived {
  std::uint32_t source = 0;
  Content content;
  std::uint64_t context = 0;
};

// What is known of the actor's words. Those that are not mentioned are as after start().
struct Known {
  Values values;
  Words open;  // they may have several values: the machine takes those of some state at this place
};

class Machine {
 public:
  Machine() = default;
  virtual ~Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  virtual std::uint32_t actor_count() const = 0;

  // From the beginning to the first place. `writes` has the words that differ from initial().
  virtual Effect start(std::uint32_t actor) = 0;

  // The value of a word after start(), if it is not in the effect of start().
  virtual Value initial(std::uint32_t actor, Word word) = 0;

  // Why there is no proof, if a step reads this word and nothing is known of it.
  virtual std::string words_of(std::uint32_t actor, Word word) const = 0;

  // From the place.
  virtual Effect step(std::uint32_t actor, const Place& place, const Arrived& message, const Known& known) = 0;

  // The same from a send, which is complete.
  virtual Effect go_on(std::uint32_t actor, const Place& place, const Known& known) = 0;
};

}  // namespace rehearse::mc::footprints
