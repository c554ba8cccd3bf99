// SPDX-License-Identifier: MIT
//
// The interpreter behind StepTracer (simcore/step_tracer.hpp): it lets the processor execute one instruction after the
// other, and follows the data.
//
// Errors, threads: those of StepTracer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "simcore/footprint.hpp"
#include "simcore/footprint/decoder.hpp"
#include "simcore/footprint/machine.hpp"
#include "simcore/footprint/shadow.hpp"
#include "simcore/step_tracer.hpp"

namespace rehearse::footprint {

class Tracer {
 public:
  Tracer();
  ~Tracer();
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  bool is_there() const { return machine_.is_there() && stack_ != nullptr; }

  void begin(const WatchedRange& range);
  // Calls function(first, second). The thread-local variables of the code are at `thread_pointer`.
  void call(void (*function)(void*, const void*), void* first, const void* second, std::uint64_t thread_pointer);
  // Between two calls: the step depends on these bytes.
  void note_read(std::uint64_t address, std::size_t bytes);
  bool is_broken() const { return result_.is_broken; }
  Footprint end(std::uint64_t stack_pointer);

 private:
  using Values = std::array<std::uint64_t, Instruction::places_max>;  // by place: an address, or nothing

  void run();
  void read_code(const Instruction& in);
  bool step(const Instruction& in);
  bool flow(const Instruction& in, const Values& addresses);
  void find_addresses(const Instruction& in, Values& addresses);
  std::uint64_t address_of(const Place& place) const;
  bool execute(const Instruction& in, const Values& addresses);
  void break_off(const char* why);
  void note_gap(const char* why);
  bool is_dead(std::uint64_t address, std::uint64_t stack_pointer) const;
  void note_moves(std::uint64_t stack_pointer);
  bool is_move(const Shadow::Word& word, std::uint64_t first, std::uint8_t size, SumOrigin& from) const;

  // Data.
  void load(const Place& place, std::uint64_t address, std::span<Origin> into);
  void store(const Instruction& in, const Place& place, std::uint64_t address, std::span<const Origin> origins);
  bool value_of(const Place& place, std::uint64_t address, std::uint64_t& value) const;
  void read_place(const Instruction& in, const Place& place, std::uint64_t address);
  void know_place(const Instruction& in, const Place& place, std::uint64_t address);

  // Rules; false: broken off.
  bool opaque(const Instruction& in, const Values& addresses);
  template <typename Visit>
  void for_each_selected(const Instruction& in, std::uint64_t address, Visit&& visit);
  bool masked_store(const Instruction& in, const Values& addresses);
  bool copy(const Instruction& in, const Values& addresses);
  bool add(const Instruction& in, const Values& addresses);
  bool address(const Instruction& in);
  bool add_doubles(const Instruction& in, const Values& addresses);
  bool clear(const Instruction& in, const Values& addresses);
  bool string(const Instruction& in);
  bool save_or_load_all(const Instruction& in, const Values& addresses);
  bool enter_system(const Instruction& in);
  bool push(std::uint64_t value, std::span<const Origin> origins);
  bool pop(std::uint64_t& value, std::span<Origin> origins);
  bool push_place(const Instruction& in, const Values& addresses);
  bool pop_place(const Instruction& in);
  bool leave();
  bool jump(const Instruction& in, const Values& addresses);
  bool give_back(const Instruction& in);
  bool holds(std::uint8_t condition) const;

  Machine machine_;
  Decoder decoder_{machine_};
  Shadow shadow_{machine_};
  WatchedRange range_;
  std::uint64_t ip_ = 0, thread_pointer_ = 0;
  std::byte* stack_ = nullptr;
  Footprint result_;
};

}  // namespace rehearse::footprint
