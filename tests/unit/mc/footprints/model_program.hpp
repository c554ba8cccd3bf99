// SPDX-License-Identifier: MIT
//
// Small programs whose actors have words of memory, for tests of the net over words; and all their interleavings.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mc/footprints/machine.hpp"

namespace rehearse::tests {

// What an actor does, one after the other. Receives store what they get in the way that they name.
struct ModelInstruction {
  enum class Kind : std::uint8_t {
    send,               // to `actor`, with `tag`: the constant `value`, or what `carries` names
    reply,              // to the sender of the last message, with `tag`
    deal,               // likewise: the number of messages so far, if it is less than `value`
    end_if_tag,         // ends if the last message had `tag`
    receive,            // from `actor`, with `tag`; empty: any
    skip_if_from,       // skips the next instruction if the last message came from `actor`
    fail_if_from,       // fails if it did
    fail_if_sum,        // fails if the sum is `value`
    fail_unless_sum,    // fails unless it is
    skip_if_sum_less,   // skips the next instruction if the sum is less than `value`
    fail_unless_stored  // fails unless the actor has stored a message of `actor`
  } kind = Kind::receive;
  enum class Effect : std::uint8_t { add, store, mix, replace, greatest, nothing, shift } effect = Effect::add;
  // shift: the sum and the message go to another word, or back, if the number of messages is odd; 0 stays behind
  enum class Carries : std::uint8_t { constant, sum, count, got } carries = Carries::constant;  // got: the last payload
  std::optional<std::uint32_t> actor;
  std::optional<std::int64_t> tag;
  std::uint64_t value = 0;
};

using ModelCode = std::vector<std::vector<ModelInstruction>>;  // by actor

std::unique_ptr<mc::footprints::Machine> make_model(ModelCode code);

// Whether some interleaving ends with an error: a failure, an actor that waits, a message that is left. Empty: there
// are more than `most_states` states.
std::optional<bool> has_error(mc::footprints::Machine& machine, std::size_t most_states);

// A random program; about half of them are right.
ModelCode random_model(std::uint32_t seed);
ModelCode random_model_with_shifts(std::uint32_t seed);

// A bag of tasks: actor 0 gives each other actor a piece, and a further one with each answer while some are left. At
// the end it sends everybody a stop. Answers are added up. Tags: 0 pieces and answers, 1 stops.
ModelCode bag_of_tasks(std::uint32_t workers, std::uint32_t further);

// One of these, small, in which something is perhaps changed so that it is wrong.
ModelCode random_bag(std::uint32_t seed);

}  // namespace rehearse::tests
