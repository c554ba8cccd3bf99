// SPDX-License-Identifier: MIT
//
// The footprint of one step of an actor: the bytes of its memory that the step read, wrote, moved and only added to.
//
// Claim:   in every state of the actor that has the same values in the bytes that the step read, the same answer leads
//          to the same Operation, to the same values in the bytes that it wrote, and adds the same amounts. What it
//          moved ends as the value that was elsewhere at the beginning, plus an amount. Other bytes of the live memory
//          stay as they are. The registers of a paused actor are on its stack.
//          Sums of doubles: the amounts are added in the order of the step, with rounding to nearest, if all sums are
//          zero or normal numbers.
// Words:   eight aligned bytes, with a bit for each byte (bit 0: the lowest address).
// Gaps:    if `gap` is not empty, the footprint is incomplete: the step counts as having read everything. The actor is
//          at its next Operation unless `is_broken`: then it must be restored before it is used. When a step runs for
//          the first time in a process, libraries may be initialised: when it runs again, the gap may be gone.
// Protocol of StepFootprints: ask dynamic_cast for it. Between begin() and end(), resume(actor) is recorded. Whatever
//          the driver looks at in the Operation, it must look at inside look(). It may answer several Operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "simcore/ids.hpp"

namespace rehearse {

struct Footprint {
  struct Word {
    std::uint64_t address = 0;
    std::uint8_t bytes = 0;    // a bit for each byte
    std::uint64_t value = 0;   // of the whole word: of a read one at the beginning, of a written one at the end
    std::uint64_t before = 0;  // of a written word: its value at the beginning
    bool operator==(const Word&) const = default;
  };
  struct Sum {
    std::uint64_t address = 0;
    std::uint8_t size = 0;  // 4 or 8 bytes
    bool is_double = false;
    std::uint64_t amount = 0;     // of integers, modulo 2^(8 * size)
    double double_amount = 0;     // of doubles: the sum of the amounts,
    double magnitude = 0;         // of their absolute values,
    std::uint32_t additions = 0;  // and their number
    std::uint64_t before = 0;     // the value of the whole word at the beginning,
    std::uint64_t after = 0;      // and at the end
    std::uint64_t from = 0;       // of what is moved: the address of the value that is added to,
    std::uint64_t there = 0;      // and the value of the whole word there at the beginning
    bool operator==(const Sum&) const = default;
  };
  std::vector<Word> reads;   // by address
  std::vector<Word> writes;  // by address; a byte that is added to is not written
  std::vector<Sum> sums;     // by address
  std::vector<Sum> moves;    // by address; from another address of the same alignment, with or without an amount
  std::uint64_t instructions = 0;
  std::string gap;         // why it is incomplete
  bool is_broken = false;  // the step did not end
};

class StepFootprints {
 public:
  StepFootprints() = default;
  virtual ~StepFootprints() = default;
  StepFootprints(const StepFootprints&) = delete;
  StepFootprints& operator=(const StepFootprints&) = delete;

  // False: this machine cannot record steps.
  virtual bool begin_footprint(ActorId actor) = 0;
  // Calls function(argument). Its reads of the actor's memory are reads of the step.
  virtual void look(ActorId actor, void (*function)(void*), void* argument) = 0;
  // The step also depends on these bytes of the actor's memory: the driver looks at them.
  virtual void note_read(ActorId actor, const void* begin, std::size_t bytes) = 0;
  virtual Footprint end_footprint(ActorId actor) = 0;

  // The paused actor's memory, in aligned words of eight bytes. Dead stack is zero and stays so: poke() leaves it out.
  virtual std::uint64_t stack_pointer(ActorId actor) = 0;
  virtual bool is_dead(ActorId actor, std::uint64_t address) = 0;
  virtual std::uint64_t peek(ActorId actor, std::uint64_t address) = 0;
  // Sets the bytes of `bytes` in each word.
  virtual void poke(ActorId actor, std::span<const Footprint::Word> words) = 0;

  // Sets all status flags of floating-point arithmetic (SSE) of the paused actor, as if each exception had happened
  // before. From then on arithmetic does not change them, and a step that asks for them has a gap. False: not known
  // where they are.
  virtual bool raise_float_flags(ActorId actor) = 0;
};

}  // namespace rehearse
