// SPDX-License-Identifier: MIT
//
// The entries of .debug_info of one ELF file (libdwarf), with the attributes that this folder needs.
//
// Errors:    unreadable entries and attributes are absent or empty; no function fails.
// Ownership: an entry is valid during the call of the visitor.
// Threads:   none.
#pragma once

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rehearse {

bool is_fortran(Dwarf_Unsigned language);

class DwarfFile {
 public:
  explicit DwarfFile(const std::string& path);
  ~DwarfFile();
  DwarfFile(const DwarfFile&) = delete;
  DwarfFile& operator=(const DwarfFile&) = delete;

  Dwarf_Debug debug() const { return debug_; }

  // visit(unit) for the units that were not visited yet, until it returns true.
  template <class Visit>
  void visit_units(Visit&& visit);
  // visit(entry) for the direct children of `parent`, until it returns true.
  template <class Visit>
  void visit_children(Dwarf_Die parent, Visit&& visit);
  // visit(entry) for the entry at this offset of the section, if there is one.
  template <class Visit>
  void visit_at(Dwarf_Off offset, Visit&& visit);

  Dwarf_Half tag(Dwarf_Die entry);  // 0: none
  Dwarf_Off offset(Dwarf_Die entry);
  bool has(Dwarf_Die entry, Dwarf_Half attribute);
  std::string text(Dwarf_Die entry, Dwarf_Half attribute);
  // The text of the entry, or of its abstract origin or specification.
  std::string inherited_text(Dwarf_Die entry, Dwarf_Half attribute);
  // A constant; absent if the attribute is, or is an expression.
  std::optional<std::int64_t> constant(Dwarf_Die entry, Dwarf_Half attribute);
  Dwarf_Unsigned number(Dwarf_Die entry, Dwarf_Half attribute) {
    return static_cast<Dwarf_Unsigned>(constant(entry, attribute).value_or(0));
  }
  // The entry that this one refers to.
  std::optional<Dwarf_Off> reference(Dwarf_Die entry, Dwarf_Half attribute);
  // The same, of the entry or of its abstract origin or specification.
  std::optional<Dwarf_Off> inherited_reference(Dwarf_Die entry, Dwarf_Half attribute);
  Dwarf_Unsigned language(Dwarf_Die unit);
  // Whether the code address is in a function, block or unit. Code that the linker dropped begins at 0 and covers
  // nothing.
  bool covers(Dwarf_Die entry, std::uint64_t address);

  bool is_good(int status) {
    if (status == DW_DLV_ERROR && debug_ != nullptr) dwarf_dealloc_error(debug_, error_);
    return status == DW_DLV_OK;
  }
  Dwarf_Error* error() { return &error_; }

 private:
  bool is_next_unit();
  bool is_in_list(Dwarf_Attribute ranges, std::uint64_t address);
  bool is_in_old_list(Dwarf_Die entry, Dwarf_Attribute ranges, Dwarf_Addr unit_base, std::uint64_t address);

  Dwarf_Debug debug_ = nullptr;
  Dwarf_Error error_ = nullptr;
};

template <class Visit>
void DwarfFile::visit_units(Visit&& visit) {
  while (debug_ != nullptr && is_next_unit()) {
    Dwarf_Die unit = nullptr;
    if (!is_good(dwarf_siblingof_b(debug_, nullptr, true, &unit, &error_))) return;
    const bool is_last = visit(unit);
    dwarf_dealloc(debug_, unit, DW_DLA_DIE);
    if (is_last) return;
  }
}

template <class Visit>
void DwarfFile::visit_children(Dwarf_Die parent, Visit&& visit) {
  Dwarf_Die child = nullptr;
  if (!is_good(dwarf_child(parent, &child, &error_))) return;
  while (true) {
    Dwarf_Die sibling = nullptr;
    const bool is_last = visit(child) || !is_good(dwarf_siblingof_b(debug_, child, true, &sibling, &error_));
    dwarf_dealloc(debug_, child, DW_DLA_DIE);
    if (is_last) return;
    child = sibling;
  }
}

template <class Visit>
void DwarfFile::visit_at(Dwarf_Off offset, Visit&& visit) {
  Dwarf_Die entry = nullptr;
  if (debug_ == nullptr || !is_good(dwarf_offdie_b(debug_, offset, true, &entry, &error_))) return;
  visit(entry);
  dwarf_dealloc(debug_, entry, DW_DLA_DIE);
}

}  // namespace rehearse
