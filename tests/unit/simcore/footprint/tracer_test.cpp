// SPDX-License-Identifier: MIT
//
// Footprints of compiled code, and of single instructions: a step that runs again with other values in all bytes that
// it has not read has the same effect.
#include "simcore/footprint/tracer.hpp"

#include <sys/mman.h>
#include <x86intrin.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tracer_test {

using namespace rehearse;
using footprint::Tracer;

namespace {

struct alignas(64) Memory {
  int total, count, input, output;
  long long_total;
  double double_total;
  int array[8];
  double doubles[4];
  char bytes[200];
  char name[24];
  bool flag;
  short half;
  int* pointer;
};

using Step = void (*)(Memory&);

namespace plain {
#pragma GCC push_options
#pragma GCC optimize("O0")
#include "tests/unit/simcore/footprint/steps.inc"
#pragma GCC pop_options
}  // namespace plain
namespace optimised {
#pragma GCC push_options
#pragma GCC optimize("O2")
#include "tests/unit/simcore/footprint/steps.inc"
#pragma GCC pop_options
}  // namespace optimised
namespace vectorised {
#pragma GCC push_options
#pragma GCC optimize("O3")
#pragma GCC target("avx2,fma")
#include "tests/unit/simcore/footprint/steps.inc"
#pragma GCC pop_options
}  // namespace vectorised

#define VARIANTS(name) \
  {#name " plain", plain::name}, {#name " optimised", optimised::name}, { #name " vectorised", vectorised::name }
const std::vector<std::pair<std::string, Step>> steps = {
    VARIANTS(add_integer),     VARIANTS(add_long),   VARIANTS(count),           VARIANTS(add_both),
    VARIANTS(add_double),      VARIANTS(compare),    VARIANTS(choose),          VARIANTS(store_at_index),
    VARIANTS(copy_block),      VARIANTS(move_block), VARIANTS(clear_block),     VARIANTS(swap_words),
    VARIANTS(reuse),           VARIANTS(print),      VARIANTS(measure),         VARIANTS(sum_array),
    VARIANTS(scale_array),     VARIANTS(add_arrays), VARIANTS(sort_array),      VARIANTS(allocate),
    VARIANTS(divide),          VARIANTS(select),     VARIANTS(throw_and_catch), VARIANTS(shift),
    VARIANTS(use_long_double), VARIANTS(narrow),     VARIANTS(pass_pointer),    VARIANTS(add_twice),
    VARIANTS(keep_old),
};
#undef VARIANTS

Memory& memory() {
  static Memory one;
  return one;
}

std::uint64_t address_of(const void* of) { return reinterpret_cast<std::uint64_t>(of); }

void run_step(void* step, const void* memory) {
  reinterpret_cast<Step>(step)(*const_cast<Memory*>(static_cast<const Memory*>(memory)));
}

std::uint64_t thread_pointer() {
  std::uint64_t pointer;
  asm("mov %%fs:0, %0" : "=r"(pointer));
  return pointer;
}

Footprint trace(Tracer& tracer, Step step) {
  Memory& m = memory();
  tracer.begin({address_of(&m), address_of(&m + 1), 0, 0, 0});
  // The inexact flag is set, as it is in programs that have computed with doubles.
  volatile double third = 1;
  third = third / 3;
  tracer.call(run_step, reinterpret_cast<void*>(step), &m, thread_pointer());
  return tracer.end(0);
}

// Libraries are initialised when they work for the first time.
Footprint trace_when_warm(Tracer& tracer, Step step) {
  const Memory before = memory();
  for (int cold = 0; cold < 2; ++cold) {
    trace(tracer, step);
    memory() = before;
  }
  return trace(tracer, step);
}

Memory random_memory(std::mt19937& random) {
  Memory m;
  std::memset(&m, 0, sizeof m);
  const auto small = [&] { return static_cast<int>(random() % 400) - 200; };
  m.total = small();
  m.count = small();
  m.input = small() & 0xff;
  m.output = small();
  m.long_total = small() * 1'000'003L;
  m.double_total = small() / 7.0;
  for (int& value : m.array) value = small();
  for (double& value : m.doubles) value = small() / 3.0;
  for (char& value : m.bytes) value = static_cast<char>(random());
  std::snprintf(m.name, sizeof m.name, "%.*s", static_cast<int>(random() % 20), "a name of some length");
  m.flag = random() % 2 != 0;
  m.half = static_cast<short>(small());
  m.pointer = &memory().array[random() % 8];
  return m;
}

std::array<bool, sizeof(Memory)> bytes_in(const std::vector<Footprint::Word>& words) {
  std::array<bool, sizeof(Memory)> is_in = {};
  for (const Footprint::Word& word : words)
    for (std::uint64_t i = 0; i < 8; ++i)
      if ((word.bytes >> i & 1) != 0) is_in[word.address + i - address_of(&memory())] = true;
  return is_in;
}

const std::byte* bytes_of(const Memory& m) { return reinterpret_cast<const std::byte*>(&m); }

// A memory with the values of `before` where the step has read, and others elsewhere. Doubles that are added to keep
// being numbers.
Memory with_noise(const Memory& before, const Footprint& footprint, std::mt19937& random) {
  Memory m = before;
  const auto is_read = bytes_in(footprint.reads);
  for (std::size_t i = 0; i < sizeof m; ++i)
    if (!is_read[i]) reinterpret_cast<std::byte*>(&m)[i] = static_cast<std::byte>(random());
  for (const auto& sums : {footprint.sums, footprint.moves})
    for (const Footprint::Sum& sum : sums) {
      if (!sum.is_double) continue;
      const double value = static_cast<double>(random() % 1000) / 64 + 1;
      std::memcpy(reinterpret_cast<std::byte*>(&m) + (sum.from - address_of(&memory())), &value, sizeof value);
    }
  return m;
}

// What the footprint says about the memory after the step, if it was `before` at the beginning; true: it is so.
bool agrees(const Footprint& footprint, const Memory& first_end, const Memory& before, const Memory& after) {
  Memory expected = before;
  auto* bytes = reinterpret_cast<std::byte*>(&expected);
  const auto is_written = bytes_in(footprint.writes);
  for (std::size_t i = 0; i < sizeof expected; ++i)
    if (is_written[i]) bytes[i] = bytes_of(first_end)[i];
  std::vector<Footprint::Sum> sums = footprint.sums;
  sums.insert(sums.end(), footprint.moves.begin(), footprint.moves.end());
  for (const Footprint::Sum& sum : sums) {
    std::byte* at = bytes + (sum.address - address_of(&memory()));
    const std::byte* from = bytes_of(before) + (sum.from - address_of(&memory()));
    if (sum.is_double) {
      double value, got;
      std::memcpy(&value, from, sizeof value);
      std::memcpy(&got, bytes_of(after) + (at - bytes), sizeof got);
      if (std::abs(value + sum.double_amount - got) > 1e-9) return false;
      std::memcpy(at, &got, sizeof got);
      continue;
    }
    std::uint64_t value = 0;
    std::memcpy(&value, from, sum.size);
    value += sum.amount;
    std::memcpy(at, &value, sum.size);
  }
  return std::memcmp(&expected, &after, sizeof expected) == 0;
}

bool has_read(const Footprint& footprint, const void* of, std::size_t bytes) {
  const auto is_read = bytes_in(footprint.reads);
  const std::size_t first = address_of(of) - address_of(&memory());
  return std::any_of(is_read.begin() + static_cast<std::ptrdiff_t>(first),
                     is_read.begin() + static_cast<std::ptrdiff_t>(first + bytes), [](bool is) { return is; });
}

template <class T>
bool has_read(const Footprint& footprint, const T& of) {
  return has_read(footprint, &of, sizeof of);
}

}  // namespace

TEST_CASE("footprint: unread bytes do not matter to compiled code", "[simcore][footprint]") {
  Tracer tracer;
  REQUIRE(tracer.is_there());
  std::mt19937 random(7);
  for (const auto& [name, step] : steps) {
    INFO(name);
    for (int round = 0; round < 20; ++round) {
      const Memory before = memory() = random_memory(random);
      const Footprint footprint = trace_when_warm(tracer, step);
      REQUIRE(footprint.gap == "");
      const Memory end = memory();
      CHECK(agrees(footprint, end, before, end));
      for (int again = 0; again < 5; ++again) {
        const Memory noisy = memory() = with_noise(before, footprint, random);
        step(memory());
        CHECK(agrees(footprint, end, noisy, memory()));
      }
    }
  }
}

TEST_CASE("footprint: traced code computes what the processor computes", "[simcore][footprint]") {
  Tracer tracer;
  REQUIRE(tracer.is_there());
  std::mt19937 random(8);
  for (const auto& [name, step] : steps) {
    INFO(name);
    const Memory before = memory() = random_memory(random);
    step(memory());
    const Memory expected = memory();
    memory() = before;
    trace(tracer, step);
    CHECK(std::memcmp(&expected, &memory(), sizeof expected) == 0);
  }
}

TEST_CASE("footprint: words that are only added to are sums", "[simcore][footprint]") {
  Tracer tracer;
  REQUIRE(tracer.is_there());
  std::mt19937 random(9);
  Memory& m = memory();
  for (const Step step : {plain::add_integer, optimised::add_integer, vectorised::add_integer}) {
    m = random_memory(random);
    const auto input = static_cast<std::uint32_t>(m.input);
    const Footprint footprint = trace(tracer, step);
    REQUIRE(footprint.sums.size() == 1);
    CHECK(footprint.sums[0].address == address_of(&m.total));
    CHECK(footprint.sums[0].size == 4);
    CHECK(footprint.sums[0].amount == input);
    CHECK_FALSE(has_read(footprint, m.total));
    CHECK(has_read(footprint, m.input));
    CHECK(footprint.writes.empty());
  }
  for (const Step step : {plain::add_double, optimised::add_double, vectorised::add_double}) {
    m = random_memory(random);
    const double amount = m.doubles[m.input & 3] + 0.375;
    const Footprint footprint = trace(tracer, step);
    REQUIRE(footprint.sums.size() == 1);
    CHECK(footprint.sums[0].is_double);
    CHECK(footprint.sums[0].double_amount == Approx(amount));
    CHECK(footprint.sums[0].additions == 2);
    CHECK_FALSE(has_read(footprint, m.double_total));
  }
  for (const Step step : {plain::add_twice, optimised::add_twice, vectorised::add_twice}) {
    m = random_memory(random);
    const auto amount = static_cast<std::uint32_t>(4 - m.input);
    const Footprint footprint = trace(tracer, step);
    REQUIRE(footprint.sums.size() == 1);
    CHECK(footprint.sums[0].amount == amount);
  }
}

TEST_CASE("footprint: a word that another one gets is moved", "[simcore][footprint]") {
  Tracer tracer;
  REQUIRE(tracer.is_there());
  std::mt19937 random(14);
  Memory& m = memory();
  for (const Step step : {plain::swap_words, plain::keep_old}) {
    m = random_memory(random);
    const Footprint footprint = trace(tracer, step);
    CHECK_FALSE(has_read(footprint, m.total));
    const auto is_of_total = [&](const Footprint::Sum& move) { return move.from == address_of(&m.total); };
    REQUIRE(std::ranges::count_if(footprint.moves, is_of_total) == 1);
    CHECK(std::ranges::find_if(footprint.moves, is_of_total)->size == 4);
  }
}

TEST_CASE("footprint: a compared sum is read", "[simcore][footprint]") {
  Tracer tracer;
  REQUIRE(tracer.is_there());
  std::mt19937 random(10);
  Memory& m = memory();
  for (const Step step : {plain::compare, optimised::compare, plain::print, optimised::print}) {
    m = random_memory(random);
    const Footprint footprint = trace(tracer, step);
    CHECK(has_read(footprint, m.total));
    CHECK(footprint.sums.empty());
  }
}

TEST_CASE("footprint: a faulting step is broken off, and the process continues", "[simcore][footprint]") {
  Tracer tracer;
  REQUIRE(tracer.is_there());
  std::mt19937 random(11);
  memory() = random_memory(random);
  memory().pointer = nullptr;
  const Footprint broken = trace(tracer, optimised::pass_pointer);
  CHECK(broken.is_broken);
  CHECK(broken.gap == "a fault");
  memory().pointer = &memory().count;
  const Footprint whole = trace(tracer, optimised::pass_pointer);
  CHECK(whole.gap.empty());
  CHECK(whole.sums.size() == 1);
}

TEST_CASE("footprint: a fault leaves the control word of the process", "[simcore][footprint]") {
  using footprint::Touches;
  footprint::Machine machine;
  REQUIRE(machine.is_there());
  constexpr std::array<std::uint8_t, 2> load_from_rax = {0x8b, 0x00};
  const std::byte* copy = machine.add(load_from_rax, Touches::general);
  const unsigned before = _mm_getcsr();
  machine.begin();
  machine.general()[footprint::rax] = 0;
  machine.begin_faults();
  const bool has_run = machine.run(copy, Touches::general);
  machine.end_faults();
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  CHECK_FALSE(has_run);
  CHECK(after == before);
}

namespace {

void call_system(Memory& m) {
  long number = 110;  // getppid
  asm volatile("syscall" : "+a"(number) : : "rcx", "r11", "memory");
  m.output = number > 0;
}
void read_clock(Memory& m) {
  unsigned low, high;
  asm volatile("rdtsc" : "=a"(low), "=d"(high));
  m.flag = (low ^ high) == 12345;
}

}  // namespace

TEST_CASE("footprint: what is not a function of memory is a gap", "[simcore][footprint]") {
  Tracer tracer;
  REQUIRE(tracer.is_there());
  std::mt19937 random(12);
  memory() = random_memory(random);
  const Footprint system = trace(tracer, call_system);
  CHECK(system.gap == "a system call");
  CHECK_FALSE(system.is_broken);
  CHECK(memory().output == 1);
  const Footprint clock = trace(tracer, read_clock);
  CHECK(clock.gap == "an instruction that reads the clock or random numbers");
  CHECK_FALSE(clock.is_broken);
}

// Single instructions: `x` is an integer in memory, `y` the result.
#define INSTRUCTION(name, ...)                                                                               \
  void name(Memory& m) {                                                                                     \
    asm volatile(__VA_ARGS__                                                                                 \
                 :                                                                                           \
                 : "r"(&m.long_total), "r"(m.array), "r"(m.bytes)                                            \
                 : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r15", "xmm0", "xmm1", "xmm2", "cc", "memory"); \
  }

namespace {

INSTRUCTION(copy_word, "mov (%0), %%rax\n mov %%rax, (%1)")
INSTRUCTION(add_to_memory, "addq $5, (%0)")
INSTRUCTION(address_of_sum, "mov (%0), %%rax\n lea 9(%%rax), %%rax\n mov %%rax, (%0)")
INSTRUCTION(address_of_two, "mov (%0), %%rax\n mov $3, %%ebx\n lea 1(%%rbx, %%rax), %%rax\n mov %%rax, (%0)")
INSTRUCTION(scaled, "mov (%0), %%rax\n lea (,%%rax,2), %%rax\n mov %%rax, (%0)")
INSTRUCTION(through_stack, "push (%0)\n pop %%rcx\n inc %%rcx\n mov %%rcx, (%0)")
INSTRUCTION(half_of_sum, "mov (%0), %%eax\n add $1, %%eax\n mov %%eax, (%0)")
INSTRUCTION(part_of_register, "mov (%0), %%rax\n mov $1, %%ah\n mov %%rax, (%0)")
INSTRUCTION(cleared, "mov (%0), %%rax\n xor %%eax, %%eax\n mov %%rax, (%0)")
INSTRUCTION(multiplied, "mov (%0), %%rax\n imul $3, %%rax, %%rax\n mov %%rax, (%0)")
INSTRUCTION(extended, "movslq (%1), %%rax\n mov %%rax, (%0)")
INSTRUCTION(zero_extended, "movzbl (%2), %%eax\n mov %%eax, (%1)")
INSTRUCTION(moved_back, "mov (%0), %%rax\n movq %%rax, %%xmm0\n movq %%xmm0, %%rdx\n mov %%rdx, (%0)")
INSTRUCTION(flags_of_sum, "addq $1, (%0)\n setc (%2)")
INSTRUCTION(no_flags_of_sum, "addq $1, (%0)\n xor %%eax, %%eax\n setc (%2)")
INSTRUCTION(scanned, "mov $16, %%ecx\n mov %2, %%rdi\n mov (%0), %%al\n cld\n repne scasb\n mov %%ecx, (%1)")
INSTRUCTION(copied, "mov $12, %%ecx\n lea 16(%2), %%rdi\n mov %2, %%rsi\n cld\n rep movsb")
INSTRUCTION(filled, "mov $3, %%ecx\n mov %2, %%rdi\n mov (%0), %%rax\n cld\n rep stosq")
INSTRUCTION(exchanged, "mov $7, %%eax\n xchg %%rax, (%0)\n mov %%rax, (%1)")
INSTRUCTION(compared_and_exchanged, "mov $7, %%eax\n mov $9, %%ebx\n lock cmpxchg %%rbx, (%0)\n mov %%rax, (%1)")
INSTRUCTION(conditional, "cmpl $0, (%1)\n mov 8(%1), %%eax\n cmovg 4(%1), %%eax\n mov %%eax, (%0)")
INSTRUCTION(scanned_bits, "mov 4(%1), %%eax\n bsf (%1), %%eax\n mov %%eax, (%0)")
INSTRUCTION(sign_of_sum, "subl $3, (%1)\n js 1f\n movl $1, 4(%1)\n 1:")
INSTRUCTION(counted, "mov $3, %%ecx\n 1: incl (%1)\n loop 1b")
INSTRUCTION(merged, "movsd (%2), %%xmm0\n movsd (%0), %%xmm1\n movsd %%xmm1, %%xmm0\n movups %%xmm0, 32(%2)")
INSTRUCTION(shuffled, "movups (%2), %%xmm0\n pshufd $0x4e, %%xmm0, %%xmm0\n movups %%xmm0, 32(%2)")

struct Expectation {
  const char* name;
  Step step;
  int sums;
  bool reads;  // any of the bytes of long_total
};
const Expectation single[] = {
    {"copy", copy_word, 0, false},
    {"add to memory", add_to_memory, 1, false},
    {"lea", address_of_sum, 1, false},
    {"lea of two registers", address_of_two, 1, false},
    {"lea with a factor", scaled, 0, true},
    {"push and pop", through_stack, 1, false},
    {"four bytes of a word", half_of_sum, 1, false},
    {"a part of a register", part_of_register, 0, false},
    {"xor of a register with itself", cleared, 0, false},
    {"imul", multiplied, 0, true},
    {"movslq", extended, 0, false},
    {"movzbl", zero_extended, 0, false},
    {"a copy that ends where it began", moved_back, 0, false},
    {"flags of a sum that are used", flags_of_sum, 1, true},
    {"flags of a sum that are overwritten", no_flags_of_sum, 1, false},
    {"repne scasb", scanned, 0, true},
    {"rep movsb", copied, 0, false},
    {"rep stosq", filled, 0, true},
    {"xchg", exchanged, 0, true},
    {"cmpxchg", compared_and_exchanged, 0, true},
    {"cmov", conditional, 0, false},
    {"bsf", scanned_bits, 0, false},
    {"js", sign_of_sum, 1, false},
    {"loop", counted, 1, false},
    {"movsd between registers", merged, 0, false},
    {"pshufd", shuffled, 0, false},
};

}  // namespace

TEST_CASE("footprint: each class of instructions has its rule", "[simcore][footprint]") {
  Tracer tracer;
  REQUIRE(tracer.is_there());
  std::mt19937 random(13);
  for (const Expectation& expected : single) {
    INFO(expected.name);
    for (int round = 0; round < 20; ++round) {
      const Memory before = memory() = random_memory(random);
      const Footprint footprint = trace(tracer, expected.step);
      REQUIRE(footprint.gap == "");
      const Memory end = memory();
      CHECK(footprint.sums.size() == static_cast<std::size_t>(expected.sums));
      CHECK(has_read(footprint, memory().long_total) == expected.reads);
      for (int again = 0; again < 5; ++again) {
        const Memory noisy = memory() = with_noise(before, footprint, random);
        expected.step(memory());
        CHECK(agrees(footprint, end, noisy, memory()));
      }
    }
  }
}

namespace {

INSTRUCTION(bit_far_away, "mov $200, %%eax\n bts %%rax, (%0)")
INSTRUCTION(masked_store, "vpxor %%xmm0, %%xmm0, %%xmm0\n vmovups (%1), %%xmm1\n vmaskmovps %%xmm1, %%xmm0, (%0)")
INSTRUCTION(store_of_bytes, "mov $0x35, %%eax\n kmovq %%rax, %%k1\n vpxorq %%xmm16, %%xmm16, %%xmm16\n"
                            "vmovdqu8 %%zmm16, (%0)%{%%k1%}")
INSTRUCTION(store_of_words, "mov (%1), %%eax\n kmovb %%eax, %%k1\n vpxorq %%xmm16, %%xmm16, %%xmm16\n"
                            "vmovdqu64 %%zmm16, (%0)%{%%k1%}")

}  // namespace

TEST_CASE("footprint: bits outside of an operand are not supported", "[simcore][footprint]") {
  Tracer tracer;
  REQUIRE(tracer.is_there());
  const Footprint footprint = trace(tracer, bit_far_away);
  CHECK(footprint.gap == "an instruction that is not supported");
  CHECK(footprint.is_broken);
}

TEST_CASE("footprint: a masked store reads what it perhaps keeps", "[simcore][footprint]") {
  if (!__builtin_cpu_supports("avx")) return;
  Tracer tracer;
  REQUIRE(tracer.is_there());
  std::mt19937 random(14);
  memory() = random_memory(random);
  const Footprint footprint = trace(tracer, masked_store);
  CHECK(footprint.gap == "");
  CHECK(has_read(footprint, memory().long_total));
}

TEST_CASE("footprint: a store of AVX-512 with a mask writes what the mask selects", "[simcore][footprint]") {
  if (!__builtin_cpu_supports("avx512bw")) return;
  Tracer tracer;
  REQUIRE(tracer.is_there());
  std::mt19937 random(15);
  memory() = random_memory(random);
  const Footprint bytes = trace(tracer, store_of_bytes);
  CHECK(bytes.gap == "");
  CHECK(bytes.reads.empty());
  REQUIRE(bytes.writes.size() == 1);
  CHECK(bytes.writes.front().bytes == 0x35);
  for (int round = 0; round < 20; ++round) {
    const Memory before = memory() = random_memory(random);
    const Footprint words = trace(tracer, store_of_words);
    const Memory end = memory();
    REQUIRE(words.gap == "");
    for (int again = 0; again < 5; ++again) {
      const Memory noisy = memory() = with_noise(before, words, random);
      store_of_words(memory());
      CHECK(agrees(words, end, noisy, memory()));
    }
  }
}

TEST_CASE("footprint: code in the memory of the actor is read", "[simcore][footprint]") {
  Tracer tracer;
  REQUIRE(tracer.is_there());
  constexpr unsigned char code[] = {0xb8, 0x07, 0x00, 0x00, 0x00, 0x89, 0x07, 0xc3};  // mov $7, %eax; mov %eax, (%rdi)
  const std::size_t bytes = 4096;
  void* page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(page != MAP_FAILED);
  std::memcpy(page, code, sizeof code);
  const std::uint64_t begin = address_of(page), data = begin + bytes / 2;
  tracer.begin({begin, begin + bytes, 0, 0, 0});
  tracer.call(reinterpret_cast<void (*)(void*, const void*)>(page), reinterpret_cast<void*>(data), nullptr,
              thread_pointer());
  const Footprint footprint = tracer.end(0);
  munmap(page, bytes);
  CHECK(footprint.gap == "");
  REQUIRE(footprint.reads.size() == 1);
  CHECK(footprint.reads.front().address == begin);
  CHECK(footprint.reads.front().bytes == 0xff);
  REQUIRE(footprint.writes.size() == 1);
  CHECK(footprint.writes.front().address == data);
}

}  // namespace tracer_test
