// SPDX-License-Identifier: MIT
//
// The functions behind rehearse.h and smpi_compat.h about memory and results that ranks share. In programs that are not
// folded (check, or run --no-fold), each rank has memory and results of its own.
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

#include "simcore/support/format.hpp"
#include "smpi/buffers/freed.hpp"
#include "smpi/folding.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

Folding* folding_of_named() {
  Folding* folding = folding_of_rank();
  return folding != nullptr && folding->options().folds_named ? folding : nullptr;
}

const char* checked_name(const char* name) {
  if (name != nullptr) return name;
  fail_rank(FailureKind::misuse, "argument.value", "rehearse_shared_alloc: the name is a null pointer");
}

void* folded_memory(std::size_t bytes, const char* name, std::span<const Folding::Piece> pieces) {
  Folding* folding = folding_of_named();
  if (folding == nullptr || bytes == 0) return std::malloc(bytes);
  RankState& rank = this_rank();
  void* block = nullptr;
  std::array<char, 512> problem{};
  {
    const HostAllocation host;
    const Folding::Owner owner{rank.context.identity.id.value, rank.heap, rank.base,
                               rank.base + rank.world->range_bytes};
    block = folding->allocate(owner, name, bytes, pieces);
    folding->problem().copy(problem.data(), problem.size() - 1);
  }
  if (problem[0] != '\0') fail_rank(FailureKind::given_up, "", problem.data());
  if (block == nullptr) errno = ENOMEM;
  return block;
}

void* memory_folded(std::size_t bytes, const char* name) { return folded_memory(bytes, checked_name(name), {}); }

// `shared`: `count` pairs of the first byte and the byte behind the last one, ascending.
void* memory_partly_folded(std::size_t bytes, const std::size_t* shared, int count, const char* name) {
  checked_name(name);
  if (count <= 0) return std::malloc(bytes);
  std::array<Folding::Piece, 64> few{};
  if (static_cast<std::size_t>(count) > few.size())
    fail_rank(FailureKind::misuse, "argument.value",
              fmt::format("SMPI_PARTIAL_SHARED_MALLOC: {} shared blocks; at most {} are possible", count, few.size()));
  std::size_t last = 0;
  for (int i = 0; i < count; ++i) {
    const std::size_t begin = shared[2 * i], end = shared[2 * i + 1];
    if (begin < last || end < begin || end > bytes)
      fail_rank(
          FailureKind::misuse, "argument.value",
          fmt::format("SMPI_PARTIAL_SHARED_MALLOC: shared block {} is [{}, {}); blocks must be ascending, without "
                      "overlap, and end by {}",
                      i, begin, end, bytes));
    few[static_cast<std::size_t>(i)] = {begin, end};
    last = end;
  }
  return folded_memory(bytes, name, std::span(few).first(static_cast<std::size_t>(count)));
}

void memory_unfolded(void* block) {
  if (block != nullptr && !must_keep(block)) std::free(block);
}

// Texts of Fortran have their lengths after all arguments, and blanks at their ends.
void fortran_shared_alloc(const long long* bytes, const char* name, void** memory, std::size_t length) {
  while (length > 0 && name[length - 1] == ' ') --length;
  if (*bytes < 0)
    fail_rank(FailureKind::misuse, "argument.value", fmt::format("rehearse_shared_alloc: {} bytes", *bytes));
  *memory = memory_folded(static_cast<std::size_t>(*bytes), std::string(name, length).c_str());
}

void fortran_shared_free(void** memory) {
  memory_unfolded(*memory);
  *memory = nullptr;
}

std::string key_of(const char* function, const char* input) {
  return fmt::format("{}:{}", function, input == nullptr ? "" : input);
}

int result_known(const char* function, const char* input) {
  Folding* folding = folding_of_named();
  if (folding == nullptr) return 0;
  const HostAllocation host;
  return folding->find_result(key_of(function, input)) != nullptr ? 1 : 0;
}

void* result_of(const char* function, const char* input) {
  const HostAllocation host;
  return *folding_of_named()->find_result(key_of(function, input));
}

// The first result stays.
void* result_stored(const char* function, const char* input, void* result) {
  Folding* folding = folding_of_named();
  if (folding == nullptr) return result;
  const HostAllocation host;
  return folding->store_result(key_of(function, input), result);
}

}  // namespace

InterposerList folding_interposers() {
  return {{"rehearse_memory_folded", function_address(memory_folded)},
          {"rehearse_memory_partly_folded", function_address(memory_partly_folded)},
          {"rehearse_memory_unfolded", function_address(memory_unfolded)},
          {"rehearse_shared_alloc_", function_address(fortran_shared_alloc)},
          {"rehearse_shared_free_", function_address(fortran_shared_free)},
          {"rehearse_result_known", function_address(result_known)},
          {"rehearse_result_of", function_address(result_of)},
          {"rehearse_result_stored", function_address(result_stored)}};
}

}  // namespace rehearse::smpi
