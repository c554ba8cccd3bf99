// SPDX-License-Identifier: MIT
//
// Variables of this test program itself, which is compiled with debugging information of them.
#include "simcore/debug_variables.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <complex>
#include <string>

#include "simcore/debug.hpp"

using namespace rehearse;

namespace {

struct Empty {};
struct Inner : Empty {
  short few[2];
  double value;
};
struct Outer {
  char letter;
  Inner inner[2];
  union {
    int whole;
    float part;
  } either;
  unsigned bits : 3;
  const long* next;
};
enum Colour { red, green };

Outer outer_variable[3];
std::complex<float> wave;
Colour colour;
int table[2][3][4];

std::uintptr_t base_of_this() {
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(&base_of_this), &info) == 0 ? 0
                                                                    : reinterpret_cast<std::uintptr_t>(info.dli_fbase);
}

const DebugVariable* global_named(DebugVariables& all, const void* address) {
  const auto found = all.globals_at(reinterpret_cast<std::uintptr_t>(address) - base_of_this());
  return found.size() == 1 ? found[0] : nullptr;
}

std::string leaf_name(const DebugType& type, std::uint64_t offset) {
  const auto leaf = find_leaf(type, offset);
  return leaf ? leaf->type->name + "@" + std::to_string(leaf->begin) : "";
}

struct Seen {
  ActiveFrame frame;
  int frames = 0;
};

// The function that calls this one.
[[gnu::noinline]] Seen caller_of_this() {
  Seen seen;
  visit_stack([&](const ActiveFrame& frame) {
    seen.frame = frame;
    return ++seen.frames < 2;
  });
  asm volatile("");
  return seen;
}

const DebugVariable* named(const std::vector<DebugVariable>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &DebugVariable::name);
  return found == all.end() ? nullptr : &*found;
}

std::uintptr_t address_of(const DebugVariable& variable, const ActiveFrame& frame) {
  const auto base = variable.place.base == DebugPlace::Base::frame ? frame.canonical
                                                                   : frame.registers[variable.place.number];
  return base + static_cast<std::uintptr_t>(variable.place.offset);
}

}  // namespace

TEST_CASE("debug variables: types are known down to their scalars, whatever they are nested in", "[simcore][debug]") {
  DebugVariables all("/proc/self/exe");
  const DebugVariable* outer = global_named(all, &outer_variable[1]);
  REQUIRE(outer != nullptr);
  CHECK(outer->name == "outer_variable");
  const DebugType& type = *outer->type;
  CHECK(type.name == "struct Outer[3]");
  CHECK(type.bytes == sizeof outer_variable);
  const std::uint64_t second = sizeof(Outer);
  CHECK(leaf_name(type, second) == "char@" + std::to_string(second));
  const std::uint64_t value = second + offsetof(Outer, inner) + sizeof(Inner) + offsetof(Inner, value);
  CHECK(leaf_name(type, value + 3) == "double@" + std::to_string(value));
  CHECK(member_path(type, value) == "inner.value");
  const std::uint64_t few = second + offsetof(Outer, inner) + 2;
  CHECK(leaf_name(type, few) == "short int@" + std::to_string(few));
  SECTION("unions, members of bits, padding and what is behind the end have none") {
    CHECK(leaf_name(type, offsetof(Outer, either)).empty());
    CHECK(leaf_name(type, offsetof(Outer, either) + sizeof(int)).empty());
    CHECK(leaf_name(type, 1).empty());
    CHECK(leaf_name(type, sizeof outer_variable).empty());
  }
  SECTION("pointers know what they point to") {
    const auto next = find_leaf(type, offsetof(Outer, next));
    REQUIRE(next);
    CHECK(next->type->scalar == DebugType::Scalar::pointer);
    CHECK(all.target(*next->type).name == "long int");
  }
  SECTION("complex numbers are two, enumerations integers, arrays of arrays one") {
    const DebugVariable* complex = global_named(all, &wave);
    REQUIRE(complex != nullptr);
    const auto imaginary = find_leaf(*complex->type, 4);
    REQUIRE(imaginary);
    CHECK(imaginary->begin == 4);
    CHECK(imaginary->type->scalar == DebugType::Scalar::floating);
    const DebugVariable* of_colour = global_named(all, &colour);
    REQUIRE(of_colour != nullptr);
    CHECK(of_colour->type->scalar == DebugType::Scalar::enumeration);
    const DebugVariable* numbers = global_named(all, &table[1][2][3]);
    REQUIRE(numbers != nullptr);
    CHECK(numbers->type->name == "int[2][3][4]");
    CHECK(numbers->type->count == 24);
    CHECK(numbers->type->element->kind == DebugType::Kind::scalar);
  }
}

TEST_CASE("debug variables: variables in scope are at the places that the frame gives", "[simcore][debug]") {
  DebugVariables all("/proc/self/exe");
  int numbers[4] = {1, 2, 3, 4};
  const auto look = [&](std::uintptr_t expected, const char* name, const char* type, const Seen& seen) {
    const auto& scope = all.in_scope(seen.frame.address - base_of_this()).variables;
    const DebugVariable* variable = named(scope, name);
    REQUIRE(variable != nullptr);
    CHECK(variable->type->name == type);
    CHECK(variable->place.is_fixed);
    CHECK(address_of(*variable, seen.frame) == expected);
  };
  {
    double block[2] = {1, 2};
    const Seen seen = caller_of_this();
    look(reinterpret_cast<std::uintptr_t>(numbers), "numbers", "int[4]", seen);
    look(reinterpret_cast<std::uintptr_t>(block), "block", "double[2]", seen);
  }
  const Seen later = caller_of_this();
  CHECK(named(all.in_scope(later.frame.address - base_of_this()).variables, "block") == nullptr);
}

TEST_CASE("debug variables: a file without debugging information has none", "[simcore][debug]") {
  DebugVariables none("/dev/null");
  CHECK(none.globals().empty());
  CHECK(none.in_scope(4096).variables.empty());
  CHECK(none.globals_at(4096).empty());
}
