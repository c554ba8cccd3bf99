// SPDX-License-Identifier: MIT
//
// See pointer_search.hpp.
#include "smpi/process/pointer_search.hpp"

#include <cstring>

#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {
namespace {

using Base = DebugPlace::Base;
using Kind = DebugType::Kind;

constexpr std::uint64_t max_array_length = 16;  // in which pointers are searched for

bool is_pointer(const DebugType& type) {
  return type.kind == Kind::scalar && type.scalar == DebugType::Scalar::pointer;
}

std::uintptr_t word_at(std::uintptr_t address) {
  std::uintptr_t word = 0;
  std::memcpy(&word, reinterpret_cast<const void*>(address), sizeof word);
  return word;
}

}  // namespace

void PointerSearch::search_scope(DebugVariables& file, std::uint64_t offset) {
  for (const DebugVariable& variable : file.in_scope(offset).variables) check(file, variable);
}

void PointerSearch::check(DebugVariables& file, const DebugVariable& variable) {
  const DebugType& type = *variable.type;
  const DebugPlace& place = variable.place;
  std::uintptr_t at = 0;
  switch (place.base) {
    case Base::file: return;  // a global one
    case Base::unknown:
      // The value is not known, but the program may have passed this pointer.
      if (is_pointer(type)) add("", file.target(type));
      return;
    case Base::value:
      if (is_pointer(type)) compare(file, variable.name, type, frame_.registers[place.number]);
      return;
    case Base::frame: at = frame_.canonical; break;
    case Base::in_register: at = frame_.registers[place.number]; break;
  }
  at += static_cast<std::uintptr_t>(place.offset);
  if (place.is_indirect) {
    if (is_readable(at, sizeof at) && word_at(at) == address_)
      add(variable.name, type.kind == Kind::array ? *type.element : type);
  } else if (type.bytes > 0 && is_readable(at, type.bytes)) {
    search_object(file, variable.name, type, at, 1);
  }
}

void PointerSearch::search_globals(DebugVariables& file, std::uintptr_t base) {
  for (const DebugVariable& variable : file.globals()) {
    const std::uintptr_t at = base + static_cast<std::uintptr_t>(variable.place.offset);
    if (variable.type->bytes > 0 && rank_.covers(reinterpret_cast<const void*>(at + variable.type->bytes)))
      search_object(file, variable.name, *variable.type, at, 1);
  }
}

void PointerSearch::compare(DebugVariables& file, const std::string& name, const DebugType& pointer,
                            std::uintptr_t value) {
  if (value == address_) add(name, file.target(pointer));
}

void PointerSearch::search_object(DebugVariables& file, const std::string& name, const DebugType& type,
                                  std::uintptr_t begin, int deeper) {
  if (is_pointer(type)) {
    if (--remaining_ < 0) return;
    const std::uintptr_t value = word_at(begin);
    compare(file, name, type, value);
    if (deeper == 0 || value == address_) return;
    const DebugType& target = file.target(type);
    if (target.kind == Kind::record && is_readable(value, target.bytes)) search_object(file, name, target, value, 0);
  } else if (type.kind == Kind::record) {
    for (const DebugType::Member& member : type.members)
      if (member.offset + member.type->bytes <= type.bytes)
        search_object(file, member.name.empty() ? name : name + "." + member.name, *member.type, begin + member.offset,
                      deeper);
  } else if (type.kind == Kind::array && type.count <= max_array_length) {
    for (std::uint64_t i = 0; i < type.count; ++i)
      search_object(file, name, *type.element, begin + i * type.element->bytes, deeper);
  }
}

void PointerSearch::add(const std::string& name, const DebugType& target) {
  const bool is_raw = target.kind == Kind::opaque || (target.kind == Kind::scalar && target.bytes == 1);
  if (is_raw) found_.is_certain = false;
  const bool is_first_named = found_.name.empty() && !name.empty();
  found_.types.insert(is_first_named ? found_.types.begin() : found_.types.end(), &target);
  if (is_first_named) found_.name = name;
}

bool PointerSearch::is_readable(std::uintptr_t begin, std::uint64_t bytes) const {
  const auto* first = reinterpret_cast<const std::byte*>(begin);
  if (!rank_.covers(first)) return false;
  const RangeLayout& layout = rank_.world->layout;
  const auto offset = static_cast<std::uint64_t>(first - rank_.base);
  if (offset >= layout.heap_begin) {
    const std::byte* end = rank_.heap->high_water();
    return first < end && static_cast<std::uint64_t>(end - first) >= bytes;
  }
  return begin >= frame_.begin && offset < layout.stack_end && layout.stack_end - offset >= bytes;
}

}  // namespace rehearse::smpi
