// SPDX-License-Identifier: MIT
//
// Steps of actors for the net over words: the questions of the net, and the answers of the program.
//
// A word is a part of an actor's state, for instance eight aligned bytes of its memory. A step goes from a receive,
// with its message, to the next receive or the end. Sends are complete at once.
//
// Contract: effects are exact. In every state of the actor at this place that has the same values in the words that
//           the step read, the same message leads to the same effect, and words that are not in it stay as they are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rehearse::mc::footprints {

using Word = std::uint64_t;  // below first_own_word; the net uses the others
using Value = std::uint64_t;
using Values = std::map<Word, Value>;
inline constexpr Word first_own_word = Word{1} << 63;

// Where an actor waits, or how it ended.
struct Place {
  enum class Kind : std::uint8_t { receives, ended, failed } kind = Kind::ended;
  std::optional<std::uint32_t> source;  // of a receive; empty: any
  std::optional<std::int64_t> tag;      // likewise
  std::uint64_t site = 0;               // the place in the program
  std::string reason;                   // of a failure
  auto operator<=>(const Place&) const = default;

  bool accepts(std::uint32_t from, std::int64_t with) const {
    return kind == Kind::receives && (!source || *source == from) && (!tag || *tag == with);
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
  auto operator<=>(const Emission&) const = default;
};

struct Effect {
  Values reads;                       // with the values that were read
  Values writes;                      // with the new values
  std::map<Word, std::int64_t> sums;  // words that the step only adds to
  std::vector<Emission> sends;        // in order
  Place next;
  std::string trouble;  // why this step cannot happen in a right program: it crashed. Empty: none
};

struct Arrived {
  std::uint32_t source = 0;
  Content content;
};

class Machine {
 public:
  Machine() = default;
  virtual ~Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  virtual std::uint32_t actor_count() const = 0;

  // From the beginning to the first receive. `writes` has all words of the actor.
  virtual Effect start(std::uint32_t actor) = 0;

  // From the place, where the words have these values. Other words have values of some state at this place.
  virtual Effect step(std::uint32_t actor, const Place& place, const Arrived& message, const Values& values) = 0;
};

}  // namespace rehearse::mc::footprints
