// SPDX-License-Identifier: MIT
//
// Stacks of this test program itself, and their source lines.
#include "simcore/debug.hpp"
#include "simcore/debug/functions_around.hpp"

#include <dlfcn.h>

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <tuple>

using namespace rehearse;

namespace {

struct Captured {
  std::array<std::uintptr_t, 16> frames{};
  std::size_t count = 0;
};

[[gnu::noinline]] Captured innermost() {
  Captured captured;
  captured.count = capture_stack(captured.frames);
  asm volatile("");
  return captured;
}
constexpr int call_line = __LINE__ + 2;
[[gnu::noinline]] Captured caller() {
  const Captured captured = innermost();
  asm volatile("");
  return captured;
}

Frame frame_at(std::uintptr_t address) {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(address), &info) == 0) return {};
  return SourceMap("/proc/self/exe").find(address - reinterpret_cast<std::uintptr_t>(info.dli_fbase));
}

}  // namespace

TEST_CASE("debug: a captured stack names functions, files and lines", "[simcore][debug]") {
  const Captured captured = caller();
  REQUIRE(captured.count >= 3);
  CHECK(frame_at(captured.frames[0]).function.find("innermost") != std::string::npos);
  const Frame frame = frame_at(captured.frames[1]);
  CHECK(frame.function.find("caller") != std::string::npos);
  CHECK(frame.file.ends_with("debug_test.cpp"));
  CHECK(frame.line == call_line);
}

namespace {

Captured where_inlined;
constexpr int inner_line = __LINE__ + 2;
[[gnu::always_inline]] inline void made_part_of_others() {
  where_inlined = innermost();
  asm volatile("");
}
constexpr int outer_line = __LINE__ + 1;
[[gnu::always_inline]] inline void made_part_twice() { made_part_of_others(); }
constexpr int last_line = __LINE__ + 2;
[[gnu::noinline]] void has_the_code() {
  made_part_twice();
  asm volatile("");
}

}  // namespace

TEST_CASE("debug: inlined functions are reported with their names and lines", "[simcore][debug]") {
  has_the_code();
  REQUIRE(where_inlined.count >= 2);
  Dl_info info;
  REQUIRE(dladdr(reinterpret_cast<void*>(where_inlined.frames[1]), &info) != 0);
  const SourceMap map("/proc/self/exe");
  const std::vector<Frame> frames =
      map.find_all(where_inlined.frames[1] - reinterpret_cast<std::uintptr_t>(info.dli_fbase));
  REQUIRE(frames.size() == 3);
  CHECK(frames[0].function.find("made_part_of_others") != std::string::npos);
  CHECK(frames[1].function.find("made_part_twice") != std::string::npos);
  CHECK(frames[2].function.find("has_the_code") != std::string::npos);
  CHECK(frames[0].line == inner_line);
  CHECK(frames[1].line == outer_line);
  CHECK(frames[2].line == last_line);
  for (const Frame& frame : frames) CHECK(frame.file.ends_with("debug_test.cpp"));
}

TEST_CASE("debug: symbols are named as in the source", "[simcore][debug]") {
  CHECK(readable_name("_ZN4ring4sendEi") == "ring::send(int)");
  CHECK(readable_name("exchange.isra.0") == "exchange");
  CHECK(readable_name("main.cold") == "main");
  CHECK(readable_name("__halo_MOD_swap_rows") == "halo::swap_rows");
  CHECK(readable_name("__halo_MOD_swap_rows.part.1") == "halo::swap_rows");
  CHECK(readable_name("__MOD_") == "__MOD_");
  CHECK(readable_name("trailing_") == "trailing_");  // C may name it so; of Fortran the debugging information knows
}

TEST_CASE("debug: procedures of Fortran have the names that the program gives them", "[simcore][debug]") {
  const std::string file = std::string(REHEARSE_PROCESS_PROGRAMS) + "/fortran_names.so";
  void* library = dlopen(file.c_str(), RTLD_NOW);
  if (library == nullptr) {
    WARN("no gfortran: nothing to look at");
    return;
  }
  const SourceMap map(file);
  for (const auto& [symbol, name, line] :
       {std::tuple{"__halo_MOD_swap_rows", "halo::swap_rows", 6}, {"exchange_", "exchange", 12}}) {
    void* address = dlsym(library, symbol);
    REQUIRE(address != nullptr);
    Dl_info info;
    REQUIRE(dladdr(address, &info) != 0);
    const Frame frame =
        map.find(reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(info.dli_fbase));
    CHECK(frame.function == name);
    CHECK(frame.file.ends_with("fortran_names.f90"));
    CHECK(frame.line == line);
  }
  dlclose(library);
}

TEST_CASE("debug: an address that is not in a file's tables gives an empty result", "[simcore][debug]") {
  CHECK(SourceMap("/proc/self/exe").find(1).function.empty());
  CHECK(SourceMap("/no/such/file").find(4096).function.empty());
  CHECK(SourceMap("/etc/passwd").find(4096).line == 0);
}

namespace {

struct OwnFrame {
  std::optional<StackFrame> frame;
  std::uintptr_t variable = 0;
  std::uintptr_t returns_to = 0;
  std::uintptr_t at_end = 0;
};

// By a variable of its own, whatever is optimised.
[[gnu::noinline]] OwnFrame own_frame() {
  volatile int variable = 1;
  OwnFrame own;
  own.variable = reinterpret_cast<std::uintptr_t>(&variable);
  own.frame = find_stack_frame(own.variable);
  own.returns_to = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  if (own.frame) own.at_end = *reinterpret_cast<const std::uintptr_t*>(own.frame->end - sizeof(std::uintptr_t));
  return own;
}

}  // namespace

TEST_CASE("debug: the frame of a variable is its function's and ends with the return address", "[simcore][debug]") {
  const OwnFrame own = own_frame();
  REQUIRE(own.frame);
  CHECK(own.frame->begin <= own.variable);
  CHECK(own.variable < own.frame->end);
  CHECK(own.at_end == own.returns_to);
}

TEST_CASE("debug: memory that is on no active function's stack has no frame", "[simcore][debug]") {
  CHECK_FALSE(find_stack_frame(reinterpret_cast<std::uintptr_t>("constant")));
  const OwnFrame returned = own_frame();
  CHECK_FALSE(find_stack_frame(returned.frame->begin - 4096));
}
