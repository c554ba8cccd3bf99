// SPDX-License-Identifier: MIT
//
// Footprints of the steps of MPI programs: a step that runs again, with other values in the memory that it has not
// read, makes the same operation and leaves the same memory.
#include "simcore/footprint.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "simcore/actor_context.hpp"
#include "simcore/program.hpp"
#include "smpi/abi.hpp"
#include "smpi/process.hpp"

namespace footprint_test {

using namespace rehearse;
using namespace rehearse::smpi;

namespace {

using Bytes = std::map<std::uint64_t, std::uint8_t>;  // by address

// Values that the driver of these tests answers. The operation at which the rank is paused then, in words.
struct Answer {
  std::uint32_t source = 1;
  int value = 0;
};

std::string text_of(std::span<const std::byte> data) {
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

std::string words_of(const Operation& operation) {
  std::string words = kind_name(operation);
  if (const auto* send = std::get_if<Send>(&operation))
    words += " " + std::to_string(send->destination.value) + " " + std::to_string(send->tag) + " " +
             text_of(send->data);
  if (const auto* log = std::get_if<Log>(&operation)) words += " " + std::string(log->text);
  if (const auto* post = std::get_if<Post>(&operation)) words += " " + std::to_string(post->capacity_bytes);
  return words;
}

bool is_over(const Operation& operation) {
  return std::holds_alternative<End>(operation) || std::holds_alternative<Fail>(operation);
}

// What the rank waits for. Later, the memory of the operation may have other values.
enum class Wanted : std::uint8_t { nothing, message, completion };

Wanted wanted_by(const Operation& operation) {
  if (std::holds_alternative<Post>(operation)) return Wanted::message;
  return std::holds_alternative<Observe>(operation) ? Wanted::completion : Wanted::nothing;
}

void give(Program& program, ActorId rank, const Answer& answer, Wanted wanted) {
  Observation observation;
  Completion completion;
  completion.source = ActorId{answer.source};
  completion.tag = 5;
  completion.data = std::as_bytes(std::span(&answer.value, 1));
  if (wanted == Wanted::completion) completion.data = {};
  if (wanted != Wanted::nothing) observation.completions = {&completion, 1};
  program.resume(rank, observation);
}

Bytes bytes_in(const std::vector<Footprint::Word>& words) {
  Bytes bytes;
  for (const Footprint::Word& word : words)
    for (std::uint64_t i = 0; i < 8; ++i)
      if ((word.bytes >> i & 1) != 0) bytes[word.address + i] = static_cast<std::uint8_t>(word.value >> (8 * i));
  return bytes;
}

Bytes bytes_of(const Footprint::Sum& sum) {
  Bytes bytes;
  for (std::uint64_t i = 0; i < sum.size; ++i) bytes[sum.address + i] = 0;
  return bytes;
}

std::uint8_t& memory_at(std::uint64_t address) { return *reinterpret_cast<std::uint8_t*>(address); }

struct Step {
  Answer answer;
  Wanted wanted = Wanted::nothing;
  std::unique_ptr<Snapshot> before;
  std::uint64_t stack_pointer = 0, stack_pointer_after = 0;
  Footprint footprint;
  std::string next;
  Bytes end;  // of all bytes that it touches: their values after it
};

struct Looked {
  Program* program;
  ActorId rank;
  std::string words;
};

void look_at(void* argument) {
  auto& looked = *static_cast<Looked*>(argument);
  looked.words = words_of(looked.program->next(looked.rank));
}

LaunchSpec spec_of(const std::string& name) {
  LaunchSpec spec;
  spec.path = std::string(REHEARSE_PROCESS_PROGRAMS) + "/" + name;
  spec.ranks = 4;
  spec.find_mpi_symbol = find_mpi_symbol;
  spec.describe_call = print_current_call;
  spec.clear_dead_memory = true;
  return spec;
}

std::uint64_t stack_pointer_of(LoadedProgram& program) { return program.rank_positions().front().context; }

void trace(LoadedProgram& program, StepFootprints& footprints, Step& step) {
  const ActorId rank{0};
  program.restore(rank, *step.before);  // clears the dead stack
  if (!footprints.begin_footprint(rank)) FAIL("this machine cannot trace steps");
  give(program, rank, step.answer, step.wanted);
  Looked looked{&program, rank, {}};
  footprints.look(rank, look_at, &looked);
  step.footprint = footprints.end_footprint(rank);
  step.next = looked.words;
}

// All steps of rank 0, with invented messages. Each is traced again after the libraries have been initialised for it.
std::vector<Step> trace_all(LoadedProgram& program, StepFootprints& footprints, std::mt19937& random) {
  const ActorId rank{0};
  std::vector<Step> steps;
  while (!is_over(program.next(rank))) {
    Step& step = steps.emplace_back();
    step.answer = {1 + static_cast<std::uint32_t>(random() % 3), static_cast<int>(random() % 100)};
    step.wanted = wanted_by(program.next(rank));
    step.before = program.save(rank);
    step.stack_pointer = stack_pointer_of(program);
    trace(program, footprints, step);
    if (!step.footprint.gap.empty()) trace(program, footprints, step);
    step.stack_pointer_after = stack_pointer_of(program);
    for (const auto& [address, value] : bytes_in(step.footprint.writes)) step.end[address] = memory_at(address);
    if (step.footprint.is_broken) break;
  }
  return steps;
}

// Adds the bytes that the step changes.
void add_touched(const Step& step, Bytes& all) {
  all.merge(bytes_in(step.footprint.writes));
  for (const Footprint::Sum& sum : step.footprint.sums) all.merge(bytes_of(sum));
  for (const Footprint::Sum& move : step.footprint.moves) all.merge(bytes_of(move));
}

// The stack has 8 MiB. Below the stack pointer it is dead.
bool is_live(std::uint64_t address, std::uint64_t stack_pointer) {
  return address >= stack_pointer || address < stack_pointer - (std::uint64_t{8} << 20);
}

class Repetition {
 public:
  Repetition(LoadedProgram& program, const Step& step, const Bytes& touched)
      : program_(program), step_(step), touched_(touched) {}

  // Runs the step again with noise; the number of bytes that are not as the footprint says.
  std::size_t differences(std::mt19937& random) {
    const ActorId rank{0};
    program_.restore(rank, *step_.before);
    make_noise(random);
    give(program_, rank, step_.answer, step_.wanted);
    if (words_of(program_.next(rank)) != step_.next) return touched_.size() + 1;
    if (is_over(program_.next(rank))) return 0;  // it has no memory any more
    std::size_t differences = 0;
    for (const auto& [address, value] : expected_)
      if (is_live(address, step_.stack_pointer_after) && memory_at(address) != value) ++differences;
    return differences;
  }
  std::size_t noisy_bytes() const { return noisy_bytes_; }

 private:
  void make_noise(std::mt19937& random) {
    const Bytes read = bytes_in(step_.footprint.reads);
    expected_.clear();
    for (const auto& [address, value] : read)
      if (memory_at(address) != value) memory_at(address) = value;  // memory that is in no snapshot
    for (const auto& [address, unused] : touched_) {
      if (!is_live(address, step_.stack_pointer)) continue;
      if (!read.contains(address)) {
        memory_at(address) = static_cast<std::uint8_t>(random());
        ++noisy_bytes_;
      }
      expected_[address] = memory_at(address);
    }
    for (const auto& [address, value] : step_.end) expected_[address] = value;
    for (const Footprint::Sum& sum : step_.footprint.sums) add(sum, random);
    for (const Footprint::Sum& move : step_.footprint.moves) add(move, random);
  }

  void add(const Footprint::Sum& sum, std::mt19937& random) {
    std::uint64_t value = 0;
    auto* at = reinterpret_cast<void*>(sum.from);
    if (sum.additions > 0) {
      const double start = static_cast<double>(random() % 1000) + 1;
      std::memcpy(at, &start, sizeof start);
      for (std::uint64_t i = 0; i < sizeof start && !step_.end.contains(sum.from); ++i)
        expected_[sum.from + i] = memory_at(sum.from + i);
      const double end = start + sum.double_amount;
      REQUIRE(sum.additions == 1);
      std::memcpy(&value, &end, sizeof end);
    } else {
      std::memcpy(&value, at, sum.size);
      value += sum.amount;
    }
    for (std::uint64_t i = 0; i < sum.size; ++i)
      expected_[sum.address + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }

  LoadedProgram& program_;
  const Step& step_;
  const Bytes& touched_;
  Bytes expected_;
  std::size_t noisy_bytes_ = 0;
};

}  // namespace

TEST_CASE("process: what a step has not read does not matter to it", "[smpi][process][footprint]") {
  for (const char* name : {"footprints", "footprints_optimised"}) {
    INFO(name);
    auto loaded = load_program(spec_of(name));
    REQUIRE(loaded);
    LoadedProgram& program = *loaded.value();
    auto& footprints = dynamic_cast<StepFootprints&>(program);
    std::mt19937 random(21);
    const std::vector<Step> steps = trace_all(program, footprints, random);
    REQUIRE(steps.size() > 50);
    Bytes touched;  // by the steps so far: these bytes are no part of the heap that was never used
    std::size_t gaps = 0, noisy = 0, sums = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      INFO("step " << i << " to " << step.next);
      REQUIRE_FALSE(step.footprint.is_broken);
      gaps += !step.footprint.gap.empty();
      sums += step.footprint.sums.size();
      Repetition repetition(program, step, touched);
      for (int again = 0; again < 3 && step.footprint.gap.empty(); ++again) CHECK(repetition.differences(random) == 0);
      noisy += repetition.noisy_bytes();
      add_touched(step, touched);
    }
    CHECK(gaps < steps.size() / 4);
    CHECK(noisy / steps.size() > 1000);
    CHECK(sums > 20);
  }
}

TEST_CASE("process: a traced rank behaves as one that is not traced", "[smpi][process][footprint]") {
  for (const char* name : {"footprints", "footprints_optimised"}) {
    auto traced = load_program(spec_of(name)), plain = load_program(spec_of(name));
    REQUIRE(traced);
    REQUIRE(plain);
    std::mt19937 random(22);
    const std::vector<Step> steps = trace_all(*traced.value(), dynamic_cast<StepFootprints&>(*traced.value()), random);
    const ActorId rank{0};
    plain.value()->next(rank);
    for (const Step& step : steps) {
      give(*plain.value(), rank, step.answer, step.wanted);
      REQUIRE(words_of(plain.value()->next(rank)) == step.next);
    }
    CHECK(is_over(plain.value()->next(rank)));
  }
}

}  // namespace footprint_test
