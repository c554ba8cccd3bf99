// SPDX-License-Identifier: MIT
//
// Stubs of sampled functions.
//
// Source: System V Application Binary Interface, AMD64 Architecture Processor Supplement, 3.2 (registers of arguments
//         and results); Intel 64 Architectures Software Developer's Manual, vol. 3A, 8.1.3 (self-modifying code).
#include "smpi/process/function_entries.hpp"

#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <vector>

#include "simcore/support/format.hpp"
#include "simcore/support/page.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/sampling.hpp"
#include "smpi/user/sampled_code.hpp"

namespace rehearse::smpi {
namespace {

// The jump: pushq, movabs, jmp.
constexpr std::size_t jump_bytes = 18;
using EntryCode = std::array<std::byte, jump_bytes>;

// The registers at the entry, as the stub saves them. To skip the function, its results go to the same places.
struct EntryRegisters {
  struct Vector {
    std::uint64_t low, high;
  };
  Vector vectors[8];
  std::uint64_t unused;
  std::uint64_t r10, r9, r8, rcx, rdx, rsi, rdi, rax;
  std::uint64_t rbp, index, return_address;
};
static_assert(sizeof(EntryRegisters) == 128 + 12 * 8);

struct FunctionResults {
  EntryRegisters::Vector vectors[2];
  std::uint64_t unused, rdx, rax;
};

extern "C" void rehearse_function_entry();
extern "C" void rehearse_function_exit();

// The entry's jump pushes the index. 16-byte alignment: at the entry of a function %rsp is 8 off.
asm(R"(
  .pushsection .text
  .type rehearse_function_entry, @function
  .globl rehearse_function_entry
  .hidden rehearse_function_entry
rehearse_function_entry:
  pushq %rbp
  pushq %rax
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  pushq %r10
  subq $136, %rsp
  movups %xmm0, (%rsp)
  movups %xmm1, 16(%rsp)
  movups %xmm2, 32(%rsp)
  movups %xmm3, 48(%rsp)
  movups %xmm4, 64(%rsp)
  movups %xmm5, 80(%rsp)
  movups %xmm6, 96(%rsp)
  movups %xmm7, 112(%rsp)
  movq %rsp, %rdi
  call rehearse_function_called
  movq %rax, %r11
  movups (%rsp), %xmm0
  movups 16(%rsp), %xmm1
  movups 32(%rsp), %xmm2
  movups 48(%rsp), %xmm3
  movups 64(%rsp), %xmm4
  movups 80(%rsp), %xmm5
  movups 96(%rsp), %xmm6
  movups 112(%rsp), %xmm7
  addq $136, %rsp
  popq %r10
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  popq %rax
  popq %rbp
  leaq 8(%rsp), %rsp
  testq %r11, %r11
  je 1f
  jmp *%r11
1:
  ret
  .size rehearse_function_entry, .-rehearse_function_entry

  .type rehearse_function_exit, @function
  .globl rehearse_function_exit
  .hidden rehearse_function_exit
rehearse_function_exit:
  subq $8, %rsp
  pushq %rax
  pushq %rdx
  subq $40, %rsp
  movups %xmm0, (%rsp)
  movups %xmm1, 16(%rsp)
  movq %rsp, %rdi
  call rehearse_function_returned
  movq %rax, 56(%rsp)
  movups (%rsp), %xmm0
  movups 16(%rsp), %xmm1
  addq $40, %rsp
  popq %rdx
  popq %rax
  ret
  .size rehearse_function_exit, .-rehearse_function_exit
  .popsection
)");

// pushq $index; movabs $rehearse_function_entry, %r11; jmp *%r11
EntryCode jump_code(std::uint32_t index) {
  EntryCode code;
  const auto put = [&](std::size_t at, const auto& value) { std::memcpy(code.data() + at, &value, sizeof value); };
  put(0, std::uint8_t{0x68});
  put(1, index);
  put(5, std::uint16_t{0xbb49});
  put(7, reinterpret_cast<std::uint64_t>(&rehearse_function_entry));
  put(15, std::array<std::uint8_t, 3>{0x41, 0xff, 0xe3});
  return code;
}

// The functions of a rank that run now, and the last results of each.
struct SampledCalls {
  struct Active {
    std::uint32_t index;
    std::uint64_t return_address;
    std::byte* entry;
  };
  std::vector<Active> active;
  std::map<std::uint32_t, FunctionResults> last;
};

// The entry of the function in the running rank, and its original code.
struct FunctionEntry {
  std::byte* at = nullptr;
  const std::byte* code = nullptr;
};

FunctionEntry entry_of(const RankState& rank, const std::string& name) {
  auto found = find_entry(*rank.world, name);
  REHEARSE_ASSERT(found && found.value() != 0, "a patched function has an entry");
  const Image* image = rank.world->images.find(found.value());
  return {rank.base + found.value(), image->file->bytes_at(found.value() - image->offset, jump_bytes)};
}

// The entries of all sampled functions of a rank, found once.
struct SampledEntries {
  std::vector<FunctionEntry> all;
};

const FunctionEntry& known_entry(std::uint32_t index) {
  SampledEntries& entries = per_rank<SampledEntries>();
  const RankState& rank = this_rank();
  const auto& functions = rank.world->spec.sampled_functions;
  if (entries.all.empty()) entries.all.resize(functions.size());
  FunctionEntry& entry = entries.all[index];
  if (entry.at == nullptr) entry = entry_of(rank, functions[index].name);
  return entry;
}

std::int64_t argument_value(const SampledFunction::Argument& argument, const EntryRegisters& at) {
  using As = SampledFunction::Argument::As;
  const std::uint64_t words[] = {at.rdi, at.rsi, at.rdx, at.rcx, at.r8, at.r9};
  const std::uint64_t word = words[argument.position - 1];
  if (argument.as == As::wide) return static_cast<std::int64_t>(word);
  if (argument.as == As::integer) return static_cast<std::int32_t>(word);
  std::int32_t value;
  std::memcpy(&value, reinterpret_cast<const void*>(word), sizeof value);
  return value;
}

}  // namespace

// Called by the stub at the entry. Returns the place to continue, or null: the results are in `at`.
extern "C" [[gnu::visibility("hidden"), gnu::used]] std::byte* rehearse_function_called(EntryRegisters* at) {
  const auto index = static_cast<std::uint32_t>(at->index);
  const SampledFunction& function = this_rank().world->spec.sampled_functions[index];
  std::int64_t numbers[SampleKey::most_numbers];
  for (std::size_t i = 0; i < function.arguments.size(); ++i) numbers[i] = argument_value(function.arguments[i], *at);
  const FunctionEntry& entry = known_entry(index);
  SampledCalls& calls = per_rank<SampledCalls>();
  if (!sample_begins(function.name, {numbers, function.arguments.size()}, default_sample_rule(), at)) {
    const auto last = calls.last.find(index);
    const FunctionResults results = last == calls.last.end() ? FunctionResults{} : last->second;
    at->rax = results.rax;
    at->rdx = results.rdx;
    at->vectors[0] = results.vectors[0];
    at->vectors[1] = results.vectors[1];
    return nullptr;
  }
  std::memcpy(entry.at, entry.code, jump_bytes);
  calls.active.push_back({index, at->return_address, entry.at});
  at->return_address = reinterpret_cast<std::uint64_t>(&rehearse_function_exit);
  return entry.at;
}

// Called by the stub when the function returns. Returns its return address.
extern "C" [[gnu::visibility("hidden"), gnu::used]] std::uint64_t rehearse_function_returned(
    const FunctionResults* results) {
  sample_ends();
  SampledCalls& calls = per_rank<SampledCalls>();
  const SampledCalls::Active done = calls.active.back();
  calls.active.pop_back();
  calls.last[done.index] = *results;
  const EntryCode code = jump_code(done.index);
  std::memcpy(done.entry, code.data(), code.size());
  return done.return_address;
}

Result<std::uint64_t> find_entry(const RankWorld& world, const std::string& name) {
  for (std::size_t i = 0; i < world.images.plugins_begin; ++i) {
    const Image& image = world.images.images[i];
    const Elf64_Sym* symbol = image.file->find(name, {});
    if (symbol == nullptr) {
      for (const Elf64_Sym* local : image.file->functions(name)) {
        if (symbol != nullptr && symbol->st_value != local->st_value)
          return Error{fmt::format("{}: has several functions named '{}', so it cannot be sampled by its name",
                                   image.file->path(), name)};
        symbol = local;
      }
    }
    if (symbol == nullptr) continue;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC)
      return Error{fmt::format("{}: the symbol '{}' is not a function that can be sampled", image.file->path(), name)};
    if (symbol->st_size < jump_bytes || image.file->bytes_at(symbol->st_value, jump_bytes) == nullptr)
      return Error{fmt::format("{}: the function '{}' has {} bytes; functions that can be sampled have at least {}",
                               image.file->path(), name, symbol->st_size, jump_bytes)};
    return image.offset + symbol->st_value;
  }
  return std::uint64_t{0};
}

Error no_function(const RankWorld& world, const std::string& name) {
  return Error{fmt::format("{}: no function '{}' to sample in the program or its own libraries; accepted: symbols of "
                           "functions, as nm shows them (an inlined function has none)",
                           world.spec.path, name)};
}

Result<void> patch_entry(std::byte* entry, std::uint32_t index) {
  const std::uint64_t begin = page_floor(reinterpret_cast<std::uint64_t>(entry));
  const std::uint64_t end = page_ceiling(reinterpret_cast<std::uint64_t>(entry) + jump_bytes);
  if (mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    return Error{fmt::format("the code of a sampled function cannot be changed: {}", std::strerror(errno))};
  const EntryCode code = jump_code(index);
  std::memcpy(entry, code.data(), code.size());
  return {};
}

}  // namespace rehearse::smpi
