// SPDX-License-Identifier: MIT
//
// Whether code looks at what a call returned, on instructions as compilers emit them.
#include "smpi/abi/result_use.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "smpi/abi/instruction.hpp"

using rehearse::smpi::decode;
using rehearse::smpi::Instruction;
using rehearse::smpi::is_result_ignored;

namespace {

using Code = std::vector<std::uint8_t>;

// With room behind it, for what is decoded wrongly.
bool ignores(Code code, const Code* caller = nullptr) {
  code.resize(code.size() + 16, 0xcc);
  std::array<const std::uint8_t*, 1> callers{caller == nullptr ? nullptr : caller->data()};
  return is_result_ignored(code.data(), std::span(callers).first(caller == nullptr ? 0 : 1));
}

std::size_t length(Code code) {
  const std::size_t bytes = code.size();
  code.resize(bytes + 16, 0xcc);
  const Instruction instruction = decode(code.data());
  CHECK(instruction.next != Instruction::Next::unknown);
  return instruction.bytes;
}

const Code clear = {0x31, 0xc0};                     // xor eax, eax
const Code load = {0x8b, 0x45, 0xf8};                // mov eax, [rbp-8]
const Code store = {0x89, 0x45, 0xec};               // mov [rbp-0x14], eax
const Code test = {0x85, 0xc0};                      // test eax, eax
const Code library_call = {0xff, 0x15, 0, 0, 0, 0};  // call [rip+0]
const Code plt_call = {0xe8, 1, 0, 0, 0, 0xcc, 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0, 0, 0, 0};

Code joined(std::initializer_list<Code> parts) {
  Code all;
  for (const Code& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

TEST_CASE("result use: a result that is overwritten is ignored", "[smpi][abi]") {
  CHECK(ignores(clear));
  CHECK(ignores(load));
  CHECK(ignores({0xb8, 0, 0, 0, 0}));                              // mov eax, 0
  CHECK(ignores({0x48, 0x8d, 0x45, 0xec}));                        // lea rax, [rbp-0x14]
  CHECK(ignores(joined({{0x48, 0x83, 0xc4, 0x30}, clear})));       // add rsp, 0x30
  CHECK(ignores(joined({{0x66, 0x0f, 0x1f, 0x44, 0, 0}, load})));  // nopw [rax+rax]: no address is read
  CHECK(ignores(library_call));
  CHECK(ignores(plt_call));
}

TEST_CASE("result use: a result that is read, stored or tested is not ignored", "[smpi][abi]") {
  CHECK_FALSE(ignores(store));
  CHECK_FALSE(ignores(test));
  CHECK_FALSE(ignores(joined({{0x89, 0xc3}, clear})));                     // mov ebx, eax
  CHECK_FALSE(ignores({0x8b, 0x04, 0x85, 0, 0, 0, 0}));                    // mov eax, [rax*4]
  CHECK_FALSE(ignores({0x50}));                                            // push rax
  CHECK_FALSE(ignores(joined({{0x0f, 0x95, 0xc0}, {0x0f, 0xb6, 0xc0}})));  // setne al; movzx eax, al
  CHECK_FALSE(ignores({0xff, 0xd0}));                                      // call rax
  CHECK_FALSE(ignores({0xf2, 0x0f, 0x2a, 0xc0}));                          // cvtsi2sd xmm0, eax
}

TEST_CASE("result use: all paths must ignore it", "[smpi][abi]") {
  CHECK(ignores(joined({{0x74, 0x02}, clear, load})));  // je over it
  CHECK_FALSE(ignores(joined({{0x74, 0x02}, clear, store})));
  CHECK(ignores({0xeb, 0xfe}));        // for (;;);
  CHECK_FALSE(ignores({0x0f, 0xa2}));  // cpuid: not known
}

TEST_CASE("result use: callees and callers whose code is known are followed", "[smpi][abi]") {
  // call over five bytes to a function that only returns; then what follows the call
  CHECK_FALSE(ignores(joined({{0xe8, 3, 0, 0, 0}, store, {0xc3}})));
  CHECK(ignores(joined({{0xe8, 3, 0, 0, 0}, load, {0xc3}})));
  CHECK_FALSE(ignores({0xc9, 0xc3}));  // leave; ret: somebody may look
  const Code looks = joined({test, Code(16, 0xcc)}), does_not = joined({clear, Code(16, 0xcc)});
  CHECK_FALSE(ignores({0xc9, 0xc3}, &looks));
  CHECK(ignores({0xc9, 0xc3}, &does_not));
}

TEST_CASE("result use: instructions have the length that the processor gives them", "[smpi][abi]") {
  CHECK(length({0x48, 0xb9, 1, 2, 3, 4, 5, 6, 7, 8}) == 10);          // mov rcx, constant
  CHECK(length({0xc7, 0x45, 0xec, 0, 0, 0, 0}) == 7);                 // mov dword [rbp-0x14], 0
  CHECK(length({0x66, 0xc7, 0x45, 0xec, 0, 0}) == 6);                 // mov word [rbp-0x14], 0
  CHECK(length({0x83, 0x3d, 0, 0, 0, 0, 1}) == 7);                    // cmp dword [rip], 1
  CHECK(length({0x42, 0x8b, 0x8c, 0xa5, 0, 0, 0, 0}) == 8);           // mov ecx, [rbp+r12*4+0]
  CHECK(length({0x64, 0x48, 0x2b, 0x14, 0x25, 0x28, 0, 0, 0}) == 9);  // sub rdx, fs:[0x28]
  CHECK(length({0xf2, 0x0f, 0x10, 0x45, 0xe8}) == 5);                 // movsd xmm0, [rbp-0x18]
  CHECK(length({0xc5, 0xf8, 0x77}) == 3);                             // vzeroupper
  CHECK(length({0xc5, 0xfb, 0x10, 0x45, 0xe8}) == 5);                 // vmovsd xmm0, [rbp-0x18]
  CHECK(length({0x66, 0x0f, 0x70, 0xc0, 0xe0}) == 5);                 // pshufd xmm0, xmm0, 0xe0
}
