// SPDX-License-Identifier: MIT
//
// See buffer_type.hpp.
#include "smpi/buffer_type.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "simcore/support/format.hpp"
#include "simcore/support/hash.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/described_buffer.hpp"
#include "smpi/known_memory.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

using TypeKind = DebugType::Kind;
using Scalar = DebugType::Scalar;

constexpr int max_elements = 256;  // visited in a buffer, including elements that consist of others
constexpr int max_checks = 8;      // of buffers for which no result is kept, for each place of a call

enum class Fit : std::uint8_t { same, other_sign, different };

// The reports of the rank, and for each place of a call, the number of checks without a kept result.
struct TypeChecks {
  std::set<std::pair<const void*, const char*>> reported;
  std::map<const void*, int> by_place;
};

bool is_signed(Storage storage) {
  return storage == Storage::int16 || storage == Storage::int32 || storage == Storage::int64 ||
         storage == Storage::int128;
}

// Compares an element of `bytes` bytes with the scalar that contains its first byte.
Fit fit_of(const BasicType& basic, std::uint64_t bytes, bool begins_there, const DebugType& scalar) {
  if (scalar.bytes == 1) return Fit::same;
  if (!begins_there || scalar.bytes != bytes) return Fit::different;
  const bool is_floating = basic.type_class == TypeClass::floating || basic.type_class == TypeClass::complex;
  if (is_floating != (scalar.scalar == Scalar::floating)) return Fit::different;
  const bool has_sign = basic.type_class == TypeClass::c_integer || basic.type_class == TypeClass::fortran_integer;
  if (!has_sign) return Fit::same;
  if (is_signed(basic.storage)) return scalar.scalar == Scalar::unsigned_integer ? Fit::other_sign : Fit::same;
  return scalar.scalar == Scalar::signed_integer ? Fit::other_sign : Fit::same;
}

// Memory that is declared as a variable of a type, or (`repeats`) as a sequence of such variables.
struct Declared {
  const DebugType* type = nullptr;
  std::uintptr_t begin = 0;
  bool repeats = false;
};

struct Difference {
  Fit fit = Fit::same;
  const BasicType* basic = nullptr;
  std::int64_t at = 0;  // relative to the buffer
  const DebugType* scalar = nullptr;
  bool begins_there = true;
  bool from_bottom = false;
  std::string path;  // of members
};

// The offset of an address in the declared type; absent: it is outside.
std::optional<std::uint64_t> byte_of(const Declared& declared, std::uintptr_t address) {
  if (address < declared.begin) return std::nullopt;
  const std::uint64_t offset = address - declared.begin;
  const std::uint64_t bytes = declared.type->bytes;
  if (offset < bytes || bytes == 0) return offset;
  if (!declared.repeats) return std::nullopt;
  // A record that ends in an array may have more elements of that array behind it.
  const bool has_flexible_end = declared.type->kind == TypeKind::record && !declared.type->members.empty() &&
                                declared.type->members.back().type->kind == TypeKind::array;
  return has_flexible_end ? std::nullopt : std::optional(offset % bytes);
}

// Compares the basic elements of a buffer with the declared memory.
class Comparison {
 public:
  Comparison(const Declared& declared, std::uintptr_t buffer) : declared_(declared), buffer_(buffer) {}

  void compare(const Datatype& type, MPI_Count count) {
    // If all elements are equal, the first one decides.
    const DebugType& all = *declared_.type;
    const bool is_plain = all.kind == TypeKind::scalar ||
                          (all.kind == TypeKind::array && all.element->kind == TypeKind::scalar);
    if (is_plain && type.basic() != nullptr && type.parts().empty()) count = 1;
    for (MPI_Count i = 0; i < count && !is_done(); ++i)
      visit(type, buffer_ + static_cast<std::uintptr_t>(i * type.extent()));
  }
  const Difference& worst() const { return worst_; }

 private:
  bool is_done() const { return remaining_ <= 0 || worst_.fit == Fit::different; }

  void visit(const Datatype& type, std::uintptr_t at) {
    --remaining_;
    if (type.basic() != nullptr && type.parts().empty()) return visit_basic(*type.basic(), at);
    for (const Part& part : type.parts())
      for (std::int64_t i = 0; i < part.count && !is_done(); ++i)
        for (std::int64_t k = 0; k < part.block && !is_done(); ++k) {
          const std::int64_t offset = part.displacement + i * part.stride + k * part.type->extent();
          visit(*part.type, at + static_cast<std::uintptr_t>(offset));
        }
  }

  void visit_basic(const BasicType& basic, std::uintptr_t at) {
    const bool is_raw = basic.size <= 1 || basic.type_class == TypeClass::byte ||
                        basic.type_class == TypeClass::packed || basic.type_class == TypeClass::marker;
    if (is_raw) return;
    const bool is_complex = basic.type_class == TypeClass::complex;
    const auto bytes = static_cast<std::uint64_t>(basic.size) / (is_complex ? 2 : 1);
    compare_scalar(basic, bytes, at);
    if (is_complex) compare_scalar(basic, bytes, at + bytes);
  }

  void compare_scalar(const BasicType& basic, std::uint64_t bytes, std::uintptr_t at) {
    const auto byte = byte_of(declared_, at);
    if (!byte) return;
    const auto leaf = find_leaf(*declared_.type, *byte);
    if (!leaf) return;
    const bool begins_there = leaf->begin == *byte;
    const Fit fit = fit_of(basic, bytes, begins_there, *leaf->type);
    if (fit <= worst_.fit) return;
    worst_ = {fit,          &basic,       static_cast<std::int64_t>(at - buffer_), leaf->type,
              begins_there, buffer_ == 0, member_path(*declared_.type, *byte)};
  }

  Declared declared_;
  std::uintptr_t buffer_;
  int remaining_ = max_elements;
  Difference worst_;
};

// The difference from the declaration that fits best.
struct Best {
  Difference difference;
  std::size_t which = 0;
};

Best best_of(std::span<const Declared> all, std::uintptr_t buffer, MPI_Count count, const Datatype& type) {
  Best best;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Comparison comparison(all[i], buffer);
    comparison.compare(type, count);
    if (i == 0 || comparison.worst().fit < best.difference.fit) best = {comparison.worst(), i};
    if (best.difference.fit == Fit::same) break;
  }
  return best;
}

// A key that is equal for buffers whose elements lie at the same places of one variable; absent: there are too many
// places.
std::optional<ProgramVariables::BufferKey> key_of(const PlacedVariable& variable, std::uintptr_t buffer,
                                                  MPI_Count count, const Datatype& type) {
  constexpr std::size_t max_runs = 32;
  if (type.layout().size() > max_runs) return std::nullopt;
  std::uint64_t places = static_cast<std::uint64_t>(type.extent());
  const auto add = [&](std::int64_t value) { places = hash_with(places, static_cast<std::uint64_t>(value)); };
  for (const Run& run : type.layout()) {
    for (const std::int64_t value : {run.offset, run.bytes, run.stride, run.count}) add(value);
    add(run.body);
  }
  return ProgramVariables::BufferKey{reinterpret_cast<std::uintptr_t>(variable.variable), buffer - variable.begin,
                                     static_cast<std::uint64_t>(count), type.signature().value(), places};
}

std::string text_of(const Difference& difference, std::string_view buffer, const std::string& there) {
  // Relative to MPI_BOTTOM, the offset is an address, which differs between runs.
  std::string where;
  if (difference.at != 0 && !difference.from_bottom) where = fmt::format("byte {} of ", difference.at);
  const std::string what = (difference.begins_there ? "" : "the middle of ") + difference.scalar->name;
  const std::string member = difference.path.empty() ? "" : fmt::format(" (member {})", difference.path);
  return fmt::format("{}{} is passed as {}, but {} has {} there{}", where, buffer, difference.basic->name, there, what,
                     member);
}

void report_once(const Difference& difference, std::string_view buffer, const std::string& there) {
  const bool is_sign = difference.fit == Fit::other_sign;
  const char* id = is_sign ? "buffer.signedness" : "buffer.type";
  if (!per_rank<TypeChecks>().reported.insert({creation_site().return_address, id}).second) return;
  report(id, is_sign ? Severity::note : Severity::warning, text_of(difference, buffer, there));
}

// Whether the place of the call has few checks of buffers for which no result is kept.
bool may_check_again() {
  int& checks = per_rank<TypeChecks>().by_place[creation_site().return_address];
  return checks < max_checks && ++checks > 0;
}

void check_described(const DescribedBuffer& described, std::uintptr_t buffer, MPI_Count count, const Datatype& type,
                     std::string_view name) {
  if (!type.parts().empty() && !may_check_again()) return;
  Comparison comparison({&described.element(), described.begin(), true}, buffer);
  comparison.compare(type, count);
  if (comparison.worst().fit != Fit::same) report_once(comparison.worst(), name, "its array");
}

void check_heap(std::uintptr_t buffer, MPI_Count count, const Datatype& type, std::string_view name) {
  if (!may_check_again()) return;
  const PointerTargets* targets = pointer_targets(buffer);
  if (targets == nullptr || !targets->is_certain || targets->name.empty()) return;
  std::vector<Declared> all;
  for (const DebugType* target : targets->types) all.push_back({target, buffer, true});
  const Best best = best_of(all, buffer, count, type);
  if (best.difference.fit == Fit::same) return;
  report_once(best.difference, name, "the memory that " + targets->name + " points to");
}

}  // namespace

void check_element_types(const void* address, MPI_Count count, const Datatype& type, std::string_view name) {
  const auto buffer = reinterpret_cast<std::uintptr_t>(address);
  const auto first = buffer + static_cast<std::uintptr_t>(type.true_lower_bound());
  if (type.size() == 1) return;
  if (const DescribedBuffer* described = DescribedBuffer::find(first))
    return check_described(*described, buffer, count, type, name);
  const PlacedVariables variables = known_variables(first);
  if (variables.empty()) return check_heap(buffer, count, type, name);
  std::array<Declared, PlacedVariables::max_count> all;
  const std::size_t known = variables.all().size();
  for (std::size_t i = 0; i < known; ++i) all[i] = {variables.all()[i].variable->type, variables.all()[i].begin, false};
  if (!std::ranges::all_of(variables.all(), &PlacedVariable::is_alone)) return;
  const auto key = key_of(variables.all()[0], buffer, count, type);
  if (key && program_variables()->fits(*key)) return;
  const Best best = best_of(std::span(all).first(known), buffer, count, type);
  if (best.difference.fit == Fit::same && key) program_variables()->note_fit(*key);
  if (best.difference.fit == Fit::same) return;
  const DebugVariable& variable = *variables.all()[best.which].variable;
  report_once(best.difference, name, "the variable " + variable.name + " (" + variable.type->name + ")");
}

}  // namespace rehearse::smpi
