// SPDX-License-Identifier: MIT
//
// See buffer_room.hpp.
#include "smpi/buffer_room.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "smpi/buffers/stack_life.hpp"
#include "smpi/known_memory.hpp"
#include "smpi/process.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

constexpr int max_blocks = 64;  // of one buffer that are checked one by one

// The error in a block [begin, end) of a buffer; empty: none.
std::string problem_of(std::uintptr_t begin, std::uintptr_t end) {
  const KnownMemory known = known_memory(begin);
  const bool is_free = known.region == Region::free_heap;
  if (known.region == Region::unknown || (!is_free && end <= known.limit)) return {};
  const std::string needed = " must be " + bytes_text(end - begin) + " long, but ";
  if (is_free) return needed + "begins in heap memory that was never allocated or has been freed";
  const std::string there = bytes_text(known.end - begin);
  if (known.region == Region::stack_variable)
    return needed + "the variable " + known.variable->name + " (" + known.variable->type->name + ") there ends after " +
           there;
  if (known.region == Region::variable) return needed + "the global variable there ends after " + there;
  return needed + "the heap block there ends after " + there;
}

// Whether parts of the type may lie in other variables: their displacements are in bytes.
bool has_byte_displacements(const Datatype& type) {
  switch (type.recipe().combiner) {
    case MPI_COMBINER_STRUCT:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_BLOCK:
    case MPI_COMBINER_HVECTOR: return true;
    case MPI_COMBINER_NAMED: return false;
    default:
      return std::ranges::any_of(type.recipe().datatypes,
                                 [](const DatatypeRef& part) { return has_byte_displacements(*part); });
  }
}

// From the first to the last byte of the buffer.
struct Hull {
  std::uintptr_t begin = 0, end = 0;
};

std::optional<Hull> hull_of(std::uintptr_t base, MPI_Count count, const Datatype& type) {
  std::int64_t span = 0;
  if (__builtin_mul_overflow(count - 1, type.extent(), &span)) return std::nullopt;
  const std::uintptr_t first = base + static_cast<std::uintptr_t>(type.true_lower_bound());
  return Hull{first + static_cast<std::uintptr_t>(std::min<std::int64_t>(span, 0)),
              first + static_cast<std::uintptr_t>(std::max<std::int64_t>(span, 0) + type.true_extent())};
}

bool lies_in_one_region(std::uintptr_t base, MPI_Count count, const Datatype& type) {
  const auto hull = hull_of(base, count, type);
  if (!hull || hull->end < hull->begin) return false;
  const KnownMemory known = known_memory(hull->begin);
  return known.region != Region::unknown && known.region != Region::free_heap && hull->end <= known.end;
}

// The blocks of an element, one by one.
class BlockByBlock {
 public:
  bool visit(std::span<const Run> runs, std::uintptr_t base) {
    for (std::size_t i = 0; i < runs.size(); i += 1 + runs[i].body) {
      const Run& run = runs[i];
      for (std::int64_t k = 0; k < run.count; ++k) {
        const std::uintptr_t at = base + static_cast<std::uintptr_t>(run.offset + k * run.stride);
        if (run.body != 0) {
          if (!visit(runs.subspan(i + 1, run.body), at)) return false;
          continue;
        }
        if (remaining_-- == 0) return false;
        problem_ = problem_of(at, at + static_cast<std::uintptr_t>(run.bytes));
        if (!problem_.empty()) return false;
      }
    }
    return true;
  }
  const std::string& problem() const { return problem_; }

 private:
  int remaining_ = max_blocks;
  std::string problem_;
};

}  // namespace

std::string find_memory_error(const void* address, MPI_Count count, const Datatype& type) {
  const auto first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(address)) + type.true_lower_bound();
  if (is_on_dead_stack(first)) return " was a variable of a function that has returned";
  return buffer_checks().room ? find_size_error(address, count, type) : "";
}

std::string find_size_error(const void* address, MPI_Count count, const Datatype& type) {
  const auto base = reinterpret_cast<std::uintptr_t>(address);
  // Usually the whole buffer lies in one block or variable. Then its parts need no separate check.
  if (has_byte_displacements(type)) {
    if (lies_in_one_region(base, count, type)) return {};
    BlockByBlock blocks;
    for (MPI_Count i = 0; i < count; ++i)
      if (!blocks.visit(type.layout(), base + static_cast<std::uintptr_t>(i * type.extent()))) break;
    return blocks.problem();
  }
  const auto hull = hull_of(base, count, type);
  return hull ? problem_of(hull->begin, hull->end) : std::string();
}

}  // namespace rehearse::smpi
