// SPDX-License-Identifier: MIT
//
// See debug_types.hpp.
//
// Arrays: an array of arrays is one array with all elements, in the order of memory.
#include "simcore/debug/debug_types.hpp"

#include <algorithm>
#include <utility>

#include "simcore/support/format.hpp"

namespace rehearse {
namespace {

using Kind = DebugType::Kind;
using Scalar = DebugType::Scalar;

// `path`: receives the names of members; may be null.
std::optional<DebugLeaf> leaf_in(const DebugType& type, std::uint64_t offset, std::uint64_t begin, std::string* path) {
  switch (type.kind) {
    case Kind::opaque: return std::nullopt;
    case Kind::scalar:
      if (offset >= type.bytes) return std::nullopt;
      return DebugLeaf{&type, begin};
    case Kind::array: {
      const std::uint64_t stride = type.element->bytes;
      if (stride == 0 || (type.count != 0 && offset / stride >= type.count)) return std::nullopt;
      return leaf_in(*type.element, offset % stride, begin + offset / stride * stride, path);
    }
    case Kind::record:
      for (const DebugType::Member& member : type.members) {
        if (offset < member.offset || offset >= member.offset + member.type->bytes) continue;
        std::string inner;
        // Members may share an offset: empty members and those with no_unique_address.
        const auto leaf =
            leaf_in(*member.type, offset - member.offset, begin + member.offset, path == nullptr ? nullptr : &inner);
        if (!leaf) continue;
        if (path != nullptr) *path = member.name + (member.name.empty() || inner.empty() ? "" : ".") + inner;
        return leaf;
      }
      return std::nullopt;
  }
  return std::nullopt;
}

// The default of the language.
std::int64_t default_lower_bound(DwarfFile& file, Dwarf_Die entry) {
  Dwarf_Off unit = 0;
  bool from_one = false;
  if (file.is_good(dwarf_CU_dieoffset_given_die(entry, &unit, file.error())))
    file.visit_at(unit, [&](Dwarf_Die of_unit) { from_one = is_fortran(file.language(of_unit)); });
  return from_one ? 1 : 0;
}

// "struct particle", or "struct" alone.
std::string with_keyword(const std::string& keyword, const std::string& name) {
  return name.empty() ? keyword : keyword + " " + name;
}

}  // namespace

std::optional<DebugLeaf> find_leaf(const DebugType& type, std::uint64_t offset) {
  return leaf_in(type, offset, 0, nullptr);
}

std::string member_path(const DebugType& type, std::uint64_t offset) {
  std::string path;
  leaf_in(type, offset, 0, &path);
  return path;
}

const DebugType& DebugTypes::add(DebugType type) { return all_.emplace_back(std::move(type)); }

const DebugType& DebugTypes::at(DwarfFile& file, std::optional<Dwarf_Off> offset) {
  if (!offset) return opaque_;
  if (const auto known = by_offset_.find(*offset); known != by_offset_.end()) return *known->second;
  if (depth_ >= deepest) return opaque_;
  ++depth_;
  const DebugType* type = &opaque_;
  file.visit_at(*offset, [&](Dwarf_Die entry) { type = &read(file, entry); });
  --depth_;
  return *(by_offset_[*offset] = type);
}

const DebugType& DebugTypes::read(DwarfFile& file, Dwarf_Die entry) {
  const Dwarf_Half tag = file.tag(entry);
  switch (tag) {
    case DW_TAG_typedef: return renamed(file, entry);
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type: return at(file, file.reference(entry, DW_AT_type));
    case DW_TAG_base_type: return scalar(file, entry);
    case DW_TAG_enumeration_type:
      return add({.kind = Kind::scalar,
                  .scalar = Scalar::enumeration,
                  .name = with_keyword("enum", file.text(entry, DW_AT_name)),
                  .bytes = file.number(entry, DW_AT_byte_size)});
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type: return pointer(file, entry, tag);
    case DW_TAG_array_type: return array(file, entry);
    case DW_TAG_structure_type:
    case DW_TAG_class_type: return record(file, entry, tag);
    case DW_TAG_string_type: {
      const DebugType& character =
          add({.kind = Kind::scalar, .scalar = Scalar::unsigned_integer, .name = "character", .bytes = 1});
      const std::uint64_t bytes = file.number(entry, DW_AT_byte_size);
      return add({.kind = Kind::array, .name = "character", .bytes = bytes, .element = &character, .count = bytes});
    }
    default: return add({.name = file.text(entry, DW_AT_name), .bytes = file.number(entry, DW_AT_byte_size)});
  }
}

// An alias (typedef). It names records and types without a name.
const DebugType& DebugTypes::renamed(DwarfFile& file, Dwarf_Die entry) {
  const DebugType& type = at(file, file.reference(entry, DW_AT_type));
  const bool is_nameless = type.name.empty() || type.name == "struct" || type.name == "class" || type.name == "enum";
  if (type.kind == Kind::scalar && !is_nameless) return type;
  if (type.kind == Kind::array) return type;
  DebugType copy = type;
  copy.name = file.text(entry, DW_AT_name);
  return add(std::move(copy));
}

const DebugType& DebugTypes::scalar(DwarfFile& file, Dwarf_Die entry) {
  DebugType type{.kind = Kind::scalar,
                 .name = file.text(entry, DW_AT_name),
                 .bytes = file.number(entry, DW_AT_byte_size)};
  switch (file.number(entry, DW_AT_encoding)) {
    case DW_ATE_signed:
    case DW_ATE_signed_char: type.scalar = Scalar::signed_integer; break;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF: type.scalar = Scalar::unsigned_integer; break;
    case DW_ATE_boolean: type.scalar = Scalar::boolean; break;
    case DW_ATE_float: type.scalar = Scalar::floating; break;
    case DW_ATE_address: type.scalar = Scalar::pointer; break;
    case DW_ATE_complex_float: return complex(file, entry);
    default: type.kind = Kind::opaque;
  }
  if (type.bytes == 0) type.kind = Kind::opaque;
  return add(std::move(type));
}

const DebugType& DebugTypes::complex(DwarfFile& file, Dwarf_Die entry) {
  const std::uint64_t bytes = file.number(entry, DW_AT_byte_size);
  const std::string name = file.text(entry, DW_AT_name);
  const DebugType& part = add({.kind = Kind::scalar, .scalar = Scalar::floating, .name = name, .bytes = bytes / 2});
  return add({.kind = Kind::array, .name = name, .bytes = bytes, .element = &part, .count = 2});
}

const DebugType& DebugTypes::pointer(DwarfFile& file, Dwarf_Die entry, Dwarf_Half tag) {
  DebugType type{.kind = Kind::scalar,
                 .scalar = Scalar::pointer,
                 .name = tag == DW_TAG_pointer_type ? "pointer" : "reference",
                 .bytes = 8};
  type.target = file.reference(entry, DW_AT_type).value_or(0);
  return add(std::move(type));
}

const DebugType& DebugTypes::array(DwarfFile& file, Dwarf_Die entry) {
  // Arrays with a descriptor (Fortran) are not at the place of their variable, and others may have gaps.
  for (const Dwarf_Half attribute : {DW_AT_data_location, DW_AT_allocated, DW_AT_associated, DW_AT_byte_stride,
                                     DW_AT_bit_stride, DW_AT_bit_size, DW_AT_rank})
    if (file.has(entry, attribute)) return opaque_;
  const DebugType& element = at(file, file.reference(entry, DW_AT_type));
  if (element.bytes == 0) return opaque_;
  std::uint64_t count = 1;
  bool is_known = true;
  std::string bounds;
  file.visit_children(entry, [&](Dwarf_Die child) {
    if (file.tag(child) != DW_TAG_subrange_type) return false;
    const auto one = length(file, child);
    bounds += one ? fmt::format("[{}]", *one) : "[]";
    is_known = is_known && one && !file.has(child, DW_AT_byte_stride) &&
               !__builtin_mul_overflow(count, one.value_or(0), &count);
    return false;
  });
  const std::size_t inner_bounds = std::min(element.name.find('['), element.name.size());
  const std::string name = element.name.substr(0, inner_bounds) + bounds + element.name.substr(inner_bounds);
  const bool is_nested = element.kind == Kind::array && element.element->bytes * element.count == element.bytes;
  const DebugType& inner = is_nested ? *element.element : element;
  std::uint64_t bytes = 0;
  if (!is_known || __builtin_mul_overflow(count, element.bytes, &bytes)) bytes = 0;
  return add({.kind = Kind::array, .name = name, .bytes = bytes, .element = &inner, .count = bytes / inner.bytes});
}

std::optional<std::uint64_t> DebugTypes::length(DwarfFile& file, Dwarf_Die subrange) {
  if (const auto count = file.constant(subrange, DW_AT_count))
    return *count < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(*count));
  const auto upper = file.constant(subrange, DW_AT_upper_bound);
  const auto lower = file.has(subrange, DW_AT_lower_bound) ? file.constant(subrange, DW_AT_lower_bound)
                                                           : std::optional(default_lower_bound(file, subrange));
  std::int64_t count = 0;
  if (!upper || !lower || __builtin_sub_overflow(*upper, *lower, &count) || __builtin_add_overflow(count, 1, &count) ||
      count < 0)
    return std::nullopt;
  return static_cast<std::uint64_t>(count);
}

const DebugType& DebugTypes::record(DwarfFile& file, Dwarf_Die entry, Dwarf_Half tag) {
  const std::string keyword = tag == DW_TAG_class_type ? "class" : "struct";
  DebugType type{.kind = Kind::record,
                 .name = with_keyword(keyword, file.text(entry, DW_AT_name)),
                 .bytes = file.number(entry, DW_AT_byte_size)};
  if (type.bytes == 0 || file.has(entry, DW_AT_declaration)) return add({.name = type.name, .bytes = 0});
  file.visit_children(entry, [&](Dwarf_Die child) {
    const Dwarf_Half what = file.tag(child);
    if ((what != DW_TAG_member && what != DW_TAG_inheritance) || file.has(child, DW_AT_external) ||
        file.has(child, DW_AT_declaration))
      return false;
    // Bit-fields count as unknown. Virtual bases have no constant offset.
    const auto offset = file.constant(child, DW_AT_data_member_location);
    if (!offset || *offset < 0 || file.has(child, DW_AT_bit_size)) return false;
    const DebugType& of_member = at(file, file.reference(child, DW_AT_type));
    type.members.push_back({file.text(child, DW_AT_name), static_cast<std::uint64_t>(*offset), &of_member});
    return false;
  });
  std::ranges::stable_sort(type.members, {}, &DebugType::Member::offset);
  return add(std::move(type));
}

}  // namespace rehearse
