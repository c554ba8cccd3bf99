// SPDX-License-Identifier: MIT
//
// Stacks of this test program itself, and their source lines.
#include "simcore/debug.hpp"

#include <dlfcn.h>

#include <array>
#include <catch2/catch.hpp>

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

TEST_CASE("debug: what is not in a file's tables is empty", "[simcore][debug]") {
  CHECK(SourceMap("/proc/self/exe").find(1).function.empty());
  CHECK(SourceMap("/no/such/file").find(4096).function.empty());
  CHECK(SourceMap("/etc/passwd").find(4096).line == 0);
}
